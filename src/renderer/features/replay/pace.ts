// How fast things happened along a journal: for each piece of the track a height between 0 and 1. Pure.

import type { Moment } from "../../../shared/contract/pages.ts";

/** What is shorter counts as this long, in ms: events of one instant are one happening. */
const shortestMs = 40;
/** A piece during which as many events came in a second is as high as can be; a tenth of it is halfway down. */
const fastestPerSecond = 40;

/** Heights of `pieces` pieces of a journal of `total` events, from its first to its last. Logarithmic: agents think for minutes and read files in milliseconds. */
export function paceOf(moments: readonly Moment[], total: number, pieces: number): readonly number[] {
  const counts = new Float64Array(pieces);
  const lasts = new Float64Array(pieces);
  let before = moments[0]?.at ?? 0;
  for (const { n, at, count } of moments) {
    const piece = Math.min(pieces - 1, Math.floor(((n - 1) / Math.max(1, total)) * pieces));
    counts[piece] = (counts[piece] ?? 0) + count;
    lasts[piece] = (lasts[piece] ?? 0) + Math.max(shortestMs, at - before);
    before = at;
  }
  return Array.from(counts, (count, piece) => heightOf((count / Math.max(shortestMs, lasts[piece] ?? 0)) * 1_000));
}

function heightOf(perSecond: number): number {
  if (perSecond === 0) return 0;
  return Math.min(1, Math.max(0.08, 1 + Math.log10(perSecond / fastestPerSecond) / 3));
}
