// What of the timeline is seen: all of it, or a piece of it at a fixed scale. Pure.

import type { Span } from "./folds.ts";
import { createScale, fitScale, timeOf, xOf } from "./scale.ts";
import type { TimeScale } from "./scale.ts";

/** `pxPerMs: null` shows everything and grows with it; otherwise `offset` px of the scale lie to the left. */
export interface TimeView {
  readonly pxPerMs: number | null;
  readonly offset: number;
}

export const wholeView: TimeView = { pxPerMs: null, offset: 0 };

/** Closest: a second is this wide. */
const mostPxPerMs = 0.4;

export interface Seen {
  readonly scale: TimeScale;
  readonly offset: number;
}

/** The scale that `view` asks for in `room` px. A view that would show less than the room is the whole. */
export function seen(view: TimeView, extent: Span, folds: readonly Span[], room: number): Seen {
  const whole = fitScale(extent, folds, room);
  if (view.pxPerMs === null || view.pxPerMs <= whole.pxPerMs) return { scale: whole, offset: 0 };
  const scale = createScale(extent, folds, view.pxPerMs);
  return { scale, offset: Math.max(0, Math.min(view.offset, scale.width - room)) };
}

/** Zooms by `factor`; the moment at `x` px from the left of the picture stays there. Down to the whole, and no closer than can be read. */
export function zoomAt(now: Seen, extent: Span, folds: readonly Span[], room: number, factor: number, x: number): TimeView {
  const pxPerMs = Math.min(mostPxPerMs, now.scale.pxPerMs * factor);
  if (pxPerMs <= fitScale(extent, folds, room).pxPerMs) return wholeView;
  const at = timeOf(now.scale, now.offset + x);
  return { pxPerMs, offset: xOf(createScale(extent, folds, pxPerMs), at) - x };
}

export function panBy(now: Seen, view: TimeView, room: number, dx: number): TimeView {
  if (view.pxPerMs === null) return view;
  return { ...view, offset: Math.max(0, Math.min(now.offset + dx, now.scale.width - room)) };
}

/** Pans as little as it takes to see the moment `at`. */
export function panTo(now: Seen, view: TimeView, room: number, at: number): TimeView {
  const x = xOf(now.scale, at) - now.offset;
  const margin = Math.min(60, room / 4);
  if (x < margin) return panBy(now, view, room, x - margin);
  return x > room - margin ? panBy(now, view, room, x - room + margin) : view;
}
