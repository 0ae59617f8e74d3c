// Many bars or ticks as the few rectangles that can be told apart: at most one for each pixel column. Pure.

import { barsWithin } from "./lanes.ts";
import type { Bars } from "./lanes.ts";
import { stretchAt } from "./scale.ts";
import type { TimeScale } from "./scale.ts";
import { firstAtOrAfter } from "./search.ts";

/** Called with px from the beginning of the scale. */
export type Emit = (left: number, right: number, index: number) => void;

/** Bars narrower than this run together with what they touch. */
const leastWidth = 2.5;

/** Emits the bars seen between the moments `from` and `until`; what is too narrow to be told apart is merged. `index` is the first bar's. */
export function emitBars(bars: Bars, scale: TimeScale, from: number, until: number, emit: Emit): void {
  const [first, end] = barsWithin(bars, from, until);
  const place = placer(scale);
  let [left, right, index] = [NaN, NaN, -1];
  for (let each = first; each < end; each += 1) {
    const x0 = place(Math.max(bars.starts[each] ?? 0, from));
    const x1 = place(Math.min(bars.ends[each] ?? 0, until));
    if (x1 < x0) continue;
    if (x0 - right < 0.5 && (x1 - x0 < leastWidth || right - left < leastWidth)) right = Math.max(right, x1);
    else {
      if (index >= 0) emit(left, right, index);
      [left, right, index] = [x0, x1, each];
    }
  }
  if (index >= 0) emit(left, right, index);
}

/** Emits the beginnings seen between `from` and `until`, one for each column of `column` px. */
export function emitTicks(
  { starts }: Bars,
  scale: TimeScale,
  from: number,
  until: number,
  column: number,
  emit: (x: number) => void,
): void {
  const place = placer(scale);
  let last = -Infinity;
  for (let index = firstAtOrAfter(starts, from); index < starts.length; index += 1) {
    const time = starts[index] ?? Infinity;
    if (time > until) return;
    const cell = Math.floor(place(time) / column);
    if (cell === last) continue;
    last = cell;
    emit(cell * column);
  }
}

/** `xOf` for moments that mostly go forward: remembers the stretch it was in. */
function placer({ stretches }: TimeScale): (time: number) => number {
  let at = 0;
  return (time) => {
    let stretch = stretches[at];
    if (stretch === undefined || time < stretch.from || time > stretch.until) {
      at = stretchAt(stretches, time, "from");
      stretch = stretches[at];
    }
    return stretch === undefined ? 0 : stretch.x + (time - stretch.from) * stretch.rate;
  };
}
