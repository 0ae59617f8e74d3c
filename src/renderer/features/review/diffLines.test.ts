// What is drawn of a file's diff, line by line.

import { expect, test } from "vitest";

import type { DiffRow } from "../../../shared/contract/pages.ts";
import { lineAt, linesOf, offsetsOf } from "./diffLines.ts";
import type { DiffLine, LineOptions } from "./diffLines.ts";
import { modelOf } from "./fileModel.ts";

const row = (
  kind: DiffRow["kind"],
  oldLine: number | null,
  newLine: number | null,
  text: string,
  hunk = 1,
): DiffRow => ({
  kind,
  oldLine,
  newLine,
  text,
  hunk,
});
const rows = [
  row("context", 5, 5, "a"),
  row("removed", 6, null, "const b = 1;"),
  row("added", null, 6, "const  b = 1;"),
  row("added", null, 7, "new"),
  row("context", 7, 8, "c"),
  row("removed", 20, null, "d", 2),
  row("context", 21, 21, "e", 2),
  row("context", 22, 22, "f", 2),
  row("context", 23, 23, "g", 2),
];
const ending = [row("removed", 21, null, "end", 2), row("noNewline", null, null, "No newline at end of file", 2)];
const options: LineOptions = {
  mode: "unified",
  hidesSpace: false,
  hasContext: true,
  shown: new Map(),
  file: null,
  threads: new Set(),
  editing: null,
};
const drawn = (more: Partial<LineOptions> = {}, of = rows) => linesOf(modelOf(of), { ...options, ...more }).map(short);

function short(line: DiffLine): string {
  switch (line.kind) {
    case "gap":
      return `gap ${line.gap.from}-${line.gap.to ?? "end"}`;
    case "head":
      return `head ${line.hunk.number} of ${line.hunk.changeCount}`;
    case "row":
      return `${line.row.change ?? "."} ${line.row.row.text}${line.isSpaceOnly ? " ~" : ""}`;
    case "pair":
      return `${line.old?.row.text ?? ""} | ${line.next?.row.text ?? ""}${line.isSpaceOnly ? " ~" : ""}`;
    case "context":
      return `${line.oldLine}/${line.newLine} ${line.text}`;
    case "thread":
      return line.key;
    case "editor":
      return line.key;
  }
}

test("hunks have heads and numbered changes, and between them it is said what is not shown", () => {
  expect(drawn()).toEqual([
    "gap 1-4",
    "head 1 of 3",
    ". a",
    "1 const b = 1;",
    "2 const  b = 1;",
    "3 new",
    ". c",
    "gap 9-20",
    "head 2 of 1",
    "1 d",
    ". e",
    ". f",
    ". g",
    "gap 24-end",
  ]);
  expect(drawn({}, ending)).toEqual(["head 2 of 1", "1 end", ". No newline at end of file"]);
});

test("side by side a line stands beside what it became, and white space alone is no change when it is hidden", () => {
  expect(drawn({ mode: "split", hasContext: false, hidesSpace: true })).toEqual([
    "head 1 of 3",
    "a | a",
    "const b = 1; | const  b = 1; ~",
    " | new",
    "c | c",
    "head 2 of 1",
    "d | ",
    "e | e",
    "f | f",
    "g | g",
  ]);
  expect(drawn({ mode: "split" }, ending).slice(1)).toEqual(["end | ", "No newline at end of file | "]);
  expect(drawn({ hasContext: false, hidesSpace: true }).slice(1, 4)).toEqual([". a", "2 const  b = 1; ~", "3 new"]);
});

test("a gap opens from both ends, with the numbers of both sides, and closes when it is all there", () => {
  const file = { lines: Array.from({ length: 26 }, (_, at) => `l${at + 1}`), lineCount: 26 };
  expect(
    drawn({
      file,
      shown: new Map([
        [1, { head: 1, tail: 2 }],
        [2, { head: 9, tail: 0 }],
      ]),
    }).slice(7),
  ).toEqual([
    "8/9 l9",
    "gap 10-18",
    "18/19 l19",
    "19/20 l20",
    "head 2 of 1",
    "1 d",
    ". e",
    ". f",
    ". g",
    "24/24 l24",
    "25/25 l25",
    "26/26 l26",
  ]);
});

test("comments stand under their line, and an editor in place of its hunk's", () => {
  expect(drawn({ hasContext: false, threads: new Set(["new 7", "old 6"]), editing: 2 })).toEqual([
    "head 1 of 3",
    ". a",
    "1 const b = 1;",
    "thread old 6",
    "2 const  b = 1;",
    "3 new",
    "thread new 7",
    ". c",
    "head 2 of 1",
    "editor 2",
  ]);
});

test("each line has a place in px, measured where its height is not fixed", () => {
  const lines = linesOf(modelOf(rows), { ...options, hasContext: false, editing: 2 });
  const offsets = offsetsOf(lines, new Map([["editor 2", 300]]));
  expect([...offsets]).toEqual([0, 32, 51, 70, 89, 108, 127, 159, 459]);
  expect([-5, 0, 31, 32, 200, 9_999].map((y) => lineAt(offsets, y))).toEqual([0, 0, 0, 1, 7, 7]);
});
