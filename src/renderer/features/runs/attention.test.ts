import { describe, expect, it } from "vitest";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunStatus } from "../../../shared/contract/snapshots.ts";
import { describeRun, groupRuns } from "./attention.ts";

function runOf(changes: Partial<RunListItem> = {}): RunListItem {
  return {
    run: "run-1" as RunId,
    title: "A task",
    status: "running",
    stopReason: null,
    repo: "/repo",
    createdAt: 0,
    needsYouCount: 0,
    reviewCount: 0,
    ...changes,
  };
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

  it("does not ask for approvals of a run that has stopped", () => {
    const stopped = runOf({ status: "stopped", stopReason: "cancelled", needsYouCount: 2 });
    expect([outline([stopped])[0]?.[0], describeRun(stopped)]).toEqual(["Done", { shape: "stopped", word: "Stopped" }]);
  });

  it("never lets a run that hit a limit look like a success", () => {
    const shapes = ["max_steps", "budget_exhausted", "failed", "handoff_blocked", "manual_reconciliation"].map(
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
