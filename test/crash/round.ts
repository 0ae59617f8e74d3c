// What a part of the rig is and what it reports. A part never throws for a finding: findings are its faults.

import type { Desk } from "../support/commandLine.ts";
import type { SeamBuild } from "./seamBuild.ts";

/** How much is done, and by which chance. */
export interface Extent {
  readonly seed: number;
  /** Stops beginning new rounds at this moment, ms of `performance.now()`. */
  readonly until: number;
  readonly isShort: boolean;
  /** It has at least the time that the full form takes by itself, and so has to come to what that promises. */
  readonly isFull: boolean;
  /** How many rounds go side by side. */
  readonly width: number;
}

/** What the rounds of a part act on. */
export interface Bench extends Extent {
  readonly build: SeamBuild;
  openDesk(): Promise<Desk>;
}

export interface Part {
  readonly name: string;
  /** Rows of the fault matrix that this covers. */
  readonly rows: readonly string[];
  /** It mostly waits: it goes beside the others. */
  readonly isPatient?: true;
  run(bench: Bench): Promise<Report>;
}

export interface Report {
  /** Rounds that were done. */
  readonly rounds: number;
  /** In words, for the table. */
  readonly figures: string;
  readonly faults: readonly string[];
}

/** Numbers from a seed, the same on every machine: 0 to below 1. */
export function chanceOf(seed: number): () => number {
  let state = (seed ^ 0x9e37_79b9) >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** However short its time is, each part does one round, and in the full form so many for each one that goes side by side. */
const leastTurns = 2;

/** Carries out `acts` in order, `width` side by side, until they or the time are used up; past the time for as long as `isOwed` says that something is still to be reached. Answers with the faults and how many were done. */
export async function inTurn(
  { width, until, isShort }: Extent,
  acts: readonly (() => Promise<readonly string[]>)[],
  isOwed: () => boolean = () => false,
): Promise<{ readonly done: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const least = isShort ? 1 : leastTurns * width;
  let next = 0;
  let done = 0;
  const isDue = () => performance.now() < until || next < least || isOwed();
  const work = async (): Promise<void> => {
    for (let act = acts[next]; act !== undefined && isDue(); act = acts[next]) {
      next += 1;
      faults.push(...(await act().catch((error: unknown) => [String(error)])));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return { done, faults };
}
