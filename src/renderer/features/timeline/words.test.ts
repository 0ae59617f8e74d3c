import { expect, test } from "vitest";

import { emptyRun, storyNow, storyRun, storyStart } from "../graph/fixtures.ts";
import { viewRun } from "../subagents.ts";
import { storyItem, storyItems } from "./fixtures.ts";
import { buildLanes } from "./lanes.ts";
import { describeItem, describeLane, sayNow } from "./words.ts";

const view = viewRun(storyRun);

test("at the playhead each lane says what it does or waits for", () => {
  const agents = ["lead", ...storyRun.subagents.map(({ id }) => id)] as const;
  expect(agents.map((agent) => Object.values(sayNow(agent, storyRun, view, storyNow)).join(": "))).toEqual([
    "wait: waits for 7, 8, 10",
    "wait: ",
    "wait: ",
    "wait: ",
    "wait: ",
    "wait: ",
    "you: your review, 3 m",
    "you: your answer, 55 s",
    "work: exploreCode chargeWithRetry",
    "wait: waits for 6",
    "work: searchText “duplicate”",
  ]);
});

test("a lead without words of its own is said to wait for what is open", () => {
  const { waitingFor: _none, ...lead } = storyRun.lead;
  const run = { ...storyRun, status: "waiting" as const, lead: { ...lead, activity: "" } };
  expect(sayNow("lead", run, viewRun(run), storyNow)).toEqual({ tone: "wait", text: "waits for a decision" });
});

test("nothing is said of a run that is over, or of one that does not exist yet", () => {
  const over = { ...storyRun, status: "stopped" as const };
  const said = [sayNow("lead", over, view, storyNow), sayNow("subagent-1", emptyRun, viewRun(emptyRun), storyNow)];
  expect(said.map(({ text }) => text)).toEqual(["", ""]);
});

test("an item says what it was, when, how long, and whether it failed", () => {
  const at = new Date(2026, 10, 30, 14, 2, 31).getTime();
  expect([
    describeItem(storyItem({ kind: "tool", label: "runCommand", at, until: at + 2_400, isFailure: true }), at),
    describeItem(storyItem({ kind: "review", label: "9 hunks", at, until: null }), at + 61_000),
    describeItem(storyItem({ kind: "mark", label: "LOOPING", at, until: at, isFailure: true }), at),
  ]).toEqual([
    ["Tool call", "runCommand", "14:02:31, 2.4 s, failed", ""],
    ["Waits for your review", "9 hunks", "14:02:31, 1 m 01 s so far", ""],
    ["", "LOOPING", "14:02:31", ""],
  ]);
});

test("a lane can be heard in one line", () => {
  const lane = buildLanes(storyItems(storyStart), storyRun.subagents)[7];
  expect(lane && describeLane(lane, "Needs you", sayNow("subagent-7", storyRun, view, storyNow))).toMatch(
    /^Needs you, your answer, 55 s, 31 turns, \d+ tool calls, 1 failed, waited for you 2 times$/,
  );
});
