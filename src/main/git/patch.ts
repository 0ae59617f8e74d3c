// Reads hunk ranges out of a patch in git's own format, as bytes. Pure. Lines of content are counted, never interpreted, so no
// file can pass for a header; names are not read at all (the caller knows them from `--raw -z`).

import { isLfsPointer } from "../domain/lfsPointer.ts";
import type { Hunk } from "../domain/records.ts";

/** One `diff --git` section. `ids` are the two blobs of its `index` line; a pure rename or mode change has none. */
export interface PatchSection {
  readonly ids: readonly [old: string, next: string] | null;
  /** Content without lines; or with lines that nobody wrote: pointers of Git LFS, which stand for such content. Then it has no hunks either. */
  readonly isBinary: boolean;
  readonly hunks: readonly Hunk[];
  /** For each hunk one mark a line, in order: a space, `+` or `-`. */
  readonly marks: readonly string[];
  readonly added: number;
  readonly removed: number;
}

interface OpenSection {
  ids: readonly [string, string] | null;
  isBinary: boolean;
  hunks: Hunk[];
  marks: string[];
  added: number;
  removed: number;
  /** Content so far, while it may be that of a pointer. */
  lines: string[];
}

/** The most lines that a change of one pointer into another has. */
const maxPointerLines = 12;

const newline = 0x0a;
const hunkPattern = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Sections in their order, hunks numbered from 1 in each. Throws on a hunk header that is none, or content that ends too early. */
export function parsePatch(patch: Buffer): PatchSection[] {
  const sections: OpenSection[] = [];
  let oldLeft = 0;
  let newLeft = 0;
  for (const { start, end } of lineRanges(patch)) {
    const section = sections.at(-1);
    if (section !== undefined && (oldLeft > 0 || newLeft > 0)) {
      const mark = patch[start];
      if (mark === 0x2d || mark === 0x20) oldLeft -= 1;
      if (mark === 0x2b || mark === 0x20) newLeft -= 1;
      if (mark === 0x2b) section.added += 1;
      if (mark === 0x2d) section.removed += 1;
      if (mark !== 0x5c) section.marks[section.marks.length - 1] += String.fromCharCode(mark ?? 0x20);
      if (section.lines.length <= maxPointerLines) section.lines.push(patch.toString("latin1", start, end));
      continue;
    }
    const line = patch.toString("latin1", start, end);
    if (line.startsWith("diff --git "))
      sections.push({ ids: null, isBinary: false, hunks: [], marks: [], added: 0, removed: 0, lines: [] });
    else if (section !== undefined) {
      const hunk = readHeader(section, line);
      if (hunk !== null) [oldLeft, newLeft] = [hunk.oldLines, hunk.newLines];
    }
  }
  if (oldLeft > 0 || newLeft > 0) throw new Error("The patch ends inside a hunk.");
  return sections.map(({ lines, ...section }) =>
    section.hunks.length === 1 && isOfPointers(lines)
      ? { ...section, isBinary: true, hunks: [], marks: [], added: 0, removed: 0 }
      : section,
  );
}

/** Whether each side is a pointer of Git LFS, or not there. */
function isOfPointers(lines: readonly string[]): boolean {
  const sides = ["-", "+"].map((mark) =>
    lines
      .filter((line) => line.startsWith(mark) || line.startsWith(" "))
      .map((line) => `${line.slice(1)}\n`)
      .join(""),
  );
  return sides.some((text) => text !== "") && sides.every((text) => text === "" || isLfsPointer(text));
}

function readHeader(section: OpenSection, line: string): Hunk | null {
  const ids = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/.exec(line);
  if (ids?.[1] !== undefined && ids[2] !== undefined) section.ids = [ids[1], ids[2]];
  if (line.startsWith("Binary files ")) section.isBinary = true;
  if (!line.startsWith("@@ ")) return null;
  const found = hunkPattern.exec(line);
  if (found === null) throw new Error(`Not a hunk header: ${line.slice(0, 80)}`);
  const count = (text: string | undefined) => (text === undefined ? 1 : Number(text));
  const hunk: Hunk = {
    number: section.hunks.length + 1,
    oldStart: Number(found[1]),
    oldLines: count(found[2]),
    newStart: Number(found[3]),
    newLines: count(found[4]),
  };
  section.hunks.push(hunk);
  section.marks.push("");
  return hunk;
}

/** Where each line stands, without its newline. */
export function* lineRanges(bytes: Buffer): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    yield { start, end };
    start = end + 1;
  }
}
