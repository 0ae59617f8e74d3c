// Opposite verdicts, and what has become of them: which are new, which are still open, and what a person has made of one.
// Nothing is counted and none wins for being later: only a person, or another tree, settles it.

import type { SubagentId } from "../../shared/contract/ids.ts";
import { conflictKey, oppositesAmong } from "./merge.ts";
import type { VerdictConflict, VerdictSide } from "./records.ts";
import { type ApprovalState, type ConflictState, findNode, type RunState } from "./state.ts";
import { type GivenVerdict, verdictsOf } from "./verdicts.ts";

/** What a person may answer beside the name of a subagent: the side that lets the work stand, and the one that objects. */
export const sideWords = { mine: "passed", theirs: "failed" } as const;

/** Opposite verdicts on trees that stand now, which no person has settled and no event has told yet. */
export function newConflicts(state: RunState): readonly VerdictConflict[] {
  const told = new Set(state.conflicts.map(conflictKey));
  return opposites(state).filter((conflict) => !told.has(conflictKey(conflict)));
}

/** Conflicts that were told and still stand: their tree does, and no person has settled them. */
export function openConflicts(state: RunState): readonly ConflictState[] {
  if (state.conflicts.length === 0) return [];
  const standing = new Set(opposites(state).map(conflictKey));
  return state.conflicts.filter((conflict) => standing.has(conflictKey(conflict)));
}

/** The open conflict that blocks a step of the plan. */
export function conflictOn(state: RunState, step: string): ConflictState | undefined {
  return openConflicts(state).find(({ steps }) => steps.includes(step));
}

/** The newest question about a conflict, whatever has become of it. */
export function questionAbout(state: RunState, conflict: VerdictConflict): ApprovalState | undefined {
  const key = conflictKey(conflict);
  return state.approvals.findLast((one) => one.conflict !== null && conflictKey(one.conflict) === key);
}

/** What a person has said of a criterion for a tree; `null`: nothing. */
export function settledVerdict(
  state: RunState,
  about: Pick<VerdictConflict, "criterion" | "tree">,
): VerdictSide["verdict"] | null {
  const key = conflictKey(about);
  const decided = state.approvals.find(
    ({ conflict, decision }) => decision === "answered" && conflict !== null && conflictKey(conflict) === key,
  );
  return decided?.conflict == null ? null : chosenVerdict(decided.conflict, decided.comment ?? "");
}

/** The verdict that an answer stands for: `mine`, `theirs`, or that of the subagent it names; `null`: none. */
export function chosenVerdict({ sides }: VerdictConflict, answer: string): VerdictSide["verdict"] | null {
  if (answer === "mine" || answer === "theirs") return sideWords[answer];
  return sides.find(({ by }) => by === answer)?.verdict ?? null;
}

/** `subagent-2 (reviewer) says passed`, one for each side. */
export function sideSentences({ sides }: VerdictConflict): readonly string[] {
  return sides.map(({ by, role, verdict }) => `${by} (${role}) says ${verdict}`);
}

/** Who says the opposite of what a subagent has said in these conflicts. */
export function contradictorsIn(conflicts: readonly VerdictConflict[], id: SubagentId): readonly SubagentId[] {
  const opposing = conflicts.flatMap(({ sides }) => {
    const own = sides.find(({ by }) => by === id);
    return own === undefined ? [] : sides.filter(({ verdict }) => verdict !== own.verdict).map(({ by }) => by);
  });
  return [...new Set(opposing)];
}

/** Why a question about opposite verdicts is none any more, though no person has settled them. */
export function whyMoot(state: RunState, { conflict }: Pick<ApprovalState, "conflict">): string {
  const ended = (conflict?.sides ?? [])
    .map(({ by }) => findNode(state, by))
    .find((node) => node?.status === "failed" || node?.status === "cancelled");
  if (ended !== undefined)
    return `${ended.id} ${ended.status === "failed" ? "has failed" : "was cancelled"}, so its verdict does not count any more.`;
  const key = conflict === null ? null : conflictKey(conflict);
  return verdictsOf(state).some((one) => conflictKey(one) === key && one.standing === "landed")
    ? "What it is about has landed as part of another tree, and that one is to be verified."
    : "The tree that it is about was edited or taken back since, so it is to be verified again.";
}

function opposites(state: RunState): readonly VerdictConflict[] {
  const standing = verdictsOf(state).filter((one) => one.standing === "present");
  return oppositesAmong(standing)
    .map(conflictOf)
    .filter((conflict) => settledVerdict(state, conflict) === null);
}

function conflictOf(sides: readonly GivenVerdict[]): VerdictConflict {
  const [first] = sides;
  if (first === undefined) throw new Error("A conflict has at least two sides");
  return {
    criterion: first.criterion,
    tree: first.tree,
    steps: [...new Set(sides.flatMap(({ step }) => step ?? []))],
    sides: sides.map(({ id: by, role, event, verdict, evidence, changeset }) => ({
      by,
      role,
      event,
      verdict,
      evidence,
      ...(changeset === null ? {} : { changeset }),
    })),
  };
}
