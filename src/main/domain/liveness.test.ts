// Progress, not the clock: the verdicts of a check, and the circles that the guard sees.

import { describe, expect, test } from "vitest";

import { type Activity, findLoop, judgeLiveness } from "./liveness.ts";
import type { GuardEntry } from "./state.ts";

const quiet: Activity = { hasProgressed: false, inFlight: [], ranMs: 60_000, ceilingMs: 1_800_000 };
const command = { kind: "command", name: "npm test", sinceMs: 90_000 } as const;
const request = { kind: "model", name: "m", sinceMs: 61_000 } as const;

function entry(call: string, result = "r", tool = "readFile"): GuardEntry {
  return { tool, call, result };
}

describe("a check finds an agent", () => {
  test("progressing when there is something new", () => {
    expect(judgeLiveness({ ...quiet, hasProgressed: true })).toEqual({
      verdict: "progressing",
      reason: "new entries since the last check",
    });
  });

  test("blocked when something is in flight, and names it", () => {
    expect([
      judgeLiveness({ ...quiet, inFlight: [request] }),
      judgeLiveness({ ...quiet, inFlight: [command, request] }),
    ]).toEqual([
      { verdict: "blocked", reason: "model m in flight for 61 s" },
      { verdict: "blocked", reason: "command npm test in flight for 90 s and 1 more" },
    ]);
  });

  test("stalled when nothing is new and nothing in flight", () => {
    expect(judgeLiveness(quiet)).toEqual({
      verdict: "stalled",
      code: "STALLED",
      reason: "nothing new and nothing in flight since the last check",
    });
  });

  test("[F01] at its ceiling whatever else it does", () => {
    expect(judgeLiveness({ hasProgressed: true, inFlight: [command], ranMs: 1_800_000, ceilingMs: 1_800_000 })).toEqual(
      {
        verdict: "ceiling",
        code: "CEILING",
        reason: "ran for 1800 s, its ceiling is 1800 s",
      },
    );
  });
});

describe("the loop guard", () => {
  test("sees the third identical call with an identical result, also with others between", () => {
    expect(findLoop([entry("a"), entry("b"), entry("a"), entry("c"), entry("a")])).toEqual({
      tool: "readFile",
      reason: "readFile was called 3 times with the same arguments and the same result",
    });
  });

  test.each([
    ["two identical calls", [entry("a"), entry("a")]],
    ["three with other results", [entry("a", "1"), entry("a", "2"), entry("a", "3")]],
    ["three with other arguments", [entry("a"), entry("b"), entry("c")]],
    ["three of other tools", [entry("a"), entry("a", "r", "listFiles"), entry("a", "r", "searchText")]],
    ["A-B-A-B with changing results", [entry("a", "1"), entry("b", "1"), entry("a", "2"), entry("b", "2")]],
    ["nothing", []],
  ])("does not see a circle in %s", (_, window) => {
    expect(findLoop(window)).toBeNull();
  });

  test("[F16] sees A-B-A-B", () => {
    expect(findLoop([entry("x"), entry("a"), entry("b"), entry("a"), entry("b")])?.reason).toBe(
      "readFile and readFile take turns with the same arguments and the same results",
    );
  });
});
