import { describe, expect, it } from "vitest";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunStatus } from "../../../shared/contract/snapshots.ts";
import { describeRun, findRuns, groupRuns, nextInNeed, queueOf } from "./attention.ts";

const plain: RunListItem = {
  run: "run-1" as RunId,
  title: "A task",
  status: "running",
  stopReason: null,
  repo: "/repo",
  createdAt: 0,
  needsYouCount: 0,
  reviewCount: 0,
  updatedAt: 0,
};

function runOf(changes: Partial<RunListItem> = {}): RunListItem {
  return Object.assign({ ...plain }, changes);
}

/** The list as labels and titles. */
function outline(runs: readonly RunListItem[]): readonly (readonly [string, readonly string[]])[] {
  return groupRuns(runs).map(({ label, runs: members }) => [label, members.map(({ title }) => title)]);
}

describe("the list of runs", () => {
  it("puts first what needs the person, the newest on top, and hides empty groups", () => {
    const runs = [
      runOf({ title: "ended", status: "stopped", stopReason: "final_answer" }),
      runOf({ title: "asks", status: "waiting", needsYouCount: 1, createdAt: 1 }),
      runOf({ title: "asks since later", status: "running", needsYouCount: 2, createdAt: 2 }),
    ];
    expect(outline(runs)).toEqual([
      ["Needs you", ["asks since later", "asks"]],
      ["Done", ["ended"]],
    ]);
  });

  it.each<[RunStatus, string]>([
    ["created", "Running"],
    ["running", "Running"],
    ["waiting", "Running"],
    ["paused", "Running"],
    ["ready", "Needs you"],
    ["interrupted", "Needs you"],
    ["quarantined", "Needs you"],
    ["stopped", "Done"],
    ["imported", "Done"],
  ])("files a run that is %s under %s", (status, label) => {
    expect(outline([runOf({ status })])).toEqual([[label, ["A task"]]]);
  });

  it("keeps apart what only waits for a review, also after the stop", () => {
    const review = { needsYouCount: 1, reviewCount: 1, asks: ["changeset"] };
    const runs = [
      runOf({ title: "reviews", status: "waiting", ...review }),
      runOf({ title: "whole branch", status: "stopped", stopReason: "final_answer", ...review }),
      runOf({ title: "asks", status: "waiting", needsYouCount: 2, reviewCount: 1, asks: ["changeset", "command"] }),
    ];
    expect([outline(runs), runs.map((run) => describeRun(run))]).toEqual([
      [
        ["Needs you", ["asks"]],
        ["Ready to review", ["reviews", "whole branch"]],
      ],
      [
        { shape: "ready", word: "1 review" },
        { shape: "ready", word: "1 review" },
        { shape: "needs-you", word: "1 review, 1 command" },
      ],
    ]);
  });

  it("says who is at work, and what came of it", () => {
    const stopped = { status: "stopped", stopReason: "final_answer" } as const;
    const words = [
      runOf({ agents: "wdwq" }),
      runOf({ agents: "w" }),
      runOf({ agents: "dd" }),
      runOf({ ...stopped, landed: "a91c03e" }),
      runOf(stopped),
      runOf({ needsYouCount: 9, asks: ["command", "unheard-of"] }),
    ].map((run) => describeRun(run).word);
    expect(words).toEqual([
      "2 of 4 at work",
      "Working",
      "Working",
      "Landed a91c03e",
      "Answered",
      "1 command, 1 approval and 7 more",
    ]);
  });

  it("finds runs by words of their title, or by their id", () => {
    const runs = [
      runOf({ title: "Export orders as CSV" }),
      runOf({ title: "Orders of one customer", run: "k3v9x2m7qa" as RunId }),
    ];
    const titles = (sought: string) => findRuns(runs, sought).map(({ title }) => title.split(" ")[0]);
    expect(["  ", "ORDERS", "csv orders", "k3v", "csv customer"].map(titles)).toEqual([
      ["Export", "Orders"],
      ["Export", "Orders"],
      ["Export"],
      ["Orders"],
      [],
    ]);
  });

  it("leads from one run that needs the person to the next, the longest wait first", () => {
    const ids = ["late", "early", "busy", "left"] as unknown as readonly RunId[];
    const [late, early, busy, left] = ids as [RunId, RunId, RunId, RunId];
    const runs = [
      runOf({ run: late, needsYouCount: 1, askedAt: 9 }),
      runOf({ run: early, needsYouCount: 1, reviewCount: 1, askedAt: 2 }),
      runOf({ run: busy }),
      runOf({ run: left, status: "interrupted", updatedAt: 5 }),
    ];
    expect([null, early, left, late, busy].map((current) => nextInNeed(queueOf(runs), current))).toEqual([
      early,
      left,
      late,
      early,
      early,
    ]);
    expect(nextInNeed(queueOf([runOf({ run: busy })]), busy)).toBeNull();
  });

  it("never lets a run that hit a limit look like a success", () => {
    const shapes = ["max_steps", "budget_exhausted", "failed", "handoff_blocked"].map(
      (stopReason) => describeRun(runOf({ status: "stopped", stopReason })).shape,
    );
    expect(new Set(shapes)).toEqual(new Set(["failed"]));
  });

  it("shows a stop reason that it does not know by its name", () => {
    expect(describeRun(runOf({ status: "stopped", stopReason: "moon_phase" }))).toEqual({
      shape: "stopped",
      word: "moon_phase",
    });
  });
});
