// What stands in place of a hunk of which lines are left out, or which was edited.

import { expect, test } from "vitest";

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import { amendHunk, joinLines } from "./amend.ts";

const hunk = { number: 1, oldStart: 1, oldLines: 3, newStart: 1, newLines: 4 };

/** The hunk ` a`, `-b`, `+B`, `+C`, ` d` with `amendment`. */
function amend(amendment: { readonly leftOut: readonly number[] } | { readonly text: string }, end = "\n"): string {
  const side = (...lines: readonly string[]) => Buffer.from(lines.map((line) => line + end).join(""), "latin1");
  const sides = { old: side("a", "b", "d"), next: side("a", "B", "\xe9", "d") };
  const whole: HunkAmendment = { path: "f", hunk: 1, ...amendment };
  return amendHunk(hunk, sides, " -++ ", whole).toString("latin1");
}

test("what is not removed stays in its place, and what is not added does not come", () => {
  expect([[1], [2], [3], [1, 2], [2, 3], [1, 2, 3]].map((leftOut) => amend({ leftOut }))).toEqual([
    "a\nb\nB\n\xe9\nd\n",
    "a\n\xe9\nd\n",
    "a\nB\nd\n",
    "a\nb\n\xe9\nd\n",
    "a\nd\n",
    "a\nb\nd\n",
  ]);
});

test("each line keeps its own end, and a text stands as it was written", () => {
  expect([amend({ leftOut: [2] }, "\r\n"), amend({ text: "x\r\ny" })]).toEqual(["a\r\n\xe9\r\nd\r\n", "x\r\ny"]);
});

test("a changed line that the hunk does not have is refused", () => {
  expect(() => amend({ leftOut: [4] })).toThrow("Hunk 1 of f has 3 changed lines; asked to leave out 4.");
});

test("[B11] a last line without a line end gets one only where more follows, and as that has it", () => {
  const join = (...parts: readonly string[]) => joinLines(parts.map((part) => Buffer.from(part))).toString();
  expect([join("a", "b\n"), join("a", "b\r\nc"), join("a", "", "b"), join("a\n", "b"), join("a", "")]).toEqual([
    "a\nb\n",
    "a\r\nb\r\nc",
    "a\nb",
    "a\nb",
    "a",
  ]);
});
