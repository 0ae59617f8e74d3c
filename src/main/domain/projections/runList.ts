// A line of the run list, from what the store knows without folding a journal.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunListSnapshot, RunStatus } from "../../../shared/contract/snapshots.ts";
import { byteLength, clipBytes } from "./clip.ts";

/** What a projected row says of a run. `status` is text there, as any column. */
export interface ListedRun {
  readonly run: RunId;
  readonly title: string;
  readonly status: string;
  readonly stopReason: string | null;
  readonly repo: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly agents: string;
  readonly landed: string | null;
  readonly pinned: boolean;
}

/** An open approval, as far as a list shows it. */
export interface ListedApproval {
  readonly kind: string;
  readonly since: number;
}

/** Most kinds of open approvals, and letters for subagents, that a line has. */
const maxAsks = 8;
const maxAgents = 60;
const maxTitleBytes = 120;

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

/** A line of the list. `open`: its approvals that wait, the longest wait first. `isDriven`: some process drives the run.
 * Without one, a run that the journal calls running was interrupted, and one that waits with nothing left to decide is ready
 * to go on. A status that this version does not know shows as quarantined. */
export function runListItemOf(row: ListedRun, open: readonly ListedApproval[], isDriven: boolean): RunListItem {
  const { run, title, status, stopReason, repo, createdAt, updatedAt, agents, landed, pinned } = row;
  const [first] = open;
  return {
    run,
    title: clipBytes(title, maxTitleBytes),
    status: shownStatus(status, open.length, isDriven),
    stopReason,
    repo,
    createdAt,
    needsYouCount: open.length,
    reviewCount: open.filter(({ kind }) => kind === "changeset").length,
    updatedAt,
    // A list has a thousand lines, so what is not so of one is not said.
    ...(first === undefined ? {} : { asks: open.slice(0, maxAsks).map(({ kind }) => kind), askedAt: first.since }),
    ...(agents === "" ? {} : { agents: agents.slice(-maxAgents) }),
    ...(landed === null ? {} : { landed: landed.slice(0, 7) }),
    ...(pinned ? { isPinned: true } : {}),
  };
}

/** As many lines as fit into `maxBytes` of JSON: finished runs are left out first, the oldest of them. */
export function fitRunList(items: readonly RunListItem[], maxBytes: number): Omit<RunListSnapshot, "version"> {
  let bytes = 0;
  const kept = new Set<RunListItem>();
  const isOver = ({ status }: RunListItem) => status === "stopped" || status === "imported";
  for (const item of [...items.filter((one) => !isOver(one)), ...items.filter(isOver)]) {
    bytes += byteLength(JSON.stringify(item)) + 1;
    if (bytes > maxBytes) break;
    kept.add(item);
  }
  const olderCount = items.length - kept.size;
  return olderCount === 0 ? { runs: items } : { runs: items.filter((item) => kept.has(item)), olderCount };
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
