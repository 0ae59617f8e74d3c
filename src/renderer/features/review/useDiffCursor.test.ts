// Where the cursor of a diff stands, and where an arrow leads it.

import { expect, test } from "vitest";

import type { DiffLine } from "./diffLines.ts";
import { linesOf } from "./diffLines.ts";
import { modelOf } from "./fileModel.ts";
import { cursorIndex, nextLine } from "./useDiffCursor.ts";

const lines = linesOf(
  modelOf([
    { kind: "removed", oldLine: 1, newLine: null, text: "a", hunk: 1 },
    { kind: "added", oldLine: null, newLine: 1, text: "b", hunk: 1 },
    { kind: "added", oldLine: null, newLine: 9, text: "c", hunk: 2 },
  ]),
  {
    mode: "unified",
    hidesSpace: false,
    hasContext: false,
    shown: new Map(),
    file: null,
    threads: new Set(["new 1"]),
    editing: null,
  },
);
const keysFrom = (from: number, by: 1 | -1) => {
  const keys: string[] = [];
  for (
    let line: DiffLine | null = nextLine(lines, from, by);
    line !== null;
    line = nextLine(lines, lines.indexOf(line), by)
  )
    keys.push(line.key);
  return keys;
};

test("an arrow stops at heads and lines, passes over comments, and stays at the ends", () => {
  expect([keysFrom(-1, 1), keysFrom(lines.length, -1)]).toEqual([
    ["head 1", "row 0", "row 1", "head 2", "row 2"],
    ["row 2", "head 2", "row 1", "row 0", "head 1"],
  ]);
});

test("the cursor stands on a hunk as a whole, or on a line of it", () => {
  expect([cursorIndex(lines, 2, null), cursorIndex(lines, 2, "row 2"), cursorIndex(lines, 3, null)]).toEqual([
    4, 5, -1,
  ]);
});
