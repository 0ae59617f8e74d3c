// What the timeline says in words: of a lane at the playhead, of an item under the pointer, of a lane as a whole. Pure.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, TimelineItem } from "../../../shared/contract/snapshots.ts";
import { countOf, formatAge, formatDuration, formatTime } from "../../ui/formats.ts";
import { describeLead, hasEnded } from "../subagents.ts";
import type { RunView } from "../subagents.ts";
import type { PathStretch } from "./criticalPath.ts";
import type { Lane } from "./lanes.ts";

/** `you`: it is the person's turn; `work`: something is being done; `wait`: it waits for others, or nothing. */
export interface NowWords {
  readonly tone: "you" | "work" | "wait";
  readonly text: string;
}

const nothing: NowWords = { tone: "wait", text: "" };

/** What `agent` does or waits for in `snapshot`, at `now` in epoch ms. Empty once it has ended, or before it exists. */
export function sayNow(agent: AgentId, snapshot: RunSnapshot, view: RunView, now: number): NowWords {
  const approval = snapshot.approvals.find((each) => each.agent === agent);
  const isOver = snapshot.status === "stopped" || snapshot.status === "imported";
  if (approval !== undefined && !isOver) {
    const turn = approval.kind === "changeset" ? "your review" : "your answer";
    return { tone: "you", text: `${turn}, ${formatAge(approval.since, now)}` };
  }
  if (agent === "lead") return isOver ? nothing : sayLead(snapshot);
  const subagent = view.byId.get(agent);
  const account = view.accounts.get(agent);
  if (subagent === undefined || account === undefined || hasEnded(subagent)) return nothing;
  const isAtWork = account.shape === "working" || account.shape === "landing";
  return isAtWork
    ? { tone: "work", text: account.says === "" ? "working" : account.says }
    : { tone: "wait", text: shortenWait(account.says) };
}

function sayLead(snapshot: RunSnapshot): NowWords {
  const { shape, word, says } = describeLead(snapshot);
  if (shape === "working") return { tone: "work", text: says };
  return { tone: "wait", text: shortenWait(snapshot.lead.waitingFor?.sentence ?? (says === "" ? word : says)) };
}

/** `Waits for subagent-7, subagent-8.` is `waits for 7, 8`. */
export function shortenWait(sentence: string): string {
  const words = sentence.replace(/\.$/, "").replaceAll(/subagent-(?=\d)/g, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** For whoever hears the path: `Critical path: lead 31 s, subagent-2 3 m 59 s, lead 12 s`. */
export function describePath(path: readonly PathStretch[]): string {
  if (path.length === 0) return "There is no critical path yet.";
  return `Critical path: ${path.map(({ agent, from, until }) => `${agent} ${formatDuration(until - from)}`).join(", ")}`;
}

const kindWords: Readonly<Record<TimelineItem["kind"], string>> = {
  turn: "Turn",
  tool: "Tool call",
  queued: "Queued",
  waiting: "Waits",
  review: "Waits for your review",
  verification: "Checks",
  landing: "Landing",
  mark: "",
};

/** Kind, what it was, when, and what came of it: `Tool call`, `runCommand`, `14:02:31, 2.4 s, failed`, `exit 1`. */
export function describeItem(
  item: TimelineItem,
  now: number,
): readonly [kind: string, label: string, when: string, outcome: string] {
  const { kind, label, at, until, isFailure, outcome } = item;
  const lasts =
    kind === "mark" ? [] : [until === null ? `${formatDuration(now - at)} so far` : formatDuration(until - at)];
  return [
    kindWords[kind],
    label,
    [formatTime(at), ...lasts, ...(isFailure && kind !== "mark" ? ["failed"] : [])].join(", "),
    outcome ?? "",
  ];
}

/** For whoever hears the lane, after its name: how it stands, what it does, and what is in it. */
export function describeLane(lane: Lane, standing: string, now: NowWords): string {
  const failedCount = lane.failedCalls.items.length;
  const waits = lane.asks.items.length;
  return [
    standing,
    now.text,
    countOf(lane.turns.items.length, "turn"),
    countOf(lane.calls.items.length + failedCount, "tool call"),
    failedCount > 0 ? `${failedCount} failed` : "",
    waits > 0 ? `waited for you ${countOf(waits, "time")}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
