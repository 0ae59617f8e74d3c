// How much of a file's conflicts a page shows.

import { expect, test } from "vitest";

import type { LineConflict } from "../engine/ports/git.ts";
import { jsonBytes, maxPageBytes } from "./fit.ts";
import { boundedRegions } from "./patchReader.ts";

const conflict = (text: string, count = 1): LineConflict => {
  const lines = Array.from({ length: count }, () => text);
  return { line: 1, before: lines, after: lines, base: lines, target: lines, proposed: lines, endsWithLine: true };
};

test("one place that is too large is cut, and takes no room from those that fit", () => {
  const regions = boundedRegions([conflict("x".repeat(60_000)), conflict("small"), conflict("as well")]);
  expect(regions.map(({ isCut }) => isCut)).toEqual([true, false, false]);
});

test.each([
  ["many lines", conflict("e".repeat(900), 14)],
  ["long lines of other scripts", conflict("字".repeat(900), 14)],
  ["characters that JSON escapes", conflict("\u0001".repeat(400), 14)],
])("a page of a hundred places with %s fits", (_, region) => {
  const regions = boundedRegions(Array.from({ length: 101 }, () => region));
  expect([regions.length, jsonBytes(regions) < maxPageBytes]).toEqual([100, true]);
});
