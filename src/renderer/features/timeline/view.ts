// What of the timeline is seen: all of it, or a piece of it at a fixed scale. Pure.

import type { Span } from "./folds.ts";
import { createScale, fitScale, timeOf, xOf } from "./scale.ts";
import type { TimeScale } from "./scale.ts";

/** `pxPerMs: null` shows everything and grows with it; otherwise `offset` px of the scale lie to the left. */
export interface TimeView {
  readonly pxPerMs: number | null;
  readonly offset: number;
}

/** What there is to see, and how many px there are for it. */
export interface TimeRoom {
  readonly extent: Span;
  readonly folds: readonly Span[];
  readonly width: number;
}

export interface Seen {
  readonly scale: TimeScale;
  /** Px of the scale to the left of the picture. */
  readonly offset: number;
}

export const wholeView: TimeView = { pxPerMs: null, offset: 0 };

/** Closest: a second is 400 px wide. */
const mostPxPerMs = 0.4;

/** The scale that `view` asks for. A view that would show less than the room is the whole. */
export function seenIn({ pxPerMs, offset }: TimeView, { extent, folds, width }: TimeRoom): Seen {
  const whole = fitScale(extent, folds, width);
  if (pxPerMs === null || pxPerMs <= whole.pxPerMs) return { scale: whole, offset: 0 };
  const scale = createScale(extent, folds, pxPerMs);
  return { scale, offset: Math.max(0, Math.min(offset, scale.width - width)) };
}

/** Zooms by `factor`; the moment at `x` px from the left of the picture stays there. Down to the whole, and no closer than can be read. */
export function zoomAt(view: TimeView, room: TimeRoom, factor: number, x: number): TimeView {
  const { scale, offset } = seenIn(view, room);
  const pxPerMs = Math.min(mostPxPerMs, scale.pxPerMs * factor);
  if (pxPerMs <= fitScale(room.extent, room.folds, room.width).pxPerMs) return wholeView;
  const at = timeOf(scale, offset + x);
  return { pxPerMs, offset: xOf(createScale(room.extent, room.folds, pxPerMs), at) - x };
}

/** Moves `dx` px towards the end, as far as there is something to see. */
export function panBy(view: TimeView, room: TimeRoom, dx: number): TimeView {
  if (view.pxPerMs === null) return view;
  const { scale, offset } = seenIn(view, room);
  return { ...view, offset: Math.max(0, Math.min(offset + dx, scale.width - room.width)) };
}

/** Pans as little as it takes to see the moment `at`. */
export function panTo(view: TimeView, room: TimeRoom, at: number): TimeView {
  const { scale, offset } = seenIn(view, room);
  const x = xOf(scale, at) - offset;
  const margin = Math.min(60, room.width / 4);
  if (x < margin) return panBy(view, room, x - margin);
  return x > room.width - margin ? panBy(view, room, x - room.width + margin) : view;
}
