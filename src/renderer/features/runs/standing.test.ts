import { describe, expect, it } from "vitest";
import type { NodeStatus, RunStatus, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { continuingCommand, describeSubagent, explainSubagent, relateSubagent } from "./standing.ts";

function subagentOf(changes: Partial<SubagentSnapshot> = {}): SubagentSnapshot {
  return {
    id: "subagent-3",
    role: "explorer",
    title: "Look",
    status: "running",
    model: "m",
    dependsOn: [],
    verification: "not-run",
    steps: 1,
    maxSteps: 10,
    inputTokens: 0,
    outputTokens: 0,
    costMicros: null,
    createdAt: 0,
    startedAt: 0,
    endedAt: null,
    activity: "readFile a.ts",
    ...changes,
  };
}

describe("how a subagent stands", () => {
  it("needs the person only while an approval of its own is open", () => {
    const waiting = subagentOf({ status: "waiting" });
    const words = [new Set<string>(), new Set(["subagent-4"]), new Set(["subagent-3"])].map(
      (asking) => describeSubagent(waiting, asking).word,
    );
    expect(words).toEqual(["Waiting", "Waiting", "Needs you"]);
  });

  it.each<[NodeStatus, string]>([
    ["pending", "Waiting"],
    ["ready", "Queued"],
    ["running", "Working"],
    ["submitting", "Working"],
    ["awaiting_review", "Ready to review"],
    ["landing", "Landing"],
    ["completed", "Done"],
    ["failed", "Failed"],
    ["cancelled", "Stopped"],
  ])("calls %s %s", (status, word) => {
    expect(describeSubagent(subagentOf({ status }), new Set()).word).toBe(word);
  });
});

describe("why a subagent does not go on", () => {
  it("says first what holds its change, then what it waits for, then how it ended, then what it does", () => {
    const held = { code: "BASE_MOVED", sentence: "held" };
    const waitingFor = { code: "SLOT", sentence: "waits" };
    const told = [{ held, waitingFor, code: "LOOPING" }, { waitingFor, code: "LOOPING" }, { code: "LOOPING" }, {}].map(
      (changes) => explainSubagent(subagentOf(changes)),
    );
    expect(told).toEqual(["held", "waits", "LOOPING", "readFile a.ts"]);
  });

  it("says nothing of the last act of one that has ended", () => {
    expect(explainSubagent(subagentOf({ status: "completed" }))).toBeNull();
  });

  it("names what it came after and what it replaces", () => {
    const dependsOn = [
      { id: "subagent-1", until: "completed" },
      { id: "subagent-2", until: "proposed" },
    ] as const;
    expect([relateSubagent(subagentOf({ dependsOn, replaces: "subagent-1" })), relateSubagent(subagentOf())]).toEqual([
      "after subagent-1, -2, replaces subagent-1",
      "",
    ]);
  });
});

describe("a run that nobody drives", () => {
  it("names the command that goes on with it, and no other run does", () => {
    const statuses: readonly RunStatus[] = [
      "created",
      "running",
      "waiting",
      "paused",
      "ready",
      "interrupted",
      "stopped",
      "quarantined",
      "imported",
    ];
    const named = statuses.filter(
      (status) => continuingCommand({ run: "run-1", status } as Parameters<typeof continuingCommand>[0]) !== null,
    );
    expect(named).toEqual(["ready", "interrupted"]);
  });
});
