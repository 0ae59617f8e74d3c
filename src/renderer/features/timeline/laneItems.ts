// All items of a lane in one order, as the keyboard walks them and the list says them. Pure.

import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import type { Lane } from "./lanes.ts";

const cache = new WeakMap<Lane, readonly TimelineItem[]>();

/** By their beginnings; the same list for the same lane. */
export function laneItems(lane: Lane): readonly TimelineItem[] {
  const known = cache.get(lane);
  if (known !== undefined) return known;
  const { turns, calls, failedCalls, queued, asks, checks, marks } = lane;
  const bars = [turns, calls, failedCalls, queued, asks, checks].flatMap(({ items }) => items);
  const moments = marks.map(({ item }) => item).filter(({ kind }) => kind === "mark" || kind === "landing");
  const items = [...bars, ...moments].toSorted((a, b) => a.at - b.at || a.n - b.n);
  cache.set(lane, items);
  return items;
}
