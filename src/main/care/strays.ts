// Processes that a run has left behind: alive under the tag of a run that has stopped.

import type { RunRow } from "../engine/ports/store.ts";
import { listProcesses } from "../sandbox/processTable.ts";
import type { CheckResult } from "../store/check.ts";

/** One sentence for each process that carries the tag of a stopped run. Empty where the system tells no tags. */
export async function findStrays(rows: readonly RunRow[]): Promise<readonly string[]> {
  const stopped = new Set(rows.filter((row) => row.status === "stopped").map((row) => `COPPICE_RUN=${row.run}`));
  if (stopped.size === 0) return [];
  return (await listProcesses()).flatMap(({ pid, argv, environment }) => {
    const tag = environment.find((entry) => stopped.has(entry));
    return tag === undefined
      ? []
      : [`Process ${pid} (${argv[0] ?? ""}) is alive and belongs to ${tag}, which has stopped`];
  });
}

/** The result with these findings beside its own. */
export function withDetails(check: CheckResult, more: readonly string[]): CheckResult {
  return more.length === 0 ? check : { ...check, ok: false, details: [...check.details, ...more] };
}
