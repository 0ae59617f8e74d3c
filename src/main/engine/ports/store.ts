// What the engine asks of the store. The store acknowledges only what is on disk.

import type { DecidedLine } from "../../../shared/contract/care.ts";
import type { AgentId, ApprovalId, BootId, RunId } from "../../../shared/contract/ids.ts";
import type { Json } from "../../../shared/lib/json.ts";
import type { Failure, Result } from "../../../shared/lib/result.ts";
import type { DraftEvent, RunEvent } from "../../domain/events.ts";
import type { RowChange } from "../../domain/projections/tables.ts";

/** One stream that an append writes to: the lease epoch that gives the right, and the `seq` the writer believes to be its last. */
export interface Fence {
  readonly run: RunId;
  readonly epoch: number;
  readonly head: number;
}

/** A stream that begins in this append. Its lease is the appender's, at epoch 1, from the same transaction on. */
export interface StreamStart {
  readonly run: RunId;
  readonly agent: AgentId;
}

export type NewEvent = DraftEvent & {
  readonly run: RunId;
  readonly at: number;
  readonly version: number;
  /** Unique in its run; a second event under the same key is refused as `DUPLICATE_KEY`. */
  readonly key?: string;
  readonly command?: string;
};

export interface AppendRequest {
  readonly root: RunId;
  readonly boot: BootId;
  /** `barrier`: the caller acts only after the acknowledgement. `trail`: progress, may be batched up to 250 ms, only the tail may be lost. */
  readonly durability: "barrier" | "trail";
  readonly starts: readonly StreamStart[];
  readonly fences: readonly Fence[];
  /** In commit order; the merged ordinal `n` follows it. */
  readonly events: readonly NewEvent[];
  /** Rows of the projections that follow from the events, written in the same transaction. */
  readonly rows: readonly RowChange[];
  /** Requests from elsewhere that these events answer, taken in the same transaction. */
  readonly takes?: readonly { readonly request: number; readonly answer: Json }[];
  /** Payloads whose data is replaced for good, by hash: what these events note is done in the same transaction. */
  readonly erases?: readonly { readonly payload: string; readonly text: string }[];
}

/** Codes: `STALE_LEASE`, `UNEXPECTED_HEAD`, `DUPLICATE_KEY`, `REQUEST_WITHDRAWN`, `BUDGET_GUARD`, `INVALID_APPEND` (malformed), `STORE_UNAVAILABLE` (disk full, I/O, closed). On failure nothing of the request is stored. */
export type AppendResult = Result<readonly RunEvent[], Failure>;

export interface Lease {
  readonly run: RunId;
  readonly epoch: number;
}

/** Who drives a run elsewhere. */
export interface LeaseHolder {
  readonly boot: BootId;
  readonly pid: number;
  readonly host: string;
  readonly since: number;
  readonly renewedAt: number;
}

/** A decision, cancel or message from a process that does not drive the run. */
export interface ForeignRequest {
  readonly id: number;
  readonly run: RunId;
  readonly kind: string;
  readonly body: Json;
  readonly createdAt: number;
}

export type ForeignRequestState =
  | { readonly state: "open" | "withdrawn" }
  | { readonly state: "taken"; readonly answer: Json };

/** A line of the run list, straight from the projection. */
export interface RunRow {
  readonly run: RunId;
  readonly title: string;
  readonly status: string;
  readonly stopReason: string | null;
  readonly repo: string;
  readonly createdAt: number;
  /** Events in the merged journal. */
  readonly count: number;
  /** Kept until a person takes the pin off: neither retention nor `deleteRun` touches it. */
  readonly pinned: boolean;
}

/** The same with what a list shows beside it. */
export interface ListedRunRow extends RunRow {
  /** Of its last event. */
  readonly updatedAt: number;
  /** One letter for each subagent, in order of creation: `q` queued, `w` at work, `n` waits, `r` in review, `d` done, `f` failed, `s` stopped. Empty for a run that has stopped. */
  readonly agents: string;
  /** The commit of its newest landing. */
  readonly landed: string | null;
}

/** What a deletion or a sweep freed: payloads of any size, and the bytes they took. The file of the journal itself does not shrink; what is free in it is used again. */
export interface Removed {
  readonly payloads: number;
  readonly bytes: number;
}

/** Bytes on disk: the journal's file, the log beside it that is copied into it when idle, and the payloads that are files. */
export interface DiskUse {
  readonly database: number;
  readonly wal: number;
  readonly payloads: number;
}

/** A text of a run in which words were found. */
export interface FoundText {
  readonly run: RunId;
  readonly kind: "title" | "transcript" | "file";
  readonly agent: AgentId;
  readonly n: number;
  readonly at: number;
  readonly where: string;
  /** Around the find; what matches stands between U+0002 and U+0003. */
  readonly excerpt: string;
}

export interface FoundTexts {
  /** Titles first, then the best. */
  readonly texts: readonly FoundText[];
  readonly isCut: boolean;
  /** Events that were not looked at yet: asking again goes on from there. */
  readonly behindCount: number;
}

export interface ApprovalRow {
  readonly id: ApprovalId;
  readonly run: RunId;
  readonly kind: string;
  readonly agent: AgentId;
  readonly summary: string;
  readonly since: number;
}

/** A decision, as it was recorded: by event `n` of its run. */
export type DecidedRow = Omit<DecidedLine, "runTitle">;

/** Newest first. `total`: how many there are, also beyond those that were asked for. */
export interface DecidedRows {
  readonly rows: readonly DecidedRow[];
  readonly total: number;
}

