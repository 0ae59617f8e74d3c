// Which of the checks that the system ran count, where the same command ran more than once.

import type { CheckRun } from "../../../shared/contract/pages.ts";

/** The last run of each command, in the order in which the commands first ran. */
export function newestOf(checks: readonly CheckRun[]): readonly CheckRun[] {
  return [...new Map(checks.map((check) => [check.command, check])).values()];
}

/** How many commands ended badly when they last ran. */
export function failedCount(checks: readonly CheckRun[]): number {
  return newestOf(checks).filter(({ exitCode }) => exitCode !== 0).length;
}
