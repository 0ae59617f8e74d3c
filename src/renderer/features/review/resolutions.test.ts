// What is chosen in conflicts, until it is sent.

import { expect, test } from "vitest";

import { emptyDraft } from "./draft.ts";
import { conflictsOf, pickAt, picksOf, resolutionsToSend } from "./resolutions.ts";
import { hunkKey } from "./selection.ts";

const meeting = { path: "a.ts", kind: "lines", target: "t1", proposed: "p1", regionCount: 2 } as const;

test("a file is sent once every place in it is chosen, and while it is in conflict", () => {
  const half = pickAt(emptyDraft, meeting, 1, "both");
  const whole = pickAt(half, meeting, 0, { text: "own\n" });
  const resolution = { path: "a.ts", target: "t1", proposed: "p1", picks: [{ text: "own\n" }, "both"] };
  expect([
    picksOf(half, meeting),
    resolutionsToSend(half, ["a.ts"]),
    resolutionsToSend(whole, ["a.ts"]),
    resolutionsToSend(whole, ["b.ts"]),
    pickAt(half, meeting, 1, null).resolutions,
  ]).toEqual([[null, "both"], [], [resolution], [], []]);
});

test("what was chosen between other files is not chosen, and gives way to the first new choice", () => {
  const before = pickAt(pickAt(emptyDraft, meeting, 0, "target"), meeting, 1, "target");
  const later = { ...meeting, target: "t2" };
  expect([picksOf(before, later), pickAt(before, later, 0, "proposed").resolutions]).toEqual([
    [null, null],
    [{ path: "a.ts", target: "t2", proposed: "p1", picks: ["proposed", null] }],
  ]);
  expect(picksOf(before, { ...meeting, kind: "whole" })).toEqual([null]);
});

test("a file of which nothing would land is in no conflict", () => {
  const files = { items: [file("a.ts"), file("b.ts"), file("c.ts")], next: null };
  const page = { landing: null, drift: null, conflicts: ["a.ts", "b.ts"], files } as never;
  expect(conflictsOf(page, new Set([hunkKey({ path: "a.ts", number: 1 })]))).toEqual(["b.ts"]);
});

function file(path: string) {
  return { path, hunkCount: 1 };
}
