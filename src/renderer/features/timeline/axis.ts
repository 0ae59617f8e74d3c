// The ticks of the time axis: at round moments, as many as there is room for, none inside a fold. Pure.

import type { TimeScale } from "./scale.ts";

export interface AxisTick {
  readonly at: number;
  readonly x: number;
  /** Empty for a line without a word. */
  readonly label: string;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * hour),
];
/** From one word to the next, in px: `14:02`, and `14:02:31`. */
const shortRoom = 42;
const longRoom = 64;
const mostTicks = 400;

/** Step between labelled ticks, in ms. */
export function stepFor(pxPerMs: number): number {
  return (
    steps.find((step) => step * pxPerMs >= roomFor(step)) ?? Math.ceil(shortRoom / pxPerMs / (24 * hour)) * 24 * hour
  );
}

function roomFor(step: number): number {
  return step < minute ? longRoom : shortRoom;
}

/**
 * Ticks from `left` to `right`, in px. `offsetMs` is local time less UTC, so that hours are round where the person is;
 * `format` writes a moment as `14:02:31`.
 */
export function axisTicks(
  scale: TimeScale,
  left: number,
  right: number,
  offsetMs: number,
  format: (at: number) => string,
): readonly AxisTick[] {
  const step = stepFor(scale.pxPerMs);
  const half = step / 2;
  const ticks: AxisTick[] = [];
  let lastWord = -Infinity;
  for (const { from, until, x: stretchX, rate } of scale.stretches) {
    if (rate !== scale.pxPerMs || stretchX > right || stretchX + (until - from) * rate < left) continue;
    // Far in, a stretch has many ticks that nobody sees: begin with the first that is seen.
    const begin = Math.max(from, from + (left - stretchX) / rate - step);
    for (let at = Math.ceil((begin + offsetMs) / half) * half - offsetMs; at <= until; at += half) {
      const x = stretchX + (at - from) * rate;
      if (x > right || ticks.length >= mostTicks) break;
      const isWord = (at + offsetMs) % step === 0 && x - lastWord >= roomFor(step) && !isNearFold(scale, x);
      if (isWord) lastWord = x;
      const word = format(at);
      ticks.push({ at, x, label: isWord ? (step < minute ? word : word.slice(0, 5)) : "" });
    }
  }
  return ticks;
}

/** A fold says how much it hides, in the same line. */
function isNearFold({ folds }: TimeScale, x: number): boolean {
  return folds.some((fold) => fold.width >= 12 && Math.abs(fold.x + fold.width / 2 - x) < 46);
}
