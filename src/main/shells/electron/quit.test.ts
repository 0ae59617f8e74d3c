import { expect, test } from "vitest";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { askToQuit } from "./quit.ts";

function runOf(title: string, changes: object = {}): RunSnapshot {
  return { title, status: "running", subagents: [], approvals: [], ...changes } as unknown as RunSnapshot;
}

test("[G19] the question names what is at work, in numbers, and keeps it going by default", () => {
  const subagents = ["running", "submitting", "completed", "pending"].map((status) => ({ status }));
  const question = askToQuit([
    runOf("Fix the parser", { subagents }),
    runOf("Write the docs", { status: "waiting", approvals: [{}, {}] }),
  ]);
  expect(question?.message).toBe("2 runs and 3 agents are at work. Stop them and quit?");
  expect(question?.detail).toContain("“Fix the parser”\n“Write the docs”");
  expect(question?.detail).toContain("2 questions for you will still be open.");
  expect([question?.defaultId, question?.cancelId, question?.buttons?.[0]]).toEqual([0, 0, "Keep Working"]);
});

test("[G19] nothing is asked while nothing is at work", () => {
  expect(askToQuit([])).toBeNull();
  expect(askToQuit([runOf("Done", { status: "stopped" })])).toBeNull();
});

test("a long list of runs is cut, and says by how much", () => {
  const question = askToQuit(["a", "b", "c", "d", "e"].map((title) => runOf(title)));
  expect(question?.detail).toContain("“c”\nand 2 more runs");
});
