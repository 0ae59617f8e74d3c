// The lifecycles, as tables: from → allowed to. `decide` goes by them and `commit` checks them again.

import type { NodeStatus, RunStatus } from "../../shared/contract/snapshots.ts";

/** A subagent. Terminal states absorb. A landing is never cut, so `landing` cannot fail or be cancelled. A `ready` node is `pending` again when the proposal that it waited for is sent back. */
export const nodeTransitions: Readonly<Record<NodeStatus, readonly NodeStatus[]>> = {
  pending: ["ready", "failed", "cancelled"],
  ready: ["pending", "running", "failed", "cancelled"],
  running: ["waiting", "submitting", "completed", "failed", "cancelled"],
  waiting: ["ready", "failed", "cancelled"],
  submitting: ["running", "awaiting_review", "completed", "failed", "cancelled"],
  awaiting_review: ["landing", "ready", "completed", "failed", "cancelled"],
  landing: ["completed", "awaiting_review"],
  completed: [],
  failed: [],
  cancelled: [],
};

/** A run. `stopped` is left only by input that continues it. From whatever moment a run was forked, the fork is `paused`. */
export const runTransitions: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  created: ["running", "paused", "interrupted", "stopped"],
  running: ["waiting", "paused", "interrupted", "stopped", "quarantined"],
  waiting: ["running", "ready", "paused", "interrupted", "stopped", "quarantined"],
  paused: ["running", "interrupted", "stopped", "quarantined"],
  ready: ["running", "paused", "interrupted", "stopped", "quarantined"],
  interrupted: ["running", "waiting", "paused", "stopped", "quarantined"],
  stopped: ["running", "paused"],
  quarantined: [],
  imported: [],
};

export function isTerminal(status: NodeStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

export function mayBecome(from: NodeStatus, to: NodeStatus): boolean {
  return nodeTransitions[from].includes(to);
}

export function runMayBecome(from: RunStatus, to: RunStatus): boolean {
  return runTransitions[from].includes(to);
}
