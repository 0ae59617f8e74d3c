// What is looked at, as it stands in the address: which screen, which run, which moment of it, which agent. Pure.

import { isSubagentId } from "../../shared/contract/ids.ts";
import type { AgentId, ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import { isTopic } from "../../shared/contract/topics.ts";

export interface Place {
  readonly view: "run" | "inbox" | "new";
  readonly run: RunId | null;
  /** Ordinal of the event that is replayed; `null` for live. */
  readonly at: number | null;
  readonly agent: AgentId | null;
  /** The change set under review. */
  readonly review: ChangeSetId | null;
}

const idPattern = /^[\w.-]{1,80}$/;

/** Reads `?run=…&at=…&agent=…&review=…` or `?view=inbox`; what is not understood counts as absent. */
export function readPlace(search: string): Place {
  const query = new URLSearchParams(search);
  const [view, run, at, agent, review] = ["view", "run", "at", "agent", "review"].map((name) => query.get(name) ?? "");
  return {
    view: view === "inbox" || view === "new" ? view : "run",
    run: isTopic(`run/${run ?? ""}`) ? (run as RunId) : null,
    at: /^[1-9]\d{0,9}$/.test(at ?? "") ? Number(at) : null,
    agent: agent === "lead" || (agent !== undefined && isSubagentId(agent)) ? agent : null,
    review: idPattern.test(review ?? "") ? (review as ChangeSetId) : null,
  };
}

/** The address of a place: `?` and what differs from nothing. */
export function writePlace({ view, run, at, agent, review }: Place): string {
  const query = new URLSearchParams();
  if (view !== "run") query.set("view", view);
  if (run !== null) query.set("run", run);
  if (at !== null) query.set("at", String(at));
  if (agent !== null) query.set("agent", agent);
  if (review !== null) query.set("review", review);
  return `?${query.toString()}`;
}
