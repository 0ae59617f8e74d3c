// Rows of a diff out of a patch in git's own format. Pure. Lines of content are counted, never interpreted, so no file
// can pass for a header; names are not read at all: files come in the order in which the journal has them.

import type { DiffRow, PatchPage } from "../../shared/contract/pages.ts";
import { isLfsPointer } from "../domain/lfsPointer.ts";
import type { FileChange } from "../domain/records.ts";

/** The rows of one file, and why there are none. */
export interface FileRows {
  readonly rows: readonly DiffRow[];
  readonly withoutLines: PatchPage["withoutLines"];
  readonly oldMode: string | null;
  readonly newMode: string | null;
}

interface Section {
  readonly rows: DiffRow[];
  isBinary: boolean;
  isDeletion: boolean;
  hunks: number;
  oldMode: string | null;
  newMode: string | null;
}

/** Of a longer line its beginning is shown: it was made by no person and is read by none. */
const maxLineChars = 2_000;
const maxWithinChars = 120;

const hunkPattern = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Rows by path. A file that the patch does not reach, because it was cut, is `tooLong`. */
export function rowsByFile(patch: string, files: readonly FileChange[]): ReadonlyMap<string, FileRows> {
  const sections = readSections(patch);
  const found = new Map<string, FileRows>();
  let at = 0;
  for (const file of files) {
    const [first] = sections.slice(at, at + 1);
    // Git writes a change of type (file to link) as a deletion and an addition.
    const count = first?.isDeletion && file.change !== "deleted" ? 2 : 1;
    const own = sections.slice(at, at + count);
    at += count;
    found.set(file.path, fileRows(file, own));
  }
  return found;
}

function fileRows(file: FileChange, sections: readonly Section[]): FileRows {
  if (sections.length === 0) return { rows: [], withoutLines: "tooLong", oldMode: null, newMode: null };
  const modes = { oldMode: sections[0]?.oldMode ?? null, newMode: sections.at(-1)?.newMode ?? null };
  const all = sections.flatMap((section) => section.rows);
  // A file whose lines cannot be taken singly is one hunk, whatever git shows of it.
  const rows = isOfPointers(all) ? [] : file.hunks.length === 1 ? all.map((row) => ({ ...row, hunk: 1 })) : all;
  if (rows.length > 0) return { rows, withoutLines: null, ...modes };
  return {
    rows,
    withoutLines: all.length > 0 || sections.some(({ isBinary }) => isBinary) ? "binary" : "empty",
    ...modes,
  };
}

/** Whether each side is a pointer of Git LFS, or not there: such lines stand for content without any. */
function isOfPointers(rows: readonly DiffRow[]): boolean {
  const sides = (["removed", "added"] as const).map((kind) =>
    rows
      .filter((row) => row.kind === kind || row.kind === "context")
      .map(({ text }) => `${text}\n`)
      .join(""),
  );
  return sides.some((text) => text !== "") && sides.every((text) => text === "" || isLfsPointer(text));
}

function readSections(patch: string): readonly Section[] {
  const sections: Section[] = [];
  let oldLeft = 0;
  let newLeft = 0;
  let oldLine = 0;
  let newLine = 0;
  let within = "";
  for (const line of linesOf(patch)) {
    const section = sections.at(-1);
    if (section && (oldLeft > 0 || newLeft > 0)) {
      const row = contentRow(line, oldLine, newLine, section.hunks);
      if (row.oldLine !== null) [oldLeft, oldLine] = [oldLeft - 1, oldLine + 1];
      if (row.newLine !== null) [newLeft, newLine] = [newLeft - 1, newLine + 1];
      section.rows.push(within === "" ? row : { ...row, within });
      within = "";
      continue;
    }
    const header = section && hunkPattern.exec(line);
    if (line.startsWith("diff --git ")) sections.push(emptySection());
    else if (section && header) {
      section.hunks += 1;
      [oldLine, newLine] = [Number(header[1]), Number(header[3])];
      [oldLeft, newLeft] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
      within = line.slice(header[0].length).trim().slice(0, maxWithinChars);
    } else if (section && line.startsWith("\\")) section.rows.push(contentRow(line, oldLine, newLine, section.hunks));
    else if (section) readHeader(section, line);
  }
  return sections;
}

function emptySection(): Section {
  return { rows: [], isBinary: false, isDeletion: false, hunks: 0, oldMode: null, newMode: null };
}

const modePattern = /^(old|new|deleted file|new file) mode (\d{6})$/;

function readHeader(section: Section, line: string): void {
  if (line.startsWith("Binary files ")) section.isBinary = true;
  if (line.startsWith("deleted file mode ")) section.isDeletion = true;
  const [, side = "", mode = null] = modePattern.exec(line) ?? [];
  if (side.startsWith("old") || side.startsWith("deleted")) section.oldMode = mode;
  if (side.startsWith("new")) section.newMode = mode;
  const same = /^index \S+ (\d{6})$/.exec(line)?.[1];
  if (same !== undefined) [section.oldMode, section.newMode] = [same, same];
}

function contentRow(line: string, oldLine: number, newLine: number, hunk: number): DiffRow {
  const text = line.slice(1, 1 + maxLineChars);
  const cut = line.length - 1 - text.length;
  const rest = { text, hunk, ...(cut > 0 ? { cut } : {}) };
  switch (line[0]) {
    case "+":
      return { kind: "added", oldLine: null, newLine, ...rest };
    case "-":
      return { kind: "removed", oldLine, newLine: null, ...rest };
    case "\\":
      return { kind: "noNewline", oldLine: null, newLine: null, text: text.trim(), hunk };
    default:
      return { kind: "context", oldLine, newLine, ...rest };
  }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    yield text.slice(start, end);
    start = end + 1;
  }
}
