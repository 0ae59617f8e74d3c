// The lead's own edits, where a run lets it make some: when they are to be proposed, and which change sets are its own.
// Its other change sets are the run's whole branch.

import type { RunOptions } from "../../shared/contract/options.ts";
import type { ChangeSetState, RunState } from "./state.ts";
import { nextLeadTurn } from "./turn.ts";

/** Whether the lead edits and runs commands itself, in a worktree of its own. */
export function mayLeadEdit({ options }: Pick<RunState, "options">): boolean {
  return options.leadEdits === true || options.delegation === "direct" || isAlone({ options });
}

/** Whether the lead works alone: nobody is delegated to. */
export function isAlone({ options }: { readonly options: Pick<RunOptions, "workflow" | "delegation"> }): boolean {
  return options.workflow === "off" || options.delegation === "off";
}

/** The newest of the lead's own change sets. */
export function ownSetOf(state: RunState): ChangeSetState | undefined {
  return state.changeSets.findLast((set) => set.agent === "lead" && !set.isLine);
}

/** The lead has said its last word over edits that are not proposed yet, or whose checks are not over. */
export function owesSubmission(state: RunState): boolean {
  const { lead, ending } = state;
  if (lead.work === null || lead.spoke === null || lead.request !== null || ending !== null) return false;
  if ((state.status !== "running" && state.status !== "waiting") || nextLeadTurn(state).kind !== "idle") return false;
  const { touchedN, submittedN } = lead.work;
  const status = ownSetOf(state)?.status;
  // What is on its way to the branch gets there first.
  if (status === "approved" || status === "landing") return false;
  return submittedN < lead.spoke.n ? touchedN > 0 : status === "proposed";
}
