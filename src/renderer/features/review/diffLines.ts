// The lines of a file's diff as they are drawn, one under the other: heads, rows or pairs, the unchanged lines between the hunks,
// comments and editors. Pure.

import type { FileModel, HunkExtent, HunkModel, ModelRow, Side } from "./fileModel.ts";
import { isSameButForSpace } from "./spans.ts";

export type ViewMode = "unified" | "split";

/** `key` names it within its file. */
export type DiffLine =
  | { readonly kind: "gap"; readonly key: string; readonly gap: Gap }
  | { readonly kind: "head"; readonly key: string; readonly hunk: HunkExtent }
  | {
      readonly kind: "row";
      readonly key: string;
      readonly hunk: number;
      readonly row: ModelRow;
      readonly partner: ModelRow | null;
      readonly isSpaceOnly: boolean;
    }
  | {
      readonly kind: "pair";
      readonly key: string;
      readonly hunk: number;
      readonly old: ModelRow | null;
      readonly next: ModelRow | null;
      readonly isSame: boolean;
      readonly isSpaceOnly: boolean;
    }
  | {
      readonly kind: "context";
      readonly key: string;
      readonly hunk: number;
      readonly oldLine: number;
      readonly newLine: number;
      readonly text: string;
    }
  | { readonly kind: "thread"; readonly key: string; readonly hunk: number; readonly side: Side; readonly line: number }
  | { readonly kind: "editor"; readonly key: string; readonly hunk: HunkModel };

/** Unchanged lines that are not shown: those between two hunks, by the hunk before it (`0`: none), in the file as it is proposed. */
export interface Gap {
  readonly after: number;
  readonly from: number;
  /** `null`: to the end of the file, wherever that is. */
  readonly to: number | null;
  readonly isWhole: boolean;
}

/** How much of a gap is shown, lines from its beginning and from its end. */
export interface Shown {
  readonly head: number;
  readonly tail: number;
}

export interface LineOptions {
  readonly mode: ViewMode;
  readonly hidesSpace: boolean;
  /** Whether the file has lines around its hunks. */
  readonly hasContext: boolean;
  readonly shown: ReadonlyMap<number, Shown>;
  /** The lines of the file so far read, and how many there are; `null` before they have been asked for. */
  readonly file: { readonly lines: readonly string[]; readonly lineCount: number } | null;
  /** Sides and lines that have a comment, as `new 12`. */
  readonly threads: ReadonlySet<string>;
  /** Hunk whose text is being edited. */
  readonly editing: number | null;
}

export function linesOf({ hunks }: FileModel, options: LineOptions): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before: HunkModel | null = null;
  for (const hunk of hunks) {
    if (options.hasContext) lines.push(...gapLines(before, hunk, options));
    lines.push({ kind: "head", key: `head ${hunk.number}`, hunk });
    if (options.editing === hunk.number) lines.push({ kind: "editor", key: `editor ${hunk.number}`, hunk });
    else lines.push(...(options.mode === "split" ? splitLines(hunk, options) : unifiedLines(hunk, options)));
    before = hunk;
  }
  if (before !== null && options.hasContext) lines.push(...gapLines(before, null, options));
  return lines;
}

function unifiedLines(hunk: HunkModel, options: LineOptions): readonly DiffLine[] {
  return hunk.rows.flatMap((row): DiffLine[] => {
    const partner = hunk.partners.get(row.at) ?? null;
    const isSpaceOnly = options.hidesSpace && partner !== null && isSameButForSpace(row.row.text, partner.row.text);
    // Of two lines that differ in white space alone the new one is shown, as if it were unchanged.
    if (isSpaceOnly && row.row.kind === "removed") return [];
    const line = { kind: "row", key: keyOf(row), hunk: hunk.number, row, partner, isSpaceOnly } as const;
    return [line, ...threadsUnder(hunk.number, row, options)];
  });
}

function splitLines(hunk: HunkModel, options: LineOptions): readonly DiffLine[] {
  return hunk.pairs.flatMap(({ old, next, isSame }): DiffLine[] => {
    const isSpaceOnly =
      options.hidesSpace && isSame && old !== null && next !== null && isSameButForSpace(old.row.text, next.row.text);
    const key = keyOf(next ?? old);
    const line = { kind: "pair", key, hunk: hunk.number, old, next, isSame, isSpaceOnly } as const;
    const sides = old === next ? [next] : [old, next];
    return [line, ...sides.flatMap((side) => (side === null ? [] : threadsUnder(hunk.number, side, options)))];
  });
}

