// Which act is offered where git, the disk and the journal disagree about a worktree.

import { expect, test } from "vitest";

import { type SeenWorktree, standingOf } from "./worktreeStanding.ts";

const whole: SeenWorktree = {
  isRegistered: true,
  isOnDisk: true,
  isConnected: true,
  isInJournal: true,
  run: "goesOn",
  lock: null,
};
const stray: SeenWorktree = { ...whole, isInJournal: false, run: "none" };
const absent = { isOnDisk: false, isConnected: false };
const unknown = { isRegistered: false, isConnected: false };

test.each<[string, SeenWorktree, string | null, string | null]>([
  ["where all agree", whole, "inOrder", null],
  ["that git does not know of any more", { ...whole, ...unknown }, "unconnected", "repair"],
  ["whose two ends do not name each other", { ...whole, isConnected: false }, "unconnected", "repair"],
  ["whose folder was deleted under a run that goes on", { ...whole, ...absent }, "gone", null],
  ["of a check that is being run", { ...stray, run: "goesOn" }, "passing", null],
  ["of no run here", stray, "leftOver", "adopt"],
  ["of a run that is over", { ...stray, run: "over" }, "leftOver", "adopt"],
  ["that git does not know of either", { ...stray, ...unknown }, "leftOver", "adopt"],
  ["that only git knows of", { ...stray, ...absent }, "forgotten", "forget"],
  ["that nobody knows of", { ...stray, ...absent, ...unknown }, null, null],
  ["that a person has locked", { ...stray, lock: "on a stick" }, "locked", null],
])("a worktree %s", (_, seen, standing, act) => {
  expect(standingOf(seen)).toEqual(standing === null ? null : { standing, act });
});
