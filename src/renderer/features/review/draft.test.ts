// Decisions and comments that are not sent yet.

import { expect, test } from "vitest";

import {
  amendmentOf,
  decideHunk,
  decideLines,
  editHunk,
  emptyDraft,
  isRejected,
  readDraft,
  sendBackText,
  setComment,
  setViewed,
} from "./draft.ts";
import type { LineComment } from "./draft.ts";

const place = { path: "a.ts", number: 2 };
const comment: LineComment = { path: "b.ts", side: "new", line: 12, quote: "  return a;", text: "Why a?" };

test("lines are left out and taken in again, and a hunk without any change left is rejected", () => {
  const one = decideLines(emptyDraft, place, [3], false, 3);
  const two = decideLines(one, place, [1], false, 3);
  const none = decideLines(two, place, [2], false, 3);
  const again = decideLines(none, place, [2], true, 3);
  const all = decideLines(again, place, [1, 3], true, 3);
  expect([one, two, none, again, all].map((draft) => [amendmentOf(draft, place), isRejected(draft, place)])).toEqual([
    [{ path: "a.ts", hunk: 2, leftOut: [3] }, false],
    [{ path: "a.ts", hunk: 2, leftOut: [1, 3] }, false],
    [null, true],
    [{ path: "a.ts", hunk: 2, leftOut: [1, 3] }, false],
    [null, false],
  ]);
});

test("a hunk that is decided as a whole loses its amendment, and an edit stands in place of lines left out", () => {
  const edited = editHunk(decideLines(emptyDraft, place, [1], false, 2), place, "x\n");
  expect([amendmentOf(edited, place), amendmentOf(decideHunk(edited, place, false), place)]).toEqual([
    { path: "a.ts", hunk: 2, text: "x\n" },
    null,
  ]);
});

test("a line has one comment, which goes when its text does", () => {
  const once = setComment(emptyDraft, comment);
  const twice = setComment(once, { ...comment, quote: "another", text: "Why?" });
  expect([twice.comments, setComment(twice, { ...comment, text: "" }).comments]).toEqual([
    [{ ...comment, text: "Why?" }],
    [],
  ]);
});

test("what is sent back names file and line of each comment, in their order", () => {
  const removed: LineComment = { path: "a.ts", side: "old", line: 7, quote: "old()", text: " Keep this. " };
  expect(sendBackText(" In all: smaller. ", [comment, removed, { ...comment, line: 3, text: "And this." }])).toBe(
    [
      "In all: smaller.",
      "a.ts:7 (a line that you removed, numbered as in the base)\n> old()\nKeep this.",
      "b.ts:3\n>   return a;\nAnd this.",
      "b.ts:12\n>   return a;\nWhy a?",
    ].join("\n\n"),
  );
});

test("a draft comes back as it was kept, and what is not understood is none", () => {
  const draft = setViewed(setComment(decideLines(emptyDraft, place, [1], false, 2), comment), "a.ts", true);
  expect([JSON.stringify(draft), null, "{", '{"rejected":[1]}'].map(readDraft)).toEqual([
    draft,
    emptyDraft,
    emptyDraft,
    emptyDraft,
  ]);
});

test("a choice in a conflict goes when the file that meets the target is another, and with no other", () => {
  const chosen = (path: string) => ({ path, target: "1", proposed: "2", picks: ["both" as const] });
  const draft = { ...emptyDraft, resolutions: [chosen("a.ts"), chosen("b.ts")] };
  const after = [
    decideHunk(draft, place, false),
    decideLines(draft, place, [1], false, 2),
    editHunk(draft, place, "x\n"),
    decideHunk(draft, place, true),
    decideHunk(draft, { path: "c.ts", number: 1 }, false),
  ];
  expect(after.map(({ resolutions }) => resolutions.map(({ path }) => path))).toEqual([
    ["b.ts"],
    ["b.ts"],
    ["b.ts"],
    ["a.ts", "b.ts"],
    ["a.ts", "b.ts"],
  ]);
});
