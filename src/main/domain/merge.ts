// How outcomes are merged: in a fixed order by plan step, role, ordinal, id, never by completion time, and without a vote:
// verdicts that contradict each other are put beside each other. Compared by code unit, so that no locale has a say.

/** What the order looks at. A node without a step comes after those that have one. */
export interface Outcome {
  readonly step: string | null;
  readonly role: string;
  readonly ordinal: number;
  readonly id: string;
}

/** An outcome that says of one criterion whether one tree meets it. */
export interface JudgedOutcome extends Outcome {
  readonly criterion: string;
  readonly tree: string;
  readonly verdict: "passed" | "failed";
}

export function compareOutcomes(left: Outcome, right: Outcome): number {
  return (
    compareSteps(left.step, right.step) ||
    compareText(left.role, right.role) ||
    left.ordinal - right.ordinal ||
    compareText(left.id, right.id)
  );
}

/** The outcomes in merging order; the input stays as it is. Equal for every permutation of it. */
export function inMergingOrder<T extends Outcome>(outcomes: readonly T[]): readonly T[] {
  return outcomes.toSorted(compareOutcomes);
}

/** Groups of verdicts that contradict each other: on one criterion, for the same tree, from different sources. Each group, and the groups by criterion and tree, in one order for every permutation of the input. What different trees have been found to be is never compared. */
export function oppositesAmong<T extends JudgedOutcome>(verdicts: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<string, readonly T[]>();
  for (const one of verdicts) groups.set(conflictKey(one), [...(groups.get(conflictKey(one)) ?? []), one]);
  return (
    [...groups]
      .filter(([, group]) => group.some((one) => group.some((other) => isOpposite(one, other))))
      .toSorted(([left], [right]) => compareText(left, right))
      // One source may have judged the criterion under two spellings: the order above leaves those as they come.
      .map(([, group]) => inMergingOrder(group.toSorted((left, right) => compareText(left.criterion, right.criterion))))
  );
}

/** Names a criterion as applied to a tree, however the criterion is capitalised. */
export function conflictKey({ criterion, tree }: Pick<JudgedOutcome, "criterion" | "tree">): string {
  return `${criterion.toLowerCase()}\n${tree}`;
}

function isOpposite(left: JudgedOutcome, right: JudgedOutcome): boolean {
  return left.id !== right.id && left.verdict !== right.verdict;
}

function compareSteps(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return compareText(left, right);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
