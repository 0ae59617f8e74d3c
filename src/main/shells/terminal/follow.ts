// Follows a run that this process drives, from its first event to its stop: events as they are committed, streamed
// text, the summary, and the exit code that the run's end stands for.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RadarPicture, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { RunEvent } from "../../domain/events.ts";
import { snapshotOf } from "../../domain/projections/snapshot.ts";
import type { RunState } from "../../domain/state.ts";
import type { ApprovalState } from "../../domain/state.ts";
import type { LiveRun } from "../../runs/liveRun.ts";
import type { Workbench } from "../../workbench.ts";
import { askInTerminal } from "./ask.ts";
import { firstLine, plainText } from "./human/plainText.ts";
import { createProgress } from "./human/progress.ts";
import { radarWords } from "./human/radarWords.ts";
import { type Output, publicEvent } from "./output.ts";
import type { Invocation } from "./invocation.ts";
import { summaryOf } from "./summary.ts";

/** Shows events and the end of a run, in JSON or in words. */
export interface Reporter {
  event(event: RunEvent, state: RunState): void;
  live(agent: AgentId, text: string): void;
  /** What work in progress conflicts, where that has changed. */
  radar(picture: RadarPicture): void;
  /** The last line, and the exit code. */
  end(state: RunState): number;
}

export function createReporter(output: Output): Reporter {
  const { style, columns, unicode } = output;
  const progress = createProgress({ style, columns, unicode, write: (line) => output.line(line) });
  let snapshot: RunSnapshot | undefined;
  return {
    event(event, state) {
      output.json(publicEvent(event));
      if (output.isJson || output.isQuiet) return;
      snapshot = snapshotOf(state, snapshot);
      progress.event(event, snapshot);
    },
    live(agent, text) {
      output.json({ type: "live", agent, text });
      if (!output.isJson && !output.isQuiet) progress.live(agent, text);
    },
    radar(picture) {
      output.json({ type: "radar", ...picture });
      for (const line of radarWords(picture)) output.line(line);
    },
    end(state) {
      snapshot = snapshotOf(state, snapshot);
      const summary = summaryOf(snapshot);
      output.json(summary);
      if (!output.isJson && !output.isQuiet) progress.end(summary, snapshot);
      if (output.isQuiet && summary.answer !== null) output.answer(summary.answer);
      if (state.stop?.sentence != null && state.stop.reason !== "cancelled")
        output.remark(`${state.stop.code}: ${state.stop.sentence}`);
      return exitCodeOf(state);
    },
  };
}

/** 0 final answer, 4 cancelled, 3 waiting for a person, 1 any other stop. */
export function exitCodeOf(state: RunState): number {
  if (state.stop === null) return 3;
  if (state.stop.reason === "final_answer") return 0;
  return state.stop.reason === "cancelled" ? 4 : 1;
}

/** Drives the run to its stop, or until it waits for a person. The first SIGINT cancels cleanly, the second leaves at once. */
export async function driveToEnd(
  live: LiveRun,
  reporter: Reporter,
  { workbench, output }: Invocation,
): Promise<number> {
  const unsubscribe = [
    live.onCommit(({ events, state }) => {
      for (const event of events) reporter.event(event, state);
    }),
    live.onLive((agent, text) => reporter.live(agent, text)),
  ];
  const unhook = cancelOnSignal(live, output);
  const asking = output.isInteractive
    ? askInTerminal(live, output, (approval) => showChange(live, approval, workbench, output))
    : null;
  try {
    // Whoever can be asked is asked here; otherwise the run waits without a process.
    const end = await live.drive(asking === null);
    if (end.kind === "broken") return output.fail(end.failure);
    return reporter.end(live.state());
  } finally {
    asking?.close();
    unhook();
    for (const off of unsubscribe) off();
    await live.release();
  }
}

async function showChange(
  live: LiveRun,
  { agent }: ApprovalState,
  workbench: Workbench,
  output: Output,
): Promise<void> {
  const found = await workbench.findRun(live.run);
  const patch = found.ok ? await workbench.patch(found.value, agent) : found;
  if (!patch.ok) return output.answer(patch.error.message);
  output.answer(plainText(patch.value.text));
  for (const path of patch.value.leftOut)
    output.answer(`Left out, since git cannot hold it as files: ${firstLine(path)}`);
}

function cancelOnSignal(live: LiveRun, output: Output): () => void {
  let isCancelling = false;
  const onSignal = () => {
    // Leaving at once is safe: all that was acknowledged is on disk, and `resume` goes on from there.
    if (isCancelling) process.exit(130);
    isCancelling = true;
    output.remark("Cancelling; press Ctrl+C again to leave at once.");
    void live.dispatch({ type: "run.cancel", by: "a person" });
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  };
}
