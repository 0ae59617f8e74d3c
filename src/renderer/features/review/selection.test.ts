import { expect, test } from "vitest";

import type { ChangedFile } from "../../../shared/contract/pages.ts";
import { hunkKey, landWords, placesOf, selectionOf } from "./selection.ts";
import type { HunkKey } from "./selection.ts";

const fileOf = (path: string, hunkCount: number): ChangedFile => ({
  path,
  change: "modified",
  added: 1,
  removed: 1,
  hunkCount,
  hunks: [],
});
const files = [fileOf("a b.ts", 2), fileOf("c.ts", 1)];

test("every hunk is accepted until it is rejected, and a file without any is left out", () => {
  const select = (...rejected: readonly HunkKey[]) => selectionOf(files, new Set(rejected), false);
  expect(select()).toBeUndefined();
  expect(select(hunkKey({ path: "a b.ts", number: 1 }))).toEqual({ "a b.ts": [2], "c.ts": [1] });
  expect(select(...placesOf(files).slice(0, 2).map(hunkKey))).toEqual({ "c.ts": [1] });
});

test("all hunks are named where an earlier choice would else hold on", () => {
  expect(selectionOf(files, new Set(), true)).toEqual({ "a b.ts": [1, 2], "c.ts": [1] });
});

test("the button says how many of how many", () => {
  expect([landWords(7, 9), landWords(9, 9), landWords(1, 1), landWords(0, 1)]).toEqual([
    "Land 7 of 9 hunks",
    "Land 9 hunks",
    "Land 1 hunk",
    "Land 0 of 1 hunk",
  ]);
});
