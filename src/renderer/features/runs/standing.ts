// How a run's snapshot stands, in a shape and a word. Pure.

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { describeRun } from "./attention.ts";
import type { Standing } from "./attention.ts";

export function describeSnapshot({
  status,
  stopReason,
  approvals,
}: Pick<RunSnapshot, "status" | "stopReason" | "approvals">): Standing {
  const standing = describeRun({ status, stopReason, needsYouCount: approvals.length });
  return status !== "stopped" && approvals.length > 0 ? { ...standing, word: "Needs you" } : standing;
}
