// Idle time that the timeline folds: spans in which no agent was at work. Pure.

import type { TimelineItem } from "../../../shared/contract/snapshots.ts";

/** Epoch ms. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Longer gaps are folded. */
export const longestIdleMs = 45_000;
/** What of a gap stays at either end, so that one sees what it came after and what ended it. */
const shownMs = 8_000;

const working: ReadonlySet<TimelineItem["kind"]> = new Set(["turn", "tool", "verification", "landing"]);

/** The folds of `extent`, in order, none touching another. What goes on still lasts to the end of `extent`. */
export function findFolds(items: readonly TimelineItem[], extent: Span): readonly Span[] {
  const busy = items
    .filter(({ kind }) => working.has(kind))
    .map(({ at, until }): Span => ({ from: at, until: until ?? extent.until }))
    .toSorted((a, b) => a.from - b.from);
  const folds: Span[] = [];
  let idleSince = extent.from;
  const close = (at: number): void => {
    if (at - idleSince > longestIdleMs) folds.push({ from: idleSince + shownMs, until: at - shownMs });
  };
  for (const { from, until } of busy) {
    if (from >= extent.until) break;
    close(from);
    idleSince = Math.max(idleSince, until);
  }
  close(extent.until);
  return folds;
}
