// The streams that an append writes to: who may write, where each stands, where new ones begin.
// Fences are tested here and nowhere else; expiry is not tested, only owner and epoch.

import type { AgentId, BootId, RunId } from "../../shared/contract/ids.ts";
import type { RunEvent } from "../domain/events.ts";
import type { AppendRequest, StreamStart } from "../engine/ports/store.ts";
import { StoreError } from "./failure.ts";
import { genesisHash } from "./hashChain.ts";
import type { Connection } from "./openDatabase.ts";

/** A stream within one append; `seq` and `hash` move with each event. */
export interface Stream {
  readonly run: RunId;
  readonly epoch: number;
  seq: number;
  hash: string;
}

interface StreamRow {
  readonly root: RunId;
  readonly seq: number;
  readonly hash: string;
  readonly owner: BootId | null;
  readonly epoch: number | null;
}

interface KeyedRow {
  readonly seq: number;
  readonly n: number;
}

export interface Streams {
  /** Tests every fence, then every key, then every head, and begins the new streams. Throws `STALE_LEASE`, `DUPLICATE_KEY`, `UNEXPECTED_HEAD`, `INVALID_APPEND`. */
  open(request: AppendRequest): ReadonlyMap<RunId, Stream>;
  /** Events in the merged journal of `root`. */
  countOf(root: RunId): number;
  /** The hash that the first event of a child is chained to: that of the handoff, among `written`, that names it. */
  handoffOf(child: RunId, written: readonly RunEvent[]): string;
  saveHeads(root: RunId, streams: Iterable<Stream>, count: number): void;
}

function refuse(code: string, message: string, details?: unknown): never {
  throw new StoreError({
    code,
    message: `${message} Nothing was written.`,
    ...(details === undefined ? {} : { details }),
  });
}

function requireStart({ root, starts, fences, events }: AppendRequest, start: StreamStart): void {
  const isRootOpen = [...starts, ...fences].some((stream) => stream.run === root);
  if (!isRootOpen)
    refuse("INVALID_APPEND", `Child run ${start.run} can only start in an append that also fences its root ${root}.`);
  if (!events.some((event) => event.run === start.run))
    refuse("INVALID_APPEND", `Run ${start.run} cannot start without a first event.`);
}

/** Begins streams: their row in `runs`, their lease, nothing before them. */
function createStarter(db: Connection, find: (run: RunId) => StreamRow | undefined) {
  const findTombstone = db.prepare<[RunId], number>("SELECT 1 FROM tombstones WHERE root = ?").pluck();
  const insertRun = db.prepare<[RunId, RunId, AgentId, string, string]>(
    "INSERT INTO runs (run, root, agent, kind, head_hash) VALUES (?, ?, ?, ?, ?)",
  );
  const insertLease = db.prepare<[RunId, BootId, number, number]>(
    "INSERT INTO leases (run, owner, epoch, acquired_at, renewed_at) VALUES (?, ?, 1, ?, ?)",
  );
  return (request: AppendRequest, { run, agent }: StreamStart): Stream => {
    const { root, boot } = request;
    const standing = find(run);
    if (standing) {
      refuse("UNEXPECTED_HEAD", `Run ${run} exists already, with ${standing.seq} events.`, { run, head: standing.seq });
    }
    if (findTombstone.get(root) !== undefined) {
      refuse("UNEXPECTED_HEAD", `Run ${root} was deleted; its id cannot be used again.`);
    }
    requireStart(request, { run, agent });
    insertRun.run(run, root, agent, run === root ? "root" : "child", genesisHash);
    insertLease.run(run, boot, Date.now(), Date.now());
    return { run, epoch: 1, seq: 0, hash: genesisHash };
  };
}

function requireLeases(request: AppendRequest, find: (run: RunId) => StreamRow | undefined): readonly Stream[] {
  const { root, boot, fences } = request;
  return fences.map(({ run, epoch }) => {
    const row = find(run);
    if (row && row.root !== root) refuse("INVALID_APPEND", `Run ${run} belongs to ${row.root}, not to ${root}.`);
    if (row?.owner === boot && row.epoch === epoch) return { run, epoch, seq: row.seq, hash: row.hash };
    const now = `it is now at epoch ${row?.epoch ?? 0}. Another process may drive the run.`;
    return refuse("STALE_LEASE", `The lease of run ${run} at epoch ${epoch} is gone; ${now}`, { run });
  });
}

function requireHeads({ fences }: AppendRequest, streams: readonly Stream[]): void {
  for (const [index, { run, head }] of fences.entries()) {
    const actual = streams[index]?.seq ?? 0;
    if (actual === head) continue;
    refuse("UNEXPECTED_HEAD", `Run ${run} stands at ${actual}, not at ${head}. Read it again.`, { run, head: actual });
  }
}

/** Returns a function that throws `DUPLICATE_KEY`, with the place of the event that has the key, unless every key of a request is new. */
function createKeyGuard(db: Connection): (request: AppendRequest) => void {
  const find = db.prepare<[RunId, string], KeyedRow>("SELECT seq, n FROM events WHERE run = ? AND key = ?");
  return ({ events }) => {
    const seen = new Set<string>();
    for (const { run, key } of events) {
      if (key === undefined) continue;
      const row = find.get(run, key);
      const place = `${run} ${key}`;
      if (row || seen.has(place)) {
        refuse("DUPLICATE_KEY", `Run ${run} already has an event under the key ${key}.`, { run, key, ...row });
      }
      seen.add(place);
    }
  };
}

export function createStreams(db: Connection): Streams {
  const select = db.prepare<[RunId], StreamRow>(
    `SELECT runs.root, head_seq AS seq, head_hash AS hash, owner, epoch
     FROM runs LEFT JOIN leases ON leases.run = runs.run WHERE runs.run = ?`,
  );
  const find = (run: RunId): StreamRow | undefined => select.get(run);
  const count = db.prepare<[RunId], number>("SELECT count FROM runs WHERE run = ?").pluck();
  const saveHead = db.prepare<[number, string, RunId]>("UPDATE runs SET head_seq = ?, head_hash = ? WHERE run = ?");
  const saveCount = db.prepare<[number, RunId]>("UPDATE runs SET count = ? WHERE run = ?");
  const begin = createStarter(db, find);
  const requireNewKeys = createKeyGuard(db);
  return {
    open(request) {
      const fenced = requireLeases(request, find);
      requireNewKeys(request);
      requireHeads(request, fenced);
      const begun = request.starts.map((start) => begin(request, start));
      return new Map([...fenced, ...begun].map((stream) => [stream.run, stream]));
    },
    countOf: (root) => count.get(root) ?? refuse("INVALID_APPEND", `There is no run ${root}.`),
    handoffOf(child, written) {
      const handoff = written.findLast((event) => event.type === "handoff.recorded" && event.data.childRun === child);
      const reason = `Child run ${child} can only start after the handoff.recorded that names it, in the same append.`;
      return handoff?.hash ?? refuse("INVALID_APPEND", reason);
    },
    saveHeads(root, streams, total) {
      for (const { run, seq, hash } of streams) saveHead.run(seq, hash, run);
      saveCount.run(total, root);
    },
  };
}
