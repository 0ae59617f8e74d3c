import { expect, test } from "vitest";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { AssignmentPage } from "../../../shared/contract/runPages.ts";
import type { RunListItem, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { widthOf } from "../subagents.ts";
import { likelyRival, rowsOf } from "./figures.ts";

const minute = 60_000;
const agent = (startedAt: number | null, endedAt: number | null, status = "completed") =>
  ({ startedAt, endedAt, status }) as RunSnapshot["subagents"][number];

const snapshot = (more: Partial<RunSnapshot>) =>
  ({
    status: "stopped",
    stopReason: "final_answer",
    partial: false,
    approvals: [],
    createdAt: 0,
    stoppedAt: 10 * minute,
    base: { branch: "main", commit: "0123456789" },
    lead: { model: "m" },
    subagents: [],
    landed: [],
    usage: { inputTokens: 900, outputTokens: 100, cachedTokens: 0, requests: 10 },
    costUsd: 1,
    ...more,
  }) as RunSnapshot;
const assigned = { policy: { kind: "rules", preset: "default" } } as AssignmentPage;

test("figures stand beside each other, with how much the second differs and which took less", () => {
  const first = snapshot({ subagents: [agent(0, 5), agent(2, 8), agent(6, 9, "failed")] });
  const { stoppedAt: _, ...running } = snapshot({ status: "running", stopReason: null });
  const second = {
    ...running,
    costUsd: null,
    usage: { inputTokens: 400, outputTokens: 100, cachedTokens: 0, requests: 10 },
    landed: [{ files: ["a", "b"] }, { files: ["b"] }] as unknown as RunSnapshot["landed"],
  };
  const rows = rowsOf({ snapshot: first, assignment: assigned }, { snapshot: second, assignment: null }, 20 * minute);
  expect(rows.map(({ name, values, difference, better }) => [name, ...values, difference, better])).toEqual([
    ["Outcome", "Answered", "Goes on (running)", "", null],
    ["Policy", "Rules: independent work", "", "", null],
    ["Model", "m", "m", "", null],
    ["Began at", "main 0123456", "main 0123456", "", null],
    ["Time", "10 m 00 s", "20 m 00 s", "+100 %", 0],
    ["Cost", "$1.00", "not known", "", null],
    ["Tokens", "1.0 k", "500", "−50 %", 1],
    ["Requests", "10", "10", "", null],
    ["Subagents", "3", "0", "−100 %", null],
    ["At work at once", "2", "0", "−100 %", null],
    ["Failed or cancelled", "1", "0", "−100 %", 1],
    ["Landed", "nothing", "2 commits, 2 files", "", null],
  ]);
});

test("at work at once is counted over starts and ends, for who goes on until now", () => {
  expect([widthOf([], 9), widthOf([agent(null, null)], 9), widthOf([agent(1, 2), agent(2, 3)], 9)]).toEqual([0, 0, 1]);
  expect(widthOf([agent(1, null), agent(5, null), agent(7, 7)], 9)).toBe(3);
});

test("the likely rival has the same task, else the same repository, and is never the run itself", () => {
  const run = (id: string, title: string, repo: string, createdAt: number) =>
    ({ run: id as RunId, title, repo, createdAt }) as RunListItem;
  const runs = [
    run("a", "Fix it", "/r", 5),
    run("b", "Other", "/r", 4),
    run("c", "Fix it", "/r", 1),
    run("d", "New", "/q", 9),
  ];
  const rival = (id: string, among = runs) => likelyRival(among, id as RunId);
  expect([rival("a"), rival("b"), rival("d"), rival("a", runs.slice(0, 1))]).toEqual(["c", "a", "a", null]);
});
