// Effect ranks: what lies within a ceiling, and who needs a worktree.

import { expect, test } from "vitest";

import { roles } from "../../../test/support/runStory.ts";
import { isWithin, needsWorktree } from "./roles.ts";

test.each([
  ["read", "read", true],
  ["write", "read", false],
  ["write", "execute", true],
  ["external", "execute", false],
] as const)("%s within %s: %s", (rank, ceiling, within) => {
  expect(isWithin(rank, ceiling)).toBe(within);
});

test("those whose ceiling is at least write have a worktree", () => {
  expect(
    Object.values(roles)
      .filter(needsWorktree)
      .map(({ name }) => name),
  ).toEqual(["verifier", "executor"]);
});
