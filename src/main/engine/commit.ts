// From decided events to committed ones: checks them against the lifecycles, gives each stream its fence, and hands
// all of it to the store as one transaction.

import type { BootId, RunId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { RunEvent } from "../domain/events.ts";
import { evolve } from "../domain/evolve.ts";
import { mayBecome, runMayBecome } from "../domain/lifecycle.ts";
import { type RowChange, rowsOf } from "../domain/projections/tables.ts";
import type { RunState } from "../domain/state.ts";
import type { AppendRequest, AppendResult, Fence, Lease, NewEvent, StorePort, StreamStart } from "./ports/store.ts";

/** Last `seq` and hash of one stream. */
export interface StreamHead {
  readonly seq: number;
  readonly hash: string;
}

/** The streams of one run that this process holds: their epochs and heads. */
export class Streams {
  readonly #epochs = new Map<RunId, number>();
  readonly #heads = new Map<RunId, StreamHead>();

  /** Takes over leases and the heads that the journal shows. */
  adopt(leases: readonly Lease[], journal: readonly RunEvent[]): void {
    for (const lease of leases) this.#epochs.set(lease.run, lease.epoch);
    this.advance(journal);
  }

  advance(events: readonly RunEvent[]): void {
    for (const event of events) {
      this.#heads.set(event.run, { seq: event.seq, hash: event.hash });
      // A stream that begins is held by whoever began it, from epoch 1.
      if (!this.#epochs.has(event.run)) this.#epochs.set(event.run, 1);
    }
  }

  head(run: RunId): StreamHead {
    return this.#heads.get(run) ?? { seq: 0, hash: "" };
  }

  epoch(run: RunId): number {
    return this.#epochs.get(run) ?? 1;
  }
}

export interface CommitRequest {
  readonly store: StorePort;
  readonly boot: BootId;
  readonly streams: Streams;
  readonly before: RunState | null;
  readonly events: readonly RunEvent[];
  readonly takes?: readonly { readonly request: number; readonly answer: Json }[];
  readonly erases?: AppendRequest["erases"];
}

/** Commits the events of one transaction. The streams' heads advance only when the store acknowledged. */
export async function commit(request: CommitRequest): Promise<AppendResult> {
  const { store, boot, streams, before, events, takes, erases } = request;
  const [first] = events;
  if (!first && !takes?.length) return { ok: true, value: [] };
  const root = first?.root ?? before?.run;
  if (!root) throw new Error("A commit needs an event or a run");
  const rows = checkedRows(before, events);
  const runs = [...new Set(events.map((event) => event.run))];
  const starts: StreamStart[] = [];
  const fences: Fence[] = [];
  for (const run of runs) {
    const { seq } = streams.head(run);
    const opening = events.find((event) => event.run === run);
    if (seq === 0 && opening) starts.push({ run, agent: opening.agent });
    else fences.push({ run, epoch: streams.epoch(run), head: seq });
  }
  const appended = await store.append({
    root,
    boot,
    durability: "barrier",
    starts,
    fences,
    events: events.map(newEvent),
    rows,
    ...(takes === undefined ? {} : { takes }),
    ...(erases === undefined ? {} : { erases }),
  });
  if (appended.ok) streams.advance(appended.value);
  return appended;
}

/** Rows that follow from the events; throws when an event makes a move that no lifecycle allows: a defect in a rule. */
function checkedRows(before: RunState | null, events: readonly RunEvent[]): readonly RowChange[] {
  const rows: RowChange[] = [];
  let state = before;
  for (const event of events) {
    const after = evolve(state, event);
    if (state) checkMoves(state, after, event.type);
    rows.push(...rowsOf(event, after));
    state = after;
  }
  return rows;
}

function checkMoves(before: RunState, after: RunState, type: string): void {
  if (before.status !== after.status && !runMayBecome(before.status, after.status)) {
    throw new Error(`${type} moves the run from ${before.status} to ${after.status}, which no lifecycle allows`);
  }
  for (const node of after.nodes) {
    const was = before.nodes[node.ordinal - 1];
    if (was && was.status !== node.status && !mayBecome(was.status, node.status)) {
      throw new Error(`${type} moves ${node.id} from ${was.status} to ${node.status}, which no lifecycle allows`);
    }
  }
}

function newEvent(event: RunEvent): NewEvent {
  const { n: _n, pos: _pos, root: _root, seq: _seq, hash: _hash, ...rest } = event;
  const key = keyOf(event);
  return key === undefined ? rest : { ...rest, key };
}

/** What must never be in a stream twice, whoever writes it: a handoff, a command from outside, an effect's two ends. */
function keyOf(event: RunEvent): string | undefined {
  if (event.command !== undefined) return `command ${event.command}`;
  if (event.type === "handoff.recorded") return `handoff ${event.data.key}`;
  if (event.type === "tool.dispatched") return `dispatch ${event.data.call}`;
  if (event.type === "tool.settled") return `settle ${event.data.call}`;
  if (event.type === "subagent.settled") return `settled ${event.data.subagent}`;
  return undefined;
}
