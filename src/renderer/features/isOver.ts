// Whether a run goes on, and how it ended. Pure.

import type { RunSnapshot } from "../../shared/contract/snapshots.ts";

/** Nothing more happens in it by itself; what it took is known. */
export function isOver({ status }: Pick<RunSnapshot, "status">): boolean {
  return status === "stopped" || status === "imported" || status === "quarantined" || status === "interrupted";
}

const stopWords: Readonly<Record<string, string>> = {
  final_answer: "Answered",
  cancelled: "Stopped by a person",
  max_steps: "Ended at its steps",
  budget_exhausted: "Ended at its budget",
  failed: "Failed",
  manual_reconciliation: "Left unreconciled",
  handoff_blocked: "Nothing could run",
  interrupted: "Interrupted",
};

/** How it ended, by its stop reason, or by a status that is an end. A reason of a newer version reads as itself. */
export function describeStop(reason: string): string {
  return stopWords[reason] ?? reason;
}
