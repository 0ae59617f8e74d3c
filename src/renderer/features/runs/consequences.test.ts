import { expect, test } from "vitest";

import type { HoldingsPage } from "../../../shared/contract/runPages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { deleteConsequences, stopConsequences } from "./consequences.ts";

test("stopping says who stops, what is withdrawn, what is kept and what stays", () => {
  const idle = { subagents: [] as unknown[], approvals: [] as unknown[], landed: [] as unknown[], target: "main" };
  const busy = {
    subagents: [
      { status: "completed", role: "executor", startedAt: 1 },
      { status: "running", role: "executor", startedAt: 1 },
      { status: "ready", role: "executor", startedAt: null },
    ],
    approvals: [{}, {}],
    landed: [{}],
    target: "main",
  };
  expect([idle, busy].map((run) => stopConsequences(run as unknown as RunSnapshot, 30))).toEqual([
    ["The lead stops.", "Nothing has landed, so your branches stay as they are."],
    [
      "The lead and 2 subagents stop where they are.",
      "2 open approvals will be withdrawn; what they ask for does not happen.",
      "What 1 executor has written and not landed is kept for 30 days.",
      "What has landed stays: 1 commit on main.",
    ],
  ]);
});

test("deleting says what will be gone and what stays", () => {
  const holdings: HoldingsPage = {
    eventCount: 812,
    subagentCount: 6,
    unlandedCount: 3,
    landedCount: 2,
    pinned: (["subagent-1", "subagent-2", "subagent-2", "subagent-4", "subagent-5"] as const).map((agent) => ({
      agent,
      reason: "failed",
      commit: "a91c03e",
      branch: `coppice-restored/r1-${agent}`,
    })),
    pinnedCount: 5,
    keepDays: 30,
  };
  const nothing = { ...holdings, unlandedCount: 0, landedCount: 0, pinned: [], pinnedCount: 0 };
  expect([deleteConsequences(holdings, "main"), deleteConsequences(nothing, "main")]).toEqual([
    [
      "Its journal is deleted: 812 events of the lead and 6 subagents. It cannot be brought back.",
      "3 change sets that did not land will be gone.",
      "So will the work that is kept of subagent-1, subagent-2, subagent-4 and 1 more: 5 commits.",
      "What has landed stays: 2 commits on main.",
    ],
    [
      "Its journal is deleted: 812 events of the lead and 6 subagents. It cannot be brought back.",
      "Nothing of it has landed, so your branches stay as they are.",
    ],
  ]);
});
