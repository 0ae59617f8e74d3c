import { expect, test } from "vitest";

import type { SubagentId } from "../../../shared/contract/ids.ts";
import { describeMembers } from "./waveWords.ts";

const member = (role: string, startedAt: number | null = null, endedAt: number | null = null) => ({
  role,
  startedAt,
  endedAt,
});
const held = {
  ...member("explorer"),
  rule: { beside: ["subagent-1" as SubagentId], because: "no-shared-state is unknown" },
};

test("those of a wave work side by side only where they do: not under a rule, nor where some have waited for others' end, or wait", () => {
  expect([
    describeMembers([member("explorer")]),
    describeMembers([member("explorer"), member("planner")]),
    describeMembers([member("explorer", 1, 5), member("planner", 3, null)]),
    describeMembers([member("explorer", 5, null), member("planner", 1, 5)]),
    describeMembers([member("explorer", 1, null), held]),
    describeMembers([member("explorer", 1, 5), member("explorer", 1, null), member("explorer", 5, null)]),
    describeMembers([member("explorer", 1, 5), member("explorer", 1, null), member("explorer"), member("planner")]),
    describeMembers([member("explorer", 1, 5), member("explorer", 2, 6), member("planner", null, 9)]),
    describeMembers([member("executor"), member("executor")]),
    describeMembers([member("executor"), member("explorer")]),
  ]).toEqual([
    "1 reader",
    "2 readers side by side",
    "2 readers side by side",
    "2 readers, one after the other",
    "2 readers, 1 held by a rule",
    "3 readers, at most 2 at once",
    "4 readers, 2 to begin",
    "3 readers side by side",
    "2 writers, a worktree each",
    "1 reader, 1 writer",
  ]);
});
