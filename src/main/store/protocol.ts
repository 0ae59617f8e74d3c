// What the two sides of the store's thread say to each other. Everything survives a structured clone: failures are data.

import type { BootId, RunId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import type { RunEvent } from "../domain/events.ts";
import type {
  AbandonedRun,
  AppendRequest,
  AppendResult,
  ApprovalRow,
  ArchivedRun,
  AtWork,
  DecidedRows,
  DiskUse,
  FoundTexts,
  ForeignRequest,
  ForeignRequestState,
  Lease,
  LeaseHolder,
  ListedRunRow,
  Removed,
  RunRow,
} from "../engine/ports/store.ts";
import type { AcquireResult } from "./leases.ts";

/** Given to the thread at its start. */
export interface WorkerInput {
  /** The data folder, ready to be written. */
  readonly folder: string;
  /** Its journal is damaged: what can be read of it is, and nothing is written. */
  readonly isReadOnly: boolean;
}

/** What the thread is asked for, by name. Each is carried out after everything asked for before it. */
export interface StoreCalls {
  append(request: AppendRequest): AppendResult;
  acquire(root: RunId): AcquireResult;
  release(root: RunId): void;
  renew(): readonly Lease[];
  holderOf(run: RunId): LeaseHolder | null;
  listAbandoned(): readonly AbandonedRun[];
  readJournal(root: RunId, after?: number, limit?: number): readonly RunEvent[];
  findRun(text: string): Result<RunRow>;
  listRuns(): readonly ListedRunRow[];
  listApprovals(run?: RunId): readonly ApprovalRow[];
  listDecided(since: number, limit: number): DecidedRows;
  listAtWork(): readonly AtWork[];
  putRequest(run: RunId, kind: string, body: Json): number;
  withdrawRequest(id: number): boolean;
  findRequest(id: number): ForeignRequestState;
  openRequests(run: RunId): readonly ForeignRequest[];
  verifyRun(root: RunId): readonly string[];
  setPinned(root: RunId, pinned: boolean): Result<null>;
  deleteRun(root: RunId): Result<Removed>;
  sweepPayloads(): Removed;
  diskUse(): DiskUse;
  search(text: string, limit: number): FoundTexts;
  importRun(run: ArchivedRun): Result<RunId>;
  repair(): readonly string[];
  compact(): void;
  watch(isOn: boolean): void;
  close(): void;
}

export type CallName = keyof StoreCalls;

export type Call = {
  [N in CallName]: { readonly id: number; readonly name: N; readonly args: Parameters<StoreCalls[N]> };
}[CallName];

export type Reply =
  /** The first message: the store is open. */
  | { readonly kind: "opened"; readonly boot: BootId }
  /** The first and last message: it could not be opened. */
  | { readonly kind: "refused"; readonly failure: Failure }
  | { readonly kind: "value"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly failure: Failure }
  | { readonly kind: "foreignCommit" };
