// Chance for tests that fast-check replays and shrinks: all of it comes from a list of numbers.

/** A whole number from 0 to `below` - 1. */
export type Pick = (below: number) => number;

/** Reads numbers one after the other, and 0 for ever once they are used up: the first choice is always the tamest. */
export function pickFrom(numbers: readonly number[]): Pick {
  let next = 0;
  return (below) => (numbers[next++] ?? 0) % below;
}

/** One of the choices. */
export function oneOf<T>(pick: Pick, choices: readonly [T, ...T[]]): T {
  return choices[pick(choices.length)] ?? choices[0];
}
