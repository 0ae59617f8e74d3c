// Where a replay stands among the moments of a run, and where a key, a pointer or the clock leads from there. Pure.

import type { Moment } from "../../../shared/contract/pages.ts";

/** Playback never waits longer than this between two moments, in ms: idle time is no film. */
export const longestPauseMs = 1_000;
/** Moments closer than this are shown as one, in ms: a screen shows no more. */
const shortestPauseMs = 30;

export const speeds = [0.5, 1, 2, 4, 8, 16, 32] as const;

/** Index of the moment that shows ordinal `n`: the first at or past it; `-1` where there are none. */
export function momentAt(moments: readonly Moment[], n: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.n ?? 0) < n) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, moments.length - 1);
}

/** Ordinal of the last moment that had come by `at`, epoch ms; the first one's before that. */
export function ordinalAt(moments: readonly Moment[], at: number): number {
  const found = moments.findLast((moment) => moment.at <= at) ?? moments[0];
  return found?.n ?? 1;
}

/** The ordinal `by` moments from `n` on, kept within the journal. */
export function stepFrom(moments: readonly Moment[], n: number, by: 1 | -1): number {
  const index = momentAt(moments, n) + by;
  return moments[Math.min(Math.max(index, 0), moments.length - 1)]?.n ?? n;
}

/** The next mark in a direction; where there is none, the end of the journal on that side. */
export function markFrom(moments: readonly Moment[], n: number, by: 1 | -1): number {
  const isMark = ({ kind }: Moment) => kind !== "event";
  const found =
    by === 1
      ? moments.find((moment) => moment.n > n && isMark(moment))
      : moments.findLast((moment) => moment.n < n && isMark(moment));
  return (found ?? moments.at(by === 1 ? -1 : 0))?.n ?? n;
}

/** What playback shows after `n`, and after how long; `null` at the end. */
export function nextFrame(
  moments: readonly Moment[],
  n: number,
  speed: number,
): { readonly n: number; readonly afterMs: number } | null {
  const from = momentAt(moments, n);
  let afterMs = 0;
  for (let index = from + 1; index < moments.length; index += 1) {
    const [before, next] = [moments[index - 1], moments[index]];
    if (before === undefined || next === undefined) return null;
    afterMs += Math.min((next.at - before.at) / speed, longestPauseMs);
    if (afterMs >= shortestPauseMs || index === moments.length - 1) return { n: next.n, afterMs };
  }
  return null;
}

/** Part of the way through a journal of `total` events, 0 to 1. */
export function shareOf(n: number, total: number): number {
  return total <= 1 ? 1 : Math.min(1, Math.max(0, (n - 1) / (total - 1)));
}

/** The ordinal at a share of the way. */
export function ordinalOfShare(share: number, total: number): number {
  return Math.round(1 + Math.min(1, Math.max(0, share)) * Math.max(0, total - 1));
}
