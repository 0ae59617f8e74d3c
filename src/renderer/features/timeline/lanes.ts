// The lanes of a timeline from its items: what each agent did, sorted and packed so that what is seen is found by search.
// Pure.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot, TimelineItem } from "../../../shared/contract/snapshots.ts";
import { ordinalOf } from "../subagents.ts";
import { firstAbove } from "./search.ts";

/** Bars of one kind, by their beginnings. An open end is `Infinity`. */
export interface Bars {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** The latest end so far: what begins before a moment may still reach into it. */
  readonly reach: Float64Array;
  readonly items: readonly TimelineItem[];
}

/** A moment that changed what could happen. */
export interface Mark {
  readonly at: number;
  readonly kind: "asked" | "answered" | "ready" | "landed" | "failed" | "note";
  /** Still open: it is the person's turn. */
  readonly isOpen: boolean;
  readonly item: TimelineItem;
}

export interface Lane {
  readonly agent: AgentId;
  readonly ordinal: number;
  readonly role: string;
  readonly title: string;
  /** When it was created. */
  readonly bornAt: number;
  /** Between its start and its first turn, when that took a while. */
  readonly setup: { readonly from: number; readonly until: number } | null;
  readonly turns: Bars;
  readonly calls: Bars;
  readonly failedCalls: Bars;
  readonly queued: Bars;
  /** Waits for a person: questions and change sets. */
  readonly asks: Bars;
  readonly checks: Bars;
  readonly marks: readonly Mark[];
  /** When it came to its end; `Infinity` while it has not. */
  readonly endedAt: number;
  readonly hasCompleted: boolean;
}

/** A set-up that was shorter shows nothing. */
const leastSetupMs = 1_000;

/** Who an agent is: all that its lane says of it before it exists. */
export type AgentName = Pick<SubagentSnapshot, "id" | "role" | "title">;

/**
 * The lead's lane, then one for every subagent of the snapshot or the items, by number. At a moment that is replayed the
 * items know more agents than `subagents`; `names` tells who those will be.
 */
export function buildLanes(
  items: readonly TimelineItem[],
  subagents: readonly SubagentSnapshot[],
  names: readonly AgentName[] = subagents,
): readonly Lane[] {
  const packed = packOf(items);
  const known = new Map<AgentId, SubagentSnapshot>(subagents.map((subagent) => [subagent.id, subagent]));
  const named = new Map<AgentId, AgentName>(names.map((name) => [name.id, name]));
  const agents = new Set<AgentId>(["lead", ...known.keys(), ...packed.keys()]);
  return [...agents]
    .toSorted((a, b) => ordinalOf(a) - ordinalOf(b))
    .map((agent) => buildLane(agent, packed.get(agent) ?? nothing, known.get(agent), named.get(agent)));
}

function buildLane(
  agent: AgentId,
  did: Packed,
  subagent: SubagentSnapshot | undefined,
  name: AgentName | undefined,
): Lane {
  const { firstAt, ...done } = did;
  return {
    ...done,
    agent,
    ordinal: ordinalOf(agent),
    role: agent === "lead" ? "lead" : (name?.role ?? subagent?.role ?? ""),
    title: agent === "lead" ? "Lead" : (name?.title ?? subagent?.title ?? ""),
    bornAt: subagent?.createdAt ?? firstAt,
    setup: setupOf(subagent, did.turns.starts[0] ?? Infinity),
    endedAt: subagent?.endedAt ?? Infinity,
    hasCompleted: subagent?.status === "completed",
  };
}

/** What follows from an agent's items alone. */
interface Packed extends Pick<Lane, "turns" | "calls" | "failedCalls" | "queued" | "asks" | "checks" | "marks"> {
  readonly firstAt: number;
}

const packs = new WeakMap<readonly TimelineItem[], ReadonlyMap<AgentId, Packed>>();

/** By agent; made once for each list of items, since an agent's snapshot changes far more often. */
function packOf(items: readonly TimelineItem[]): ReadonlyMap<AgentId, Packed> {
  const known = packs.get(items);
  if (known !== undefined) return known;
  const byAgent = Map.groupBy(items, ({ agent }) => agent);
  const packed = new Map([...byAgent].map(([agent, own]) => [agent, packItems(own)]));
  packs.set(items, packed);
  return packed;
}

function packItems(unsorted: readonly TimelineItem[]): Packed {
  const items = unsorted.toSorted((a, b) => a.at - b.at);
  const calls = items.filter(({ kind }) => kind === "tool");
  const only = (...kinds: TimelineItem["kind"][]) => pack(items.filter(({ kind }) => kinds.includes(kind)));
  return {
    firstAt: items[0]?.at ?? Infinity,
    turns: only("turn"),
    calls: pack(calls.filter(({ isFailure }) => !isFailure)),
    failedCalls: pack(calls.filter(({ isFailure }) => isFailure)),
    queued: pack(items.filter((item) => item.kind === "queued" || isForContext(item))),
    asks: pack(items.filter((item) => item.kind === "review" || (item.kind === "waiting" && !isForContext(item)))),
    checks: only("verification"),
    marks: items.flatMap(marksOf).toSorted((a, b) => a.at - b.at),
  };
}

const nothing: Packed = packItems([]);

/** A subagent may also wait for its lead to give it more to go on; that is nobody else's turn. */
function isForContext({ kind, label }: TimelineItem): boolean {
  return kind === "waiting" && label === "Waits for context";
}

function setupOf(subagent: SubagentSnapshot | undefined, firstTurnAt: number): Lane["setup"] {
  const from = subagent?.startedAt ?? null;
  if (from === null) return null;
  const until = Math.min(firstTurnAt, subagent?.endedAt ?? Infinity);
  return until - from >= leastSetupMs ? { from, until } : null;
}

function pack(items: readonly TimelineItem[]): Bars {
  const starts = Float64Array.from(items, ({ at }) => at);
  const ends = Float64Array.from(items, ({ until }) => until ?? Infinity);
  let latest = -Infinity;
  const reach = ends.map((end) => (latest = Math.max(latest, end)));
  return { starts, ends, reach, items };
}

function marksOf(item: TimelineItem): readonly Mark[] {
  const { kind, at, until, isFailure } = item;
  switch (kind) {
    case "review":
    case "waiting": {
      if (isForContext(item)) return [];
      const asked: Mark = { at, kind: kind === "review" ? "ready" : "asked", isOpen: until === null, item };
      // A change set that was approved has a landing of its own.
      const isAnswered = kind === "waiting" && until !== null;
      return [asked, ...(isAnswered ? [{ at: until, kind: "answered" as const, isOpen: false, item }] : [])];
    }
    case "landing":
      return until === null ? [] : [{ at: until, kind: isFailure ? "failed" : "landed", isOpen: false, item }];
    case "mark":
      return [{ at, kind: isFailure ? "failed" : "note", isOpen: false, item }];
    default:
      return [];
  }
}

/** Indices `[from, until)` of the bars that reach into the time from `from` to `until`; some inside may have ended before. */
export function barsWithin({ starts, reach }: Bars, from: number, until: number): readonly [number, number] {
  return [firstAbove(reach, from), firstAbove(starts, until)];
}
