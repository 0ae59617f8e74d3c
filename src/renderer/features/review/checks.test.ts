import { expect, test } from "vitest";

import type { CheckRun } from "../../../shared/contract/pages.ts";
import { failedCount, newestOf } from "./checks.ts";

const ran = (command: string, exitCode: number | null): CheckRun => ({
  command,
  exitCode,
  outcome: exitCode === null ? "timeout" : "exited",
  durationMs: 1,
  output: "",
  isOfProposal: true,
});

test("of a command that ran again its last run counts", () => {
  const checks = [ran("lint", 1), ran("test", 0), ran("lint", 0), ran("build", null)];
  expect(newestOf(checks).map(({ command, exitCode }) => [command, exitCode])).toEqual([
    ["lint", 0],
    ["test", 0],
    ["build", null],
  ]);
  expect([failedCount(checks), failedCount(checks.slice(0, 2)), failedCount([])]).toEqual([1, 1, 0]);
});
