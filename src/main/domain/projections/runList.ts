// A line of the run list, from what the store knows without folding a journal.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunStatus } from "../../../shared/contract/snapshots.ts";

/** What a projected row says of a run. `status` is text there, as any column. */
export interface ListedRun {
  readonly run: RunId;
  readonly title: string;
  readonly status: string;
  readonly stopReason: string | null;
  readonly repo: string;
  readonly createdAt: number;
}

const statuses: Readonly<Record<RunStatus, true>> = {
  created: true,
  running: true,
  waiting: true,
  paused: true,
  ready: true,
  interrupted: true,
  stopped: true,
  quarantined: true,
  imported: true,
};

/** Open approvals of a run, and those of them that are change sets. */
export interface OpenCounts {
  readonly needsYouCount: number;
  readonly reviewCount: number;
}

/** A line of the list. `isDriven`: some process drives the run. Without one, a run that the journal calls running was
 * interrupted, and one that waits with nothing left to decide is ready to go on. A status that this version does not know
 * shows as quarantined. */
export function runListItemOf(
  { run, title, status, stopReason, repo, createdAt }: ListedRun,
  { needsYouCount, reviewCount }: OpenCounts,
  isDriven: boolean,
): RunListItem {
  return {
    run,
    title,
    status: shownStatus(status, needsYouCount, isDriven),
    stopReason,
    repo,
    createdAt,
    needsYouCount,
    reviewCount,
  };
}

/** What a run shows as, given what its journal says and whether some process drives it. */
export function shownStatus(status: string, needsYouCount: number, isDriven: boolean): RunStatus {
  if (!isRunStatus(status)) return "quarantined";
  if (isDriven) return status;
  if (status === "running" || status === "created") return "interrupted";
  return status === "waiting" && needsYouCount === 0 ? "ready" : status;
}

function isRunStatus(status: string): status is RunStatus {
  return Object.hasOwn(statuses, status);
}
