// The lines of a file's diff on screen. Those near the viewport are in the page, no others: all have known heights, so a change of
// any length opens at once. Scrolled sideways the numbers stay.

import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";

import { MeasuredBlock } from "./MeasuredBlock.tsx";
import { lineAt, offsetsOf, rowHeight } from "./diffLines.ts";
import type { DiffLine } from "./diffLines.ts";
import { cursorIndex, onCursorKey, useRevealed } from "./useDiffCursor.ts";
import { useScrolled } from "./useScrolled.ts";

export interface DrawnLine {
  readonly line: DiffLine;
  readonly id: string;
  readonly index: number;
  readonly isCursor: boolean;
}

export interface DiffGridProps {
  readonly lines: readonly DiffLine[];
  readonly label: string;
  readonly isSplit: boolean;
  /** The longest line, characters. */
  readonly columns: number;
  /** The longest line number, digits. */
  readonly digits: number;
  readonly number: number;
  readonly line: string | null;
  readonly onLook: (number: number, line: string | null) => void;
  readonly onShown: (lines: readonly DiffLine[]) => void;
  readonly renderLine: (line: DrawnLine) => ReactNode;
}

/** Px beyond the viewport that are in the page, too. */
const marginPx = 300;

export function DiffGrid(props: DiffGridProps) {
  const { lines, label, isSplit, columns, digits, number, line, onLook, onShown, renderLine } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const name = useId();
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const onHeight = useCallback((key: string, px: number) => {
    setHeights((before) => (before.get(key) === px ? before : new Map(before).set(key, px)));
  }, []);
  const offsets = useMemo(() => offsetsOf(lines, heights), [lines, heights]);
  const { top, height } = useScrolled(scroller);
  useRevealed(scroller, { lines, offsets, number, line });
  const start = lineAt(offsets, top - marginPx);
  const end = Math.min(lines.length, lineAt(offsets, top + height + marginPx) + 1);
  const cursor = useMemo(() => cursorIndex(lines, number, line), [lines, number, line]);
  const shown = useMemo(() => lines.slice(start, end), [lines, start, end]);
  useEffect(() => onShown(shown), [onShown, shown]);
  const isCursorShown = cursor >= start && cursor < end;
  return (
    <div
      className="diff"
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={lines.length}
      style={{ "--number": `${Math.max(46, 16 + 7 * digits)}px` }}
      aria-activedescendant={isCursorShown ? `${name}-${cursor}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => onCursorKey(event, lines, cursor, onLook)}
      onClick={(event) => {
        const clicked = clickedLine(event.target, lines);
        if (clicked !== null) onLook(clicked.number, clicked.line);
      }}
    >
      <div
        className="diff-all"
        role="presentation"
        style={{ height: offsets[lines.length] ?? 0, width: widthOf(columns, isSplit) }}
      >
        <div className="diff-shown" role="rowgroup" style={{ transform: `translateY(${offsets[start] ?? 0}px)` }}>
          {shown.map((one, at) => {
            const index = start + at;
            const id = `${name}-${index}`;
            const drawn = renderLine({ line: one, id, index, isCursor: index === cursor });
            if (one.kind !== "thread" && one.kind !== "editor") return drawn;
            return (
              <MeasuredBlock key={one.key} id={id} index={index} name={one.key} onHeight={onHeight}>
                {drawn}
              </MeasuredBlock>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The line that was clicked on, beside its buttons and fields; `null` while text is being selected. */
function clickedLine(
  target: EventTarget,
  lines: readonly DiffLine[],
): { readonly number: number; readonly line: string | null } | null {
  if (!(target instanceof Element) || target.closest("button, textarea") !== null) return null;
  if (document.getSelection()?.isCollapsed === false) return null;
  const index = Number(target.closest("[aria-rowindex]")?.getAttribute("aria-rowindex") ?? 0) - 1;
  const line = lines[index];
  if (line?.kind === "head") return { number: line.hunk.number, line: null };
  return line?.kind === "row" || line?.kind === "pair" || line?.kind === "context"
    ? { number: line.hunk, line: line.key }
    : null;
}

/** Wide enough that the longest line can be scrolled to its end. A character of the diff's font is three fifths as wide as it is high. */
function widthOf(columns: number, isSplit: boolean): string {
  const text = Math.ceil(columns * rowHeight * 0.385);
  return isSplit ? `max(100%, calc(50% + ${text + 90}px))` : `max(100%, ${text + 150}px)`;
}
