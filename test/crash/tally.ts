// What all rounds together have compared, and how much of it was not as it has to be: counted, so that none of it is only claimed.

export interface Comparison {
  readonly what: string;
  readonly count: number;
  readonly faultCount: number;
}

const comparisons = new Map<string, Comparison>();

/** Counts `count` things that were compared; answers with the faults that were found among them. */
export function compared(what: string, count: number, faults: readonly string[]): readonly string[] {
  const before = comparisons.get(what) ?? { count: 0, faultCount: 0 };
  comparisons.set(what, { what, count: before.count + count, faultCount: before.faultCount + faults.length });
  return faults;
}

/** In the order in which each was first compared. */
export function allCompared(): readonly Comparison[] {
  return [...comparisons.values()];
}