function keyOf(row: ModelRow | null): string {
  return `row ${row?.at ?? ""}`;
}

/** Side and line by which a comment names a row: the new one, for what is there after the change. */
export function anchorOf({ row }: ModelRow): { readonly side: Side; readonly line: number } | null {
  if (row.newLine !== null) return { side: "new", line: row.newLine };
  return row.oldLine === null ? null : { side: "old", line: row.oldLine };
}

export function threadKey(side: Side, line: number): string {
  return `${side} ${line}`;
}

function threadsUnder(hunk: number, row: ModelRow, { threads }: LineOptions): readonly DiffLine[] {
  const anchor = anchorOf(row);
  return anchor === null ? [] : threadOf(hunk, anchor.side, anchor.line, threads);
}

function threadOf(hunk: number, side: Side, line: number, threads: ReadonlySet<string>): readonly DiffLine[] {
  const key = threadKey(side, line);
  return threads.has(key) ? [{ kind: "thread", key: `thread ${key}`, hunk, side, line }] : [];
}

function gapLines(before: HunkModel | null, next: HunkModel | null, options: LineOptions): readonly DiffLine[] {
  const after = before?.number ?? 0;
  const from = (before?.newLines?.[1] ?? 0) + 1;
  const end = next === null ? (options.file?.lineCount ?? null) : (next.newLines?.[0] ?? 0) - 1;
  if (end !== null && end < from) return [];
  const { head, tail } = options.shown.get(after) ?? { head: 0, tail: 0 };
  if (next === null && before !== null && reachesEnd(before)) return [];
  const shift = (before?.oldLines?.[1] ?? 0) - (before?.newLines?.[1] ?? 0);
  const read = options.file?.lines.length ?? 0;
  const last = end ?? from - 1;
  const headEnd = Math.max(from - 1, Math.min(from + head - 1, last, read));
  const tailStart = Math.max(headEnd + 1, last - (read < last ? 0 : tail) + 1);
  const number = before?.number ?? next?.number ?? 0;
  const show = (first: number, to: number) => contextLines(number, first, Math.min(to, read), shift, options);
  const hidden = { after, from: headEnd + 1, to: end === null ? null : tailStart - 1 };
  const isHidden = hidden.to === null || hidden.to >= hidden.from;
  const isWhole = head === 0 && tail === 0;
  return [
    ...show(from, headEnd),
    ...(isHidden ? [{ kind: "gap", key: `gap ${after}`, gap: { ...hidden, isWhole } } as const] : []),
    ...(end === null ? [] : show(tailStart, last)),
  ];
}

/** Git shows three unchanged lines behind a hunk where the file has so many. */
function reachesEnd({ rows }: HunkModel): boolean {
  return rows.slice(-3).some(({ row }) => row.kind !== "context");
}

function contextLines(
  hunk: number,
  first: number,
  last: number,
  shift: number,
  { file, threads }: LineOptions,
): readonly DiffLine[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).flatMap((newLine) => {
    const text = file?.lines[newLine - 1] ?? "";
    const line = { kind: "context", key: `context ${newLine}`, hunk, oldLine: newLine + shift, newLine, text } as const;
    return [line, ...threadOf(hunk, "new", newLine, threads)];
  });
}

export const rowHeight = 19;
const heights = {
  gap: 24,
  head: 32,
  row: rowHeight,
  pair: rowHeight,
  context: rowHeight,
  thread: 96,
  editor: 240,
} as const;

/** Where each line begins, px from the top; one more for the end. `measured`: what was seen of those that have no fixed height. */
export function offsetsOf(lines: readonly DiffLine[], measured: ReadonlyMap<string, number>): Float64Array {
  const offsets = new Float64Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    const isMeasured = line.kind === "thread" || line.kind === "editor";
    const height = (isMeasured ? measured.get(line.key) : undefined) ?? heights[line.kind];
    offsets[index + 1] = (offsets[index] ?? 0) + height;
  }
  return offsets;
}

/** The last line that begins at or above `y`. */
export function lineAt(offsets: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, offsets.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
