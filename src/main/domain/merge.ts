// The fixed order in which outcomes are merged: by plan step, role, ordinal, id, never by completion time.
// Compared by code unit, so that no locale has a say.

/** What the order looks at. A node without a step comes after those that have one. */
export interface Outcome {
  readonly step: string | null;
  readonly role: string;
  readonly ordinal: number;
  readonly id: string;
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

function compareSteps(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return compareText(left, right);
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
