// What may land, and as what: nothing in conflict before a person has decided again, each change set once, and the very
// commit that was recorded. And a step of the plan is done only where something shows it.

import { conflictOn } from "../verdictConflicts.ts";
import type { PlanStep } from "../records.ts";
import { findChangeSet, findNode, type LandingState, type RunState } from "../state.ts";
import { faultAt, none, type Watcher } from "./fault.ts";

/** I13 */
export const watchPlan: Watcher = ({ before, event }) => {
  if (event.type !== "plan.updated" || before === null) return none;
  return event.data.steps.flatMap((step) =>
    step.status === "done" && !isShown(before, step)
      ? faultAt("I13", event, `step ${step.id} is done, and no completed work shows it`)
      : none,
  );
};

function isShown(state: RunState, { id, evidence = [] }: PlanStep): boolean {
  const nodes = evidence.map((agent) => findNode(state, agent));
  return nodes.length > 0 && nodes.every((node) => node?.end === "completed" && node.packet.step === id);
}

/** I14 */
export const watchConflicts: Watcher = ({ before, event }) => {
  if (event.type === "plan.updated" && before !== null)
    return event.data.steps.flatMap(({ id, status }) => {
      const conflict = status === "done" ? conflictOn(before, id) : undefined;
      return conflict === undefined
        ? none
        : faultAt("I14", event, `step ${id} is done while the verdicts on ${conflict.criterion} are opposite`);
    });
  if (event.type !== "changeset.landing" || before === null || event.data.undoes !== undefined) return none;
  const set = findChangeSet(before, event.data.changeset);
  return set === undefined || set.conflicts.length === 0
    ? none
    : faultAt("I14", event, `${set.id} lands while it conflicts in ${set.conflicts.join(", ")}`);
};

/** I15 */
export const watchLandings: Watcher = ({ before, event }) => {
  if (event.type !== "changeset.landed" || before === null) return none;
  const { landing: id, changeset, commit } = event.data;
  const begun = before.landings.find((landing) => landing.id === id);
  if (begun !== undefined && begun.new !== commit)
    return faultAt("I15", event, `${id} landed as ${commit}, not as ${begun.new}`);
  const twin = standingOf(before, changeset, id);
  return twin === undefined ? none : faultAt("I15", event, `${changeset} has landed before, as ${twin.id}`);
};

/** Another landing of the same change set that was not taken back. */
function standingOf(state: RunState, changeset: string, id: string): LandingState | undefined {
  return state.landings.find(
    (landing) =>
      landing.changeset === changeset && landing.id !== id && landing.undoes === null && landing.status === "landed",
  );
}
