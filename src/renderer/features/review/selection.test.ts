import { expect, test } from "vitest";

import type { ChangedFile, DiffRow } from "../../../shared/contract/pages.ts";
import { hunkKey, landWords, lineAt, linesOf, offsetsOf, placesOf, selectionOf } from "./selection.ts";

const fileOf = (path: string, hunkCount: number): ChangedFile => ({
  path,
  change: "modified",
  added: 1,
  removed: 1,
  hunkCount,
  hunks: [],
});
const files = [fileOf("a b.ts", 2), fileOf("c.ts", 1)];
const row = (hunk: number, newLine: number | null, oldLine: number | null): DiffRow => ({
  kind: newLine === null ? "removed" : oldLine === null ? "added" : "context",
  newLine,
  oldLine,
  text: "",
  hunk,
});

test("every hunk is accepted until it is rejected, and a file without any is left out", () => {
  expect(selectionOf(files, new Set())).toBeUndefined();
  expect(selectionOf(files, new Set([hunkKey({ path: "a b.ts", number: 1 })]))).toEqual({ "a b.ts": [2], "c.ts": [1] });
  expect(selectionOf(files, new Set(placesOf(files).slice(0, 2).map(hunkKey)))).toEqual({ "c.ts": [1] });
});

test("the button says how many of how many", () => {
  expect([landWords(7, 9), landWords(9, 9), landWords(1, 1), landWords(0, 1)]).toEqual([
    "Land 7 of 9 hunks",
    "Land 9 hunks",
    "Land 1 hunk",
    "Land 0 of 1 hunk",
  ]);
});

test("a hunk has a head that says its lines, and a place in px", () => {
  const lines = linesOf([row(1, 3, 3), row(1, 4, null), row(2, null, 9)]);
  expect(lines.map((line) => (line.kind === "hunk" ? [line.number, line.firstLine, line.lastLine] : "row"))).toEqual([
    [1, 3, 4],
    "row",
    "row",
    [2, 9, 9],
    "row",
  ]);
  const offsets = offsetsOf(lines);
  expect([...offsets]).toEqual([0, 32, 51, 70, 102, 121]);
  expect([-5, 0, 31, 32, 101, 999].map((y) => lineAt(offsets, y))).toEqual([0, 0, 0, 1, 3, 4]);
});
