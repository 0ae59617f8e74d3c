// The rows of a file's diff with what a screen needs to know of each: its number among the changes of its hunk, what it became,
// where its text stands. Pure.

import type { DiffRow } from "../../../shared/contract/pages.ts";
import { alignBlock } from "./alignment.ts";

export type Side = "old" | "new";

export interface ModelRow {
  readonly row: DiffRow;
  /** Place among the rows of the file, from 0. */
  readonly at: number;
  /** Number among the changed lines of its hunk, from 1, as an amendment names it; `null` for an unchanged line. */
  readonly change: number | null;
  /** Place among the lines of its side of the hunk, from 0. */
  readonly sideAt: number;
}

/** What stands side by side. An unchanged line stands on both sides. */
export interface ModelPair {
  readonly old: ModelRow | null;
  readonly next: ModelRow | null;
  /** The same line, changed. */
  readonly isSame: boolean;
}

/** Where a hunk begins and ends on each side; `null` where it has no line there. */
export interface HunkExtent {
  readonly number: number;
  readonly oldLines: readonly [first: number, last: number] | null;
  readonly newLines: readonly [first: number, last: number] | null;
  readonly changeCount: number;
  /** The line that it stands below, such as a function's first. */
  readonly within: string | null;
}

export interface FileModel {
  readonly hunks: readonly HunkModel[];
}

export interface HunkModel extends HunkExtent {
  readonly rows: readonly ModelRow[];
  readonly pairs: readonly ModelPair[];
  /** The texts of each side, for the colours. A line that both have is in both. */
  readonly sides: Readonly<Record<Side, readonly string[]>>;
  /** By `at`: the row that it is a version of. */
  readonly partners: ReadonlyMap<number, ModelRow>;
}

/** Hunks in their order. A hunk whose rows have not all been read yet is as far as it goes. */
export function modelOf(rows: readonly DiffRow[]): FileModel {
  const hunks: HunkModel[] = [];
  for (let from = 0; from < rows.length;) {
    const number = rows[from]?.hunk ?? 0;
    let to = from;
    while (to < rows.length && rows[to]?.hunk === number) to += 1;
    hunks.push(hunkOf(number, rows.slice(from, to), from));
    from = to;
  }
  return { hunks };
}

function hunkOf(number: number, rows: readonly DiffRow[], from: number): HunkModel {
  const sides = { old: [] as string[], new: [] as string[] };
  let change = 0;
  const numbered = rows.map((row, index): ModelRow => {
    const isChange = row.kind === "added" || row.kind === "removed";
    if (isChange) change += 1;
    const sideAt = row.kind === "removed" ? sides.old.length : sides.new.length;
    if (row.kind === "removed" || row.kind === "context") sides.old.push(row.text);
    if (row.kind === "added" || row.kind === "context") sides.new.push(row.text);
    return { row, at: from + index, change: isChange ? change : null, sideAt };
  });
  const pairs = pairsOf(numbered);
  const partners = new Map<number, ModelRow>();
  for (const { old, next, isSame } of pairs) {
    if (!isSame || old === null || next === null || old === next) continue;
    partners.set(old.at, next).set(next.at, old);
  }
  return {
    number,
    rows: numbered,
    pairs,
    sides,
    partners,
    changeCount: change,
    within: rows[0]?.within ?? null,
    oldLines: extentOf(rows.map((row) => row.oldLine)),
    newLines: extentOf(rows.map((row) => row.newLine)),
  };
}

function extentOf(lines: readonly (number | null)[]): readonly [number, number] | null {
  const first = lines.find((line) => line !== null);
  const last = lines.findLast((line) => line !== null);
  return first == null || last == null ? null : [first, last];
}

function pairsOf(rows: readonly ModelRow[]): readonly ModelPair[] {
  const pairs: ModelPair[] = [];
  let block: ModelRow[] = [];
  const close = () => {
    pairs.push(...blockPairs(block));
    block = [];
  };
  for (const row of rows) {
    if (row.row.kind !== "context") {
      block.push(row);
      continue;
    }
    close();
    pairs.push({ old: row, next: row, isSame: true });
  }
  close();
  return pairs;
}

/** What is said of a missing line end stands under the line that it is said of, on that line's side. */
function blockPairs(block: readonly ModelRow[]): readonly ModelPair[] {
  const [old, next] = [
    block.filter(({ row }) => row.kind === "removed"),
    block.filter(({ row }) => row.kind === "added"),
  ];
  const texts = (side: readonly ModelRow[]) => side.map(({ row }) => row.text);
  const aligned = alignBlock(texts(old), texts(next)).map(({ removed, added, isSame }): ModelPair => ({
    old: removed === null ? null : (old[removed] ?? null),
    next: added === null ? null : (next[added] ?? null),
    isSame,
  }));
  const remarks = block.flatMap((one, index): ModelPair[] => {
    if (one.row.kind !== "noNewline") return [];
    const before = block[index - 1]?.row.kind;
    return [{ old: before === "added" ? null : one, next: before === "removed" ? null : one, isSame: false }];
  });
  return [...aligned, ...joinRemarks(remarks)];
}

/** Of both sides at once: one line instead of two. */
function joinRemarks(remarks: readonly ModelPair[]): readonly ModelPair[] {
  const [first, second] = remarks;
  return first?.next === null && second?.old === null
    ? [{ old: first.old, next: second.next, isSame: false }]
    : remarks;
}
