// What becomes of a run that a dead process has left and that nobody named: it goes on by itself after one unclean end, or is
// settled and left paused, also where a person wants it so. Whoever names a run with `resume` or Continue always goes on.

import type { EventOf, RunEvent } from "./events.ts";
import type { RunState } from "./state.ts";

/** An unclean end longer ago than this is not gone on from unasked, and two within it are two in a row. */
export const freshMs = 60 * 60_000;

/** `leave`: there is nothing to go on with, or only a person can. */
export type AutoResume = "resume" | "pause" | "leave";

/** What is known beside the journal. `aliveAt`: the last sign of life of the process that drove the run, and `now`, both epoch ms. `isWanted`: a person has not set that runs never go on by themselves. */
export interface Abandonment {
  readonly aliveAt: number;
  readonly now: number;
  readonly isWanted: boolean;
}

export function autoResumeOf(state: RunState, journal: readonly RunEvent[], left: Abandonment): AutoResume {
  const { aliveAt, now, isWanted } = left;
  if (state.status !== "running" && state.status !== "created") return "leave";
  if (!isWanted || now - aliveAt > freshMs) return "pause";
  const before = journal.findLast(isTaken);
  const isSecond = before?.type === "run.resumed" && before.data.after === "crash" && aliveAt - before.at <= freshMs;
  return isSecond ? "pause" : "resume";
}

function isTaken(event: RunEvent): event is EventOf<"run.started"> | EventOf<"run.resumed"> {
  return event.type === "run.started" || (event.type === "run.resumed" && event.data.after !== "waiting");
}
