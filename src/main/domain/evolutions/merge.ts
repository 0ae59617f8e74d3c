// How opposite verdicts change a run: they stand on record, and a person who will not choose between them ends its work.

import type { EventOf } from "../events.ts";
import type { RunState } from "../state.ts";
import { type Evolution, patchLead } from "./patch.ts";

export const conflicted: Evolution<EventOf<"merge.conflicted">> = (state, { n, data }) => ({
  ...state,
  conflicts: [...state.conflicts, { ...data, n }],
});

/** Nobody settles it: the lead gets its last turn, also where it has spoken already, unless another limit has brought it. */
export function giveUpReconciling(state: RunState): RunState {
  if (state.lead.limitReached !== null) return state;
  return patchLead(state, (lead) => ({ ...lead, limitReached: "manual_reconciliation", spoke: null }));
}
