// What may land, and as what: nothing in conflict before a person has decided again, each change set once, and the very
// commit that was recorded. And a step of the plan is done only where something shows it.

import { findChangeSet, type LandingState, type RunState } from "../state.ts";
import { faultAt, none, type Watcher } from "./fault.ts";

/** I13 */
export const watchPlan: Watcher = ({ event }) => {
  if (event.type !== "plan.updated") return none;
  return event.data.steps.flatMap((step, index) =>
    step.status === "done" && (step.evidence ?? []).length === 0
      ? faultAt("I13", event, `step ${index + 1} is done without evidence`)
      : none,
  );
};

/** I14 */
export const watchConflicts: Watcher = ({ before, event }) => {
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
