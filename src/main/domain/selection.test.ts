// Which selections of hunks a change set has.

import { expect, test } from "vitest";

import { fileChange } from "../../../test/support/runStory.ts";
import { checkAmendments, checkSelection, isWhole } from "./selection.ts";

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
  expect([checkSelection(files, selection), isWhole(files, { hunks: selection, amendments: [] })]).toEqual([
    problem,
    whole,
  ]);
});

test.each([
  [{ path: "a.js", hunk: 1, leftOut: [1] }, null],
  [{ path: "a.js", hunk: 1, text: "" }, null],
  [{ path: "a.js", hunk: 2, leftOut: [1] }, "Hunk 2 of a.js is not accepted, so nothing in it can be amended."],
  [{ path: "c.js", hunk: 1, leftOut: [1] }, "Hunk 1 of c.js is not accepted, so nothing in it can be amended."],
  [{ path: "a.js", hunk: 1, leftOut: [] }, "Hunk 1 of a.js is amended by nothing."],
  [{ path: "a.js", hunk: 1, leftOut: [99] }, "Hunk 1 of a.js has no changed line 99."],
] as const)("of the amendment %j it is said: %s", (amendment, problem) => {
  const accepted = { hunks: { "a.js": [1], "b.js": [1] }, amendments: [amendment] };
  expect([checkAmendments(files, accepted), isWhole(files, accepted)]).toEqual([problem, false]);
});

test("a hunk is amended once, and one without lines not at all", () => {
  const twice = [
    { path: "a.js", hunk: 1, leftOut: [1] },
    { path: "a.js", hunk: 1, text: "x" },
  ];
  const gone = { ...fileChange("d.js"), change: "deleted" } as const;
  expect([
    checkAmendments(files, { hunks: "all", amendments: twice }),
    checkAmendments([gone], { hunks: "all", amendments: [{ path: "d.js", hunk: 1, leftOut: [1] }] }),
  ]).toEqual([
    "Hunk 1 of a.js is amended twice.",
    "d.js lands whole, or not at all: it has no lines that could be left out or edited.",
  ]);
});
