// `replay`: a run's timeline in the terminal, at its own pace or faster. Reads the journal and does nothing else.

import { evolve } from "../../domain/evolve.ts";
import type { RunState } from "../../domain/state.ts";
import { createReporter } from "./follow.ts";
import type { Invocation } from "./invocation.ts";
import { usageError } from "./usage.ts";

/** Idle time is folded: no pause between two events is longer than this. */
const maxPauseMs = 2_000;

export async function replayRun({ workbench, output }: Invocation, text: string, speedText: string): Promise<number> {
  const speed = Number(speedText);
  if (!Number.isFinite(speed) || speed <= 0)
    throw usageError(`--speed takes a number above 0, not ${JSON.stringify(speedText)}.`);
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const leave = new AbortController();
  const onSignal = () => leave.abort();
  process.once("SIGINT", onSignal);
  const reporter = createReporter(output);
  let state: RunState | null = null;
  try {
    for (const event of await workbench.journal(found.value.run)) {
      // A script gets the events as fast as it reads them.
      if (state !== null && !output.isJson)
        await pause(Math.min(maxPauseMs, (event.at - state.updatedAt) / speed), leave.signal);
      if (leave.signal.aborted) return 0;
      state = evolve(state, event);
      reporter.event(event, state);
    }
  } finally {
    process.off("SIGINT", onSignal);
  }
  if (state !== null) reporter.end(state);
  return 0;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms < 1 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
