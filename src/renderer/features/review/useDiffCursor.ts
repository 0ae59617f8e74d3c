// The cursor in a diff: arrows walk its lines, and whatever it comes to is brought into sight.

import { useLayoutEffect, useRef } from "react";
import type { KeyboardEvent, RefObject } from "react";

import type { DiffLine } from "./diffLines.ts";

/** What an arrow stops at, with the hunk that it belongs to. */
function hunkOf(line: DiffLine): number | null {
  if (line.kind === "row" || line.kind === "pair" || line.kind === "context") return line.hunk;
  return line.kind === "head" ? line.hunk.number : null;
}

/** Index of the line that the cursor stands on; `-1` when it is not there. */
export function cursorIndex(lines: readonly DiffLine[], number: number, key: string | null): number {
  return lines.findIndex((line) =>
    key === null ? line.kind === "head" && line.hunk.number === number : line.key === key,
  );
}

/** The line that an arrow leads to from `at`; `null` at the ends. */
export function nextLine(lines: readonly DiffLine[], at: number, by: 1 | -1): DiffLine | null {
  for (let to = at + by; to >= 0 && to < lines.length; to += by) {
    const line = lines[to];
    if (line !== undefined && hunkOf(line) !== null) return line;
  }
  return null;
}

export function onCursorKey(
  event: KeyboardEvent,
  lines: readonly DiffLine[],
  at: number,
  look: (number: number, key: string | null) => void,
): void {
  const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
  const by = steps[event.key];
  if (by === undefined || event.target !== event.currentTarget) return;
  const line = nextLine(lines, at, by);
  const number = line === null ? null : hunkOf(line);
  if (line === null || number === null) return;
  event.preventDefault();
  look(number, line.kind === "head" ? null : line.key);
}

export interface Reveal {
  readonly lines: readonly DiffLine[];
  readonly offsets: Float64Array;
  readonly number: number;
  readonly line: string | null;
}

/** Brings the hunk or line that is looked at into sight when it changes, and when its lines have come. */
export function useRevealed(
  scroller: RefObject<HTMLDivElement | null>,
  { lines, offsets, number, line }: Reveal,
): void {
  const revealed = useRef("");
  useLayoutEffect(() => {
    const box = scroller.current;
    const name = `${number} ${line ?? ""}`;
    const at = cursorIndex(lines, number, line);
    if (box === null || at === -1 || revealed.current === name) return;
    const isFirst = revealed.current === "";
    revealed.current = name;
    const y = offsets[at] ?? 0;
    const { scrollTop, clientHeight } = box;
    if (line !== null) {
      // A line keeps two others in sight above and below it.
      if (y < scrollTop + 40) box.scrollTo({ top: y - 40 });
      else if (y > scrollTop + clientHeight - 60) box.scrollTo({ top: y - clientHeight + 60 });
      return;
    }
    const isInSight = y >= scrollTop && y <= scrollTop + clientHeight * 0.6;
    // The first hunk is shown with the lines above it: they can be opened.
    if (!isInSight && !(isFirst && y < clientHeight * 0.6)) box.scrollTo({ top: y - 8 });
  }, [scroller, lines, offsets, number, line]);
}
