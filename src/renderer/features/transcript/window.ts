// Which entries of a long list are in the page: a window that moves by whole steps. Pure.

/** Entries in the page at once, at most. */
export const windowSize = 300;
/** Entries by which the window moves when one of its ends comes into sight. */
export const windowStep = 100;

/** The window that starts at `start`, kept inside a list of `count` entries. */
export function clampStart(start: number, count: number): number {
  return Math.max(0, Math.min(start, count - windowSize));
}