/** A subagent at work in a run that another process drives: the server and the model that it talks to. */
export interface AtWork {
  readonly run: RunId;
  readonly baseUrl: string;
  readonly model: string;
}

/** A run that a dead process has left in the middle. */
export interface AbandonedRun {
  readonly run: RunId;
  readonly aliveAt: number;
}

/** An event as it is on disk, by the names of its columns. */
export interface ArchivedEvent {
  readonly root: RunId;
  readonly n: number;
  readonly run: RunId;
  readonly agent: AgentId;
  readonly seq: number;
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly epoch: number;
  readonly key: string | null;
  readonly command: string | null;
  readonly payload_hash: string;
  readonly prev_hash: string;
  readonly hash: string;
}

/** The data of events by its hash: canonical JSON. `isErased`: something else stands in its place, and the hash is that of what it was. */
export interface ArchivedPayload {
  readonly hash: string;
  readonly text: string;
  readonly isErased: boolean;
}

/** A whole run, to be carried to another store. Events in ordinal order, each payload once. */
export interface ArchivedRun {
  readonly root: RunId;
  readonly events: readonly ArchivedEvent[];
  readonly payloads: readonly ArchivedPayload[];
}

export interface StorePort {
  readonly boot: BootId;
  append(request: AppendRequest): Promise<AppendResult>;
  /** Takes the leases of a run and of its children in one transaction, or none of them. Codes `DRIVEN_ELSEWHERE`, `RUN_NOT_FOUND`. `heldBy` is who drives it. A holder on this machine whose process is gone is passed over at once, one that is only late after its 15 s. */
  acquire(root: RunId): Promise<Result<readonly Lease[], Failure & { readonly heldBy?: LeaseHolder }>>;
  /** Clears the owner and keeps the epoch. */
  release(root: RunId): Promise<void>;
  /** Whether this process surely holds the run right now: a process that was stopped and wakes says no at once, before anything has told it. */
  isHeld(root: RunId): boolean;
  /** Runs whose holder has gone without giving them back, with its last sign of life, epoch ms. */
  listAbandoned(): Promise<readonly AbandonedRun[]>;
  /** Calls back once when this process has lost a lease or could not renew for 10 s by its own monotonic clock. Returns the unsubscribe. */
  onLeaseLost(listener: (run: RunId) => void): () => void;
  /** The merged journal of `root` in ordinal order, after ordinal `after` (default 0), at most `limit`. */
  readJournal(root: RunId, after?: number, limit?: number): Promise<readonly RunEvent[]>;
  /** Finds a run by id or by a unique prefix of it. */
  findRun(text: string): Promise<Result<RunRow>>;
  listRuns(): Promise<readonly ListedRunRow[]>;
  listApprovals(run?: RunId): Promise<readonly ApprovalRow[]>;
  /** What was decided in all runs at or after `since` (epoch ms), at most `limit` of it. */
  listDecided(since: number, limit: number): Promise<DecidedRows>;
  /** Subagents that are at work right now in runs that other processes hold. */
  listAtWork(): Promise<readonly AtWork[]>;
  holderOf(run: RunId): Promise<LeaseHolder | null>;
  putRequest(run: RunId, kind: string, body: Json): Promise<number>;
  /** False when the holder took it first. */
  withdrawRequest(id: number): Promise<boolean>;
  findRequest(id: number): Promise<ForeignRequestState>;
  openRequests(run: RunId): Promise<readonly ForeignRequest[]>;
  /** Calls back when another process has committed (PRAGMA data_version, looked at every 250 ms while anyone listens). Returns the unsubscribe. */
  onForeignCommit(listener: () => void): () => void;
  /** Everything that is wrong with the journal of one run and its children, one sentence each; empty when it is sound. Looks at heads, hash chain, numbers and payloads, in time in proportion to the run. */
  verifyRun(root: RunId): Promise<readonly string[]>;
  /** Code `RUN_NOT_FOUND`. */
  setPinned(root: RunId, pinned: boolean): Promise<Result<null>>;
  /** Takes a run and its children out of the store; id and head hash stay, and the id cannot be used again. Codes `RUN_NOT_FOUND`, `RUN_PINNED`, `DRIVEN_ELSEWHERE`, `NOT_ALLOWED_NOW` (this process drives it). Work places and refs are the caller's. */
  deleteRun(root: RunId): Promise<Result<Removed>>;
  /** Removes payload files that no event names: left behind by a crash between a payload and its event. */
  sweepPayloads(): Promise<Removed>;
  diskUse(): Promise<DiskUse>;
  /** Looks for all of the words in titles, transcripts and names of changed files of all runs. Takes what is new into the index first, for a twentieth of a second. */
  search(text: string, limit: number): Promise<FoundTexts>;
  /** Mends what follows from the events and differs from them, of runs that are whole and that nobody drives. Answers with what was done, a sentence each. */
  repair(): Promise<readonly string[]>;
  /** Writes the journal's file anew, without what was once in it: takes time in proportion to the file. */
  compact(): Promise<void>;
  /** Brings a run in from elsewhere, proved whole first, all of it or nothing; it can be looked at and is never driven. Codes `ARCHIVE_DAMAGED`, `RUN_EXISTS`, `STORE_TOO_NEW`. */
  importRun(run: ArchivedRun): Promise<Result<RunId>>;
  /** Waits until everything that was asked for is on disk, then closes. */
  close(): Promise<void>;
}
