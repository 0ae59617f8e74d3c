// How a subagent stands and why it does not go on; what an approval asks for. Pure.

import type { NodeStatus, RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { describeRun } from "./attention.ts";
import type { Standing } from "./attention.ts";

const nodeStandings: Readonly<Record<NodeStatus, Standing>> = {
  pending: { shape: "waiting", word: "Waiting" },
  ready: { shape: "queued", word: "Queued" },
  running: { shape: "working", word: "Working" },
  waiting: { shape: "waiting", word: "Waiting" },
  submitting: { shape: "working", word: "Working" },
  awaiting_review: { shape: "ready", word: "Ready to review" },
  landing: { shape: "landing", word: "Landing" },
  completed: { shape: "done", word: "Done" },
  failed: { shape: "failed", word: "Failed" },
  cancelled: { shape: "stopped", word: "Stopped" },
};

/** `asking` holds the agents with an open approval. */
export function describeSubagent({ id, status }: SubagentSnapshot, asking: ReadonlySet<string>): Standing {
  if (status === "waiting" && asking.has(id)) return { shape: "needs-you", word: "Needs you" };
  return nodeStandings[status];
}

export function describeSnapshot({ status, stopReason, approvals }: RunSnapshot): Standing {
  const standing = describeRun({ status, stopReason, needsYouCount: approvals.length });
  return status !== "stopped" && approvals.length > 0 ? { ...standing, word: "Needs you" } : standing;
}

/** What a subagent waits for or does just now; `null` when it has ended and there is nothing more to say. */
export function explainSubagent({ held, waitingFor, code, status, activity }: SubagentSnapshot): string | null {
  if (held !== undefined) return held.sentence;
  if (waitingFor !== undefined) return waitingFor.sentence;
  if (code !== undefined) return code;
  const isAtWork = status === "running" || status === "submitting" || status === "landing";
  return isAtWork && activity !== "" ? activity : null;
}

/** `after subagent-1, -2`, and what it replaces. */
export function relateSubagent({ dependsOn, replaces }: SubagentSnapshot): string {
  const after =
    dependsOn.length > 0
      ? [`after ${dependsOn.map(({ id }, at) => (at === 0 ? id : id.replace("subagent", ""))).join(", ")}`]
      : [];
  const instead = replaces === undefined ? [] : [`replaces ${replaces}`];
  return [...after, ...instead].join(", ");
}

const approvalKinds: Readonly<Record<string, string>> = {
  changeset: "Change set",
  command: "Command",
  permission: "Permission",
  plan: "Plan",
  budget: "More budget",
};

/** A kind that has no word here yet goes by its name in the journal. */
export function nameApproval(kind: string): string {
  return approvalKinds[kind] ?? kind;
}

/** The command that makes a run go on which nobody drives; `null` while somebody does, or when it is over. */
export function continuingCommand({ run, status }: RunSnapshot): string | null {
  return status === "ready" || status === "interrupted" ? `coppice resume ${run}` : null;
}
