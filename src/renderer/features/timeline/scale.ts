// Time to pixels and back, with idle time folded to a fixed width. Pure.

import type { Span } from "./folds.ts";

export interface TimeScale {
  readonly extent: Span;
  /** Folds with where they lie, in px. */
  readonly folds: readonly Fold[];
  /** Outside folds. */
  readonly pxPerMs: number;
  /** Of the whole extent, in px. */
  readonly width: number;
  /** Stretches in order, of which each is linear. */
  readonly stretches: readonly Stretch[];
}

export interface Fold extends Span {
  readonly x: number;
  readonly width: number;
}

/** At `x + (time - from) * rate`, until the next one. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly x: number;
  readonly rate: number;
}

/** Left of the first moment and right of the last, in px. */
export const padding = { left: 10, right: 12 };
/** The widest a fold is drawn. */
const foldWidth = 28;

/** A scale on which `extent` fills `room` px. */
export function fitScale(extent: Span, folds: readonly Span[], room: number): TimeScale {
  const wide = Math.min(foldWidth, folds.length === 0 ? foldWidth : (room * 0.3) / folds.length);
  const folded = folds.reduce((sum, { from, until }) => sum + until - from, 0);
  const lastsMs = Math.max(1, extent.until - extent.from - folded);
  const free = Math.max(1, room - padding.left - padding.right - wide * folds.length);
  return createScale(extent, folds, free / lastsMs, wide);
}

/** A scale of `pxPerMs`. `folds` are in order and inside `extent`. */
export function createScale(extent: Span, folds: readonly Span[], pxPerMs: number, wide = foldWidth): TimeScale {
  const stretches: Stretch[] = [];
  const placed: Fold[] = [];
  let x = padding.left;
  let from = extent.from;
  for (const fold of folds) {
    stretches.push({ from, until: fold.from, x, rate: pxPerMs });
    x += (fold.from - from) * pxPerMs;
    stretches.push({ from: fold.from, until: fold.until, x, rate: wide / (fold.until - fold.from) });
    placed.push({ ...fold, x, width: wide });
    x += wide;
    from = fold.until;
  }
  stretches.push({ from, until: extent.until, x, rate: pxPerMs });
  const width = x + (extent.until - from) * pxPerMs + padding.right;
  return { extent, folds: placed, pxPerMs, width, stretches };
}

/** Where a moment lies; before and after the extent the outermost rates go on. */
export function xOf(scale: TimeScale, time: number): number {
  const stretch = scale.stretches[stretchAt(scale.stretches, time, "from")];
  return stretch === undefined ? padding.left : stretch.x + (time - stretch.from) * stretch.rate;
}

/** The moment at `x`, kept inside the extent. */
export function timeOf(scale: TimeScale, x: number): number {
  const stretch = scale.stretches[stretchAt(scale.stretches, x, "x")];
  if (stretch === undefined) return scale.extent.from;
  const time = stretch.rate === 0 ? stretch.from : stretch.from + (x - stretch.x) / stretch.rate;
  return Math.max(scale.extent.from, Math.min(scale.extent.until, time));
}

/** The last stretch that begins at or before `value`. */
export function stretchAt(stretches: readonly Stretch[], value: number, by: "from" | "x"): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((stretches[middle]?.[by] ?? Infinity) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
