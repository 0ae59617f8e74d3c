// How much of long work is done: the topic `progress`. It holds what is under way and of which the amount is known by now.

export const longWorks = ["backUp", "cleanUp", "doctor", "exportRun", "importRun"] as const;
export type LongWork = (typeof longWorks)[number];

export const progressUnits = ["event", "text", "rule", "run", "folder", "byte"] as const;
export type ProgressUnit = (typeof progressUnits)[number];

/** Work may go through several things one after the other, each with a unit and a count of its own. */
export interface Progress {
  /** At most `total`. */
  readonly done: number;
  readonly total: number;
  readonly unit: ProgressUnit;
}

export interface WorkProgress extends Progress {
  readonly work: LongWork;
}

export interface ProgressSnapshot {
  /** Grows with every snapshot of this topic. */
  readonly version: number;
  readonly works: readonly WorkProgress[];
}

export type TellProgress = (progress: Progress) => void;

/** Returns what is called as so much more is done (by default one). It tells at the beginning and the end, and in between no more than a hundred times; nothing where there is nothing to do. */
export function countSteps(total: number, unit: ProgressUnit, tell: TellProgress): (by?: number) => void {
  let [done, next] = [0, 0];
  const advance = (by: number): void => {
    done = Math.min(done + by, total);
    if (total === 0 || (done < next && done < total)) return;
    next = done + total / 100;
    tell({ done, total, unit });
  };
  advance(0);
  return (by = 1) => advance(by);
}

/** `items` as they are, `total` of them, each counted once whoever walks them asks for the one after it. Tells nothing before they are walked. */
export function* counted<T>(items: Iterable<T>, total: number, unit: ProgressUnit, tell: TellProgress): Generator<T> {
  const step = countSteps(total, unit, tell);
  for (const item of items) {
    yield item;
    step();
  }
}

const mebibyte = 1_048_576;
const grouped = new Intl.NumberFormat("en-US");

/** `1,200 of 5,000 events`, `0.3 of 1.2 MiB`. */
export function progressWords({ done, total, unit }: Progress): string {
  if (unit === "byte") return `${(done / mebibyte).toFixed(1)} of ${(total / mebibyte).toFixed(1)} MiB`;
  return `${grouped.format(done)} of ${grouped.format(total)} ${total === 1 ? unit : `${unit}s`}`;
}
