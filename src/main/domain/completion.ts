// When a step of the plan is done: completed work shows it, and what was said of its criteria holds and does not contradict
// it. Nothing is counted: a failed verdict stands in the way however many passed.

import type { SubagentId } from "../../shared/contract/ids.ts";
import { conflictOn, questionAbout, settledVerdict, sideSentences } from "./verdictConflicts.ts";
import type { NodeState, RunState } from "./state.ts";
import { type GivenVerdict, lineTree, verdictsOf } from "./verdicts.ts";

/** Why a step is not done, for the lead. Codes `NO_EVIDENCE`, `STEP_BLOCKED`. */
export interface Obstacle {
  readonly code: string;
  readonly message: string;
}

/** The subagents whose completed work shows that a step is done: what landed of it still stands. */
export function evidenceFor({ nodes, landings }: RunState, step: string): readonly SubagentId[] {
  const isTakenBack = ({ changeSet }: NodeState) =>
    changeSet !== null && landings.some(({ changeset, status }) => changeset === changeSet && status === "undone");
  return nodes
    .filter((node) => node.packet.step === step && node.end === "completed" && !isTakenBack(node))
    .map(({ id }) => id);
}

/** What stands in the way of a step that the lead says is done; `null`: nothing. A step that is done already stays so while nothing speaks against it. */
export function obstacleToDone(state: RunState, step: string): Obstacle | null {
  const conflict = conflictOn(state, step);
  if (conflict !== undefined) {
    const asked = questionAbout(state, conflict);
    const who = asked?.status === "open" ? `a person has decided ${asked.id}` : "the tree is another";
    return {
      code: "STEP_BLOCKED",
      message: `${step} is blocked: on ${JSON.stringify(conflict.criterion)}, for one tree, ${sideSentences(conflict).join(" and ")}. Neither wins; leave the step as running until ${who}, and go on with other work.`,
    };
  }
  if (evidenceFor(state, step).length === 0)
    return noEvidence(
      `Nothing shows that ${step} is done: no subagent with step ${JSON.stringify(step)} has completed, or what it made was taken back.`,
    );
  const wasDone = state.plan.some(({ id, status }) => id === step && status === "done");
  const byCriterion = new Map<string, readonly GivenVerdict[]>();
  for (const one of verdictsOf(state).filter((verdict) => verdict.step === step)) {
    const name = one.criterion.toLowerCase();
    byCriterion.set(name, [...(byCriterion.get(name) ?? []), one]);
  }
  for (const verdicts of byCriterion.values()) {
    const obstacle = obstacleIn(state, step, verdicts, wasDone);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

/** Of the verdicts on one criterion: those on the tree that the line stands at decide, else those on whatever has landed must agree. */
function obstacleIn(
  state: RunState,
  step: string,
  verdicts: readonly GivenVerdict[],
  wasDone: boolean,
): Obstacle | null {
  const holding = verdicts.filter(({ standing }) => standing !== "void");
  const onLine = holding.filter(({ tree }) => tree === lineTree(state));
  const deciding = onLine.length > 0 ? onLine : holding;
  const found = deciding.map((one) => ({ ...one, verdict: settledVerdict(state, one) ?? one.verdict }));
  const criterion = JSON.stringify(verdicts[0]?.criterion ?? "");
  const failed = found.find(({ verdict }) => verdict === "failed");
  if (failed !== undefined && found.some(({ verdict }) => verdict === "passed"))
    return noEvidence(
      `The verdicts on ${criterion} of ${step} are on different trees (${found.map(({ id, verdict, tree }) => `${id}: ${verdict} on ${tree.slice(0, 10)}`).join(", ")}), which says nothing of them together. Have it verified again on the run's line.`,
    );
  if (failed !== undefined)
    return noEvidence(`${criterion} of ${step} has failed, as ${failed.id} found. Mend it and have it verified again.`);
  return found.length > 0 || wasDone
    ? null
    : noEvidence(
        `What ${verdicts.map(({ id }) => id).join(" and ")} said of ${criterion} of ${step} is void: its tree was edited or taken back since. Have it verified again.`,
      );
}

function noEvidence(message: string): Obstacle {
  return { code: "NO_EVIDENCE", message };
}
