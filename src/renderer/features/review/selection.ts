// Which hunks of a change set are accepted: each until it is rejected. Pure.

import type { ChangedFile, DiffRow } from "../../../shared/contract/pages.ts";

/** A hunk by its file and number, as one text; the number stands first, since a path may hold anything. */
export type HunkKey = `${number} ${string}`;

export interface HunkPlace {
  readonly path: string;
  readonly number: number;
}

export function hunkKey({ path, number }: HunkPlace): HunkKey {
  return `${number} ${path}`;
}

/** Every hunk, in the order of the files. */
export function placesOf(files: readonly ChangedFile[]): readonly HunkPlace[] {
  return files.flatMap(({ path, hunkCount }) =>
    Array.from({ length: hunkCount }, (_, index) => ({ path, number: index + 1 })),
  );
}

/** The accepted hunks as `approve` wants them: left out when that is all of them. */
export function selectionOf(
  files: readonly ChangedFile[],
  rejected: ReadonlySet<HunkKey>,
): { readonly [path: string]: readonly number[] } | undefined {
  if (rejected.size === 0) return undefined;
  const accepted = files.map(({ path, hunkCount }) => {
    const numbers = Array.from({ length: hunkCount }, (_, index) => index + 1);
    return [path, numbers.filter((number) => !rejected.has(hunkKey({ path, number })))] as const;
  });
  return Object.fromEntries(accepted.filter(([, numbers]) => numbers.length > 0));
}

/** `Land 7 of 9 hunks`, `Land 1 hunk`. */
export function landWords(accepted: number, total: number): string {
  const hunks = total === 1 ? "hunk" : "hunks";
  return accepted === total ? `Land ${total} ${hunks}` : `Land ${accepted} of ${total} ${hunks}`;
}

/** A line of the diff as it is drawn: the head of a hunk, or a row of it. */
export type DiffLine =
  | { readonly kind: "hunk"; readonly number: number; readonly firstLine: number; readonly lastLine: number }
  | { readonly kind: "row"; readonly row: DiffRow };

/** The rows of a file, each hunk under a head of its own. */
export function linesOf(rows: readonly DiffRow[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let open = 0;
  for (const [index, row] of rows.entries()) {
    if (row.hunk !== open) {
      open = row.hunk;
      lines.push({ kind: "hunk", number: open, ...extentOf(rows, index) });
    }
    lines.push({ kind: "row", row });
  }
  return lines;
}

/** First and last line of the hunk that begins at `index`, in the new file; in the old one where nothing is left. */
function extentOf(rows: readonly DiffRow[], index: number): { readonly firstLine: number; readonly lastLine: number } {
  const hunk = rows[index]?.hunk;
  let [firstLine, lastLine] = [0, 0];
  for (let at = index; rows[at]?.hunk === hunk && at < rows.length; at += 1) {
    const line = rows[at]?.newLine ?? rows[at]?.oldLine ?? 0;
    if (firstLine === 0) firstLine = line;
    if (line > 0) lastLine = line;
  }
  return { firstLine, lastLine };
}

export const rowHeight = 19;
export const headHeight = 32;

/** Where each line begins, px from the top; one more for the end. */
export function offsetsOf(lines: readonly DiffLine[]): Float64Array {
  const offsets = new Float64Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    offsets[index + 1] = (offsets[index] ?? 0) + (line.kind === "hunk" ? headHeight : rowHeight);
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
