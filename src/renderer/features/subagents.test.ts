import { expect, test } from "vitest";

import { subagentId } from "../../shared/contract/ids.ts";
import { storyNow, storyRun, withSubagent } from "./graph/fixtures.ts";
import { describeLead, describeLeadUsage, describeTime, shorten, viewRun } from "./subagents.ts";

test("every subagent of the story has its word and what is to be said of it", () => {
  const { accounts } = viewRun(storyRun);
  expect([...accounts.values()].map(({ shape, word, says }) => [shape, word, says].join(" | "))).toEqual([
    "done | Done | No dedupe, payments.ts:41",
    "done | Done | Two callers may enter CHARGING",
    "failed | Failed | LOOPING: same search, 3 times",
    "stopped | Stopped | subagent-3 did not complete",
    "landed | Landed | a91c03e on main, 1 file",
    "ready | Ready to review | 9 hunks, 6 files, checks passed",
    "needs-you | Needs you | Run npm run db:migrate?",
    "working | Working | exploreCode chargeWithRetry",
    "waiting | Waiting | Waits for subagent-6",
    "working | Working | searchText “duplicate”",
  ]);
});

test("who has handed something in is quoted, and who has failed says why beside the code", () => {
  const told = withSubagent(storyRun, subagentId(1), { headline: "Callbacks enter in payments.ts" });
  const run = withSubagent(told, subagentId(3), { code: "LOOPING", sentence: "The same search, 3 times." });
  const { accounts } = viewRun(run);
  expect([accounts.get(subagentId(1))?.says, accounts.get(subagentId(3))?.says]).toEqual([
    "Callbacks enter in payments.ts",
    "LOOPING: The same search, 3 times",
  ]);
});

test("what is replaced names its replacement", () => {
  expect([...viewRun(storyRun).accounts.values()].map(({ replacedBy }) => replacedBy)).toEqual([
    0, 0, 10, 0, 0, 0, 0, 0, 0, 0,
  ]);
});

test("times say how long it worked, how long it is queued, or that it never started", () => {
  const times = storyRun.subagents.map((subagent) => describeTime(subagent, storyNow));
  expect([times[0], times[3], times[7], times[8]]).toEqual([
    "3 m 13 s",
    "never started",
    "2 m 49 s",
    "queued 2 m 44 s",
  ]);
});

test("the lead's own figures are the run's less its subagents'", () => {
  expect(describeLeadUsage(storyRun)).toEqual(["184 k", "$0.31"]);
  const told = { ...storyRun.usage, inputTokens: 1, outputTokens: 1 };
  expect(describeLeadUsage({ ...storyRun, usage: told })).toEqual(["–", "$0.31"]);
});

test("the lead says whom it waits for, once", () => {
  expect([
    describeLead(storyRun),
    describeLead({ ...storyRun, status: "stopped", stopReason: "final_answer" }),
  ]).toEqual([
    { shape: "waiting", word: "Waits for subagent-7, -8, -10", says: "" },
    { shape: "done", word: "Done", says: "" },
  ]);
});

test("a lead that has said all waits for what is open, and one that failed says of what", () => {
  const { waitingFor: _none, ...lead } = storyRun.lead;
  const waiting = { ...storyRun, status: "waiting" as const, lead: { ...lead, activity: "Answered" } };
  const [ask] = storyRun.approvals;
  if (ask === undefined) throw new Error("The story asks nothing.");
  const open = (...kinds: readonly string[]) => ({ ...waiting, approvals: kinds.map((kind) => ({ ...ask, kind })) });
  const stopped = { ...storyRun, status: "stopped" as const };
  const stopFailure = { code: "AUTH_FAILED", sentence: "The key was refused." };
  expect(
    [
      open("changeset"),
      open("changeset", "command"),
      { ...stopped, stopReason: "failed", stopFailure },
      { ...stopped, stopReason: "failed" },
      { ...stopped, stopReason: "budget_exhausted" },
    ]
      .map(describeLead)
      .map(({ word, says }) => [word, says]),
  ).toEqual([
    ["Waits for a review", ""],
    ["Waits for a decision", ""],
    ["Failed", "AUTH_FAILED: The key was refused."],
    ["Failed", ""],
    ["Failed", "budget exhausted"],
  ]);
});

test("whoever was at work when the run was interrupted is not said to work", () => {
  const word = (run: typeof storyRun) => viewRun(run).accounts.get("subagent-8")?.word;
  expect([word(storyRun), word({ ...storyRun, status: "interrupted" })]).toEqual(["Working", "Interrupted"]);
});

test("a sentence names each further subagent by its number", () => {
  expect(shorten("Waits for subagent-1, subagent-2 and subagent-3.")).toBe("Waits for subagent-1, -2 and subagent-3");
});
