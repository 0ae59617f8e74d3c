// What lies under the pointer: the lane, and of what was done there the nearest that can be meant. Pure.

import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import { barsWithin } from "./lanes.ts";
import type { Bars, Lane } from "./lanes.ts";
import { timeOf, xOf } from "./scale.ts";
import type { TimeScale } from "./scale.ts";
import { firstAtOrAfter } from "./search.ts";

/** Where rows lie, in px from the top of the picture; the lead's row does not scroll. */
export interface Rows {
  readonly axisHeight: number;
  readonly leadHeight: number;
  readonly laneHeight: number;
  readonly scrollTop: number;
}

export interface Hit {
  /** `null` on the axis and below the last lane. */
  readonly lane: Lane | null;
  readonly item: TimelineItem | null;
  /** Epoch ms. */
  readonly at: number;
}

/** Half a diamond, and how far beside a tick it is still meant, in px. */
const markReach = 7;
const tickReach = 3;

/** `x` counts from the beginning of the scale, `y` from the top of the picture. */
export function hitTest(lanes: readonly Lane[], scale: TimeScale, rows: Rows, x: number, y: number): Hit {
  const at = timeOf(scale, x);
  const lane = laneAt(lanes, rows, y);
  return { lane, item: lane === null ? null : findItem(lane, scale, x, at), at };
}

function laneAt(
  lanes: readonly Lane[],
  { axisHeight, leadHeight, laneHeight, scrollTop }: Rows,
  y: number,
): Lane | null {
  if (y < axisHeight) return null;
  if (y < axisHeight + leadHeight) return lanes[0] ?? null;
  return lanes[1 + Math.floor((y - axisHeight - leadHeight + scrollTop) / laneHeight)] ?? null;
}

/** The middle of lane `index`, in px from the top. */
export function laneY({ axisHeight, leadHeight, laneHeight, scrollTop }: Rows, index: number): number {
  if (index === 0) return axisHeight + leadHeight / 2;
  return axisHeight + leadHeight + (index - 0.5) * laneHeight - scrollTop;
}

function findItem(lane: Lane, scale: TimeScale, x: number, at: number): TimelineItem | null {
  const mark = lane.marks.find((each) => Math.abs(xOf(scale, each.at) - x) <= markReach);
  if (mark !== undefined) return mark.item;
  const tick = nearest([lane.failedCalls, lane.calls], scale, x);
  return (
    tick ??
    [lane.checks, lane.asks, lane.queued, lane.turns].reduce<TimelineItem | null>(
      (found, bars) => found ?? barAt(bars, at),
      null,
    )
  );
}

function nearest(kinds: readonly Bars[], scale: TimeScale, x: number): TimelineItem | null {
  let best: TimelineItem | null = null;
  let bestDistance = tickReach;
  for (const { starts, items } of kinds) {
    const from = timeOf(scale, x - tickReach);
    const until = timeOf(scale, x + tickReach);
    for (
      let index = firstAtOrAfter(starts, from);
      index < items.length && (starts[index] ?? Infinity) <= until;
      index += 1
    ) {
      const distance = Math.abs(xOf(scale, starts[index] ?? 0) - x);
      if (distance < bestDistance) [best, bestDistance] = [items[index] ?? null, distance];
    }
  }
  return best;
}

function barAt(bars: Bars, at: number): TimelineItem | null {
  const [from, until] = barsWithin(bars, at, at);
  for (let index = until - 1; index >= from; index -= 1)
    if ((bars.ends[index] ?? -Infinity) >= at) return bars.items[index] ?? null;
  return null;
}
