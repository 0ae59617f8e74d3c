// Who went on from what has landed.

import { expect, test } from "vitest";

import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { startedWords } from "./dependents.ts";

const dependent = (ordinal: number, startedAt: number | null) =>
  ({ id: `subagent-${ordinal}`, startedAt }) as SubagentSnapshot;

test.each([
  [[], ""],
  [[dependent(2, null)], "subagent-2 waits for it"],
  [[dependent(2, null), dependent(3, null)], "2 wait for it"],
  [[dependent(2, null), dependent(3, 5)], "subagent-3 started"],
  [[dependent(2, 1), dependent(3, 5)], "2 dependents started"],
])("of %j it is said: %s", (dependents, words) => {
  expect(startedWords(dependents)).toBe(words);
});
