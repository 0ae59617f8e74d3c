// Tells the log what became of the runs that dead processes had left.

import type { Log } from "../logging/log.ts";
import type { Outcome } from "../runs/runManager.ts";

export function noteAbandoned(log: Log, done: readonly { readonly run: string; readonly outcome: Outcome }[]): void {
  for (const { run, outcome } of done)
    log.note("run.recovered", { run, isGoingOn: outcome.ok, code: outcome.ok ? null : outcome.error.code });
}
