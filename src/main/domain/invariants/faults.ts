// Everything that a run's journal shows to be broken, from one walk through it. Total: a journal that does not fold is
// a fault like any other.

import type { RunEvent } from "../events.ts";
import { evolve } from "../evolve.ts";
import type { RoleTable } from "../roles.ts";
import type { RunState } from "../state.ts";
import type { Fault, InvariantId, Watcher } from "./fault.ts";
import { watchConflicts, watchLandings, watchPlan } from "./landings.ts";
import { watchBudget, watchCharges, watchGraph, watchTools } from "./limits.ts";
import { watchEnds, watchHandoffs, watchRecords, watchSettlements } from "./order.ts";

/** The invariants, as sentences, in order. */
export const invariantTitles: Readonly<Record<InvariantId, string>> = {
  I4: "A run begins once, and after its stop nothing is added but its aftermath",
  I6: "No outcome without a record from before it",
  I7: "Each subagent has one handoff, and acts after it",
  I8: "Each subagent settles once, after its end",
  I9: "Nothing is reserved that the budget does not have",
  I10: "What subagents used is what the run is charged",
  I11: "Subagents use the tools they were given, within their role's effect rank",
  I12: "The graph keeps to its limits, and only the lead delegates",
  I13: "No step of a plan is done unless completed work shows it",
  I14: "Nothing lands, and no step is done, while it is in conflict",
  I15: "Each change set lands once, as what was recorded",
};

/** All faults of one merged journal, in its order. `roles` are those of today; a role that is gone is not judged. */
export function findFaults(journal: readonly RunEvent[], roles: RoleTable): readonly Fault[] {
  const watchers: readonly Watcher[] = [
    watchEnds,
    watchRecords(),
    watchHandoffs,
    watchSettlements,
    watchBudget,
    watchCharges,
    watchTools,
    watchGraph,
    watchPlan,
    watchConflicts,
    watchLandings,
  ];
  const faults: Fault[] = [];
  let before: RunState | null = null;
  for (const event of journal) {
    let after: RunState;
    try {
      after = evolve(before, event);
    } catch (error) {
      // What comes after an event that does not fold says nothing any more.
      const reason = error instanceof Error ? error.message : String(error);
      const id: InvariantId = event.agent === "lead" ? "I4" : "I7";
      return [...faults, { id, sentence: `Event ${event.n}: ${event.type} does not follow (${reason})` }];
    }
    const step = { before, event, after, roles };
    faults.push(...watchers.flatMap((watch) => watch(step)));
    before = after;
  }
  return faults;
}
