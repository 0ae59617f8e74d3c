// What is said of a worktree before anything is done about it.

import { expect, test } from "vitest";

import { actWords, standingSentence } from "./worktreeWords.ts";

const line = {
  standing: "leftOver",
  changedCount: 0,
  looseCount: 0,
  branch: "coppice-restored/w",
  lock: null,
} as const;

test("an act names in numbers what is kept where, and what goes", () => {
  expect(actWords("adopt", { ...line, changedCount: 12, looseCount: 3 })).toEqual({
    verb: "Keep and remove",
    consequences: [
      "12 changed files and 3 commits that no branch has go to the branch coppice-restored/w.",
      "The folder is removed, with the files in it that git ignores.",
    ],
  });
  expect(actWords("adopt", line)).toMatchObject({
    verb: "Remove",
    consequences: ["It holds nothing to keep.", expect.stringContaining("folder")],
  });
  expect(actWords("forget", { ...line, looseCount: 1 }).consequences).toEqual([
    "1 commit that no branch has goes to the branch coppice-restored/w.",
    "Git notes it no more. No file is touched.",
  ]);
});

test("what stands and what is locked says so", () => {
  expect([
    standingSentence({ ...line, changedCount: 1 }),
    standingSentence({ ...line, standing: "locked", lock: "on a stick" }),
    standingSentence({ ...line, standing: "inOrder", changedCount: 1 }),
  ]).toEqual([
    "No run that goes on has it. It holds 1 changed file.",
    "You have locked it: on a stick. It is left alone.",
    "1 file differs from where it began.",
  ]);
});
