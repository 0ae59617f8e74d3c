// Which selections of hunks a change set has.

import { expect, test } from "vitest";

import { fileChange } from "../../../test/support/runStory.ts";
import { checkSelection, isWhole } from "./selection.ts";

const files = [fileChange("a.js", 2), fileChange("b.js", 1)];

test.each([
  ["all", null, true],
  [{ "a.js": [1, 2], "b.js": [1] }, null, true],
  [{ "a.js": [2] }, null, false],
  [{ "a.js": [] }, "The selection names no hunk; reject the change set instead.", false],
  [{}, "The selection names no hunk; reject the change set instead.", false],
  [{ "c.js": [1] }, "The change set has no file c.js; it has a.js, b.js.", false],
  [{ "a.js": [3] }, "a.js has no hunk 3; it has 2, numbered from 1.", false],
] as const)("of %j it is said: %s; whole: %s", (selection, problem, whole) => {
  expect([checkSelection(files, selection), isWhole(files, selection)]).toEqual([problem, whole]);
});
