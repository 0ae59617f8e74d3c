// Names the next question of a run, and says whether anybody is there to answer it. No chance in it: the same run gives the
// same id, whoever asks.

import type { ApprovalId } from "../../../shared/contract/ids.ts";
import type { RunState } from "../state.ts";

/** Ids count in the run, so that no two questions of it ever share one. */
export function nextApproval(state: RunState): ApprovalId {
  return `${state.run}-a${state.approvals.length + 1}` as ApprovalId;
}

/** An unattended run that lands by itself asks nobody anything but what its policy leaves open. */
export function hasNobodyToAsk({ options }: RunState): boolean {
  return options.approve === "auto" && !options.isAttended;
}
