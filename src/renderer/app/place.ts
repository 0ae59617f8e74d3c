// What is looked at, as it stands in the address: which screen, which run, which moment of it, which agent. Pure.

import { isSubagentId } from "../../shared/contract/ids.ts";
import type { AgentId, ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import { isTopic } from "../../shared/contract/topics.ts";

export interface Place {
  readonly view: View;
  readonly run: RunId | null;
  /** Ordinal of the event that is replayed; `null` for live. */
  readonly at: number | null;
  readonly agent: AgentId | null;
  /** The change set under review. */
  readonly review: ChangeSetId | null;
  /** Ordinal of the transcript's entry that is shown. */
  readonly entry: number | null;
  /** Of the settings: which part of them. */
  readonly section: string | null;
  /** Of a new run: the repository to begin with. */
  readonly folder: string | null;
  /** Of a comparison: the second run; `null` for the likeliest. */
  readonly beside: RunId | null;
}

const views = ["run", "inbox", "new", "settings", "search", "welcome", "compare"] as const;
export type View = (typeof views)[number];

/** A run from its beginning: live, nothing of it chosen. */
export const fresh = {
  view: "run",
  at: null,
  agent: null,
  review: null,
  entry: null,
  section: null,
  folder: null,
  beside: null,
} as const;

const idPattern = /^[\w.-]{1,80}$/;

const names = ["view", "run", "at", "agent", "review", "entry", "section", "folder", "beside"] as const;

/** Reads `?run=…&at=…&agent=…&review=…` or `?view=inbox`; what is not understood counts as absent. */
export function readPlace(search: string): Place {
  const query = new URLSearchParams(search);
  const [view, run, at, agent, review, entry, section, folder, beside] = names.map((name) => query.get(name) ?? "");
  return {
    view: views.find((known) => known === view) ?? "run",
    run: isTopic(`run/${run ?? ""}`) ? (run as RunId) : null,
    at: readOrdinal(at),
    agent: agent === "lead" || (agent !== undefined && isSubagentId(agent)) ? agent : null,
    review: idPattern.test(review ?? "") ? (review as ChangeSetId) : null,
    entry: readOrdinal(entry),
    section: /^[a-z]{1,20}$/.test(section ?? "") ? (section ?? null) : null,
    folder: (folder ?? "") === "" || (folder ?? "").length > 4_096 ? null : (folder ?? null),
    beside: isTopic(`run/${beside ?? ""}`) ? (beside as RunId) : null,
  };
}

/** The address of a place: `?` and what differs from nothing. */
export function writePlace({ view, run, at, agent, review, entry, section, folder, beside }: Place): string {
  const query = new URLSearchParams();
  if (view !== "run") query.set("view", view);
  if (run !== null) query.set("run", run);
  if (at !== null) query.set("at", String(at));
  if (agent !== null) query.set("agent", agent);
  if (review !== null) query.set("review", review);
  if (entry !== null) query.set("entry", String(entry));
  if (section !== null) query.set("section", section);
  if (folder !== null) query.set("folder", folder);
  if (beside !== null) query.set("beside", beside);
  return `?${query.toString()}`;
}

function readOrdinal(text: string | undefined): number | null {
  return /^[1-9]\d{0,9}$/.test(text ?? "") ? Number(text) : null;
}
