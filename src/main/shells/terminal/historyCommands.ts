// `fork`: what is made of a run's history.

import { newRunId } from "../../runs/assignment.ts";
import type { ForkBase } from "../../runs/forkRun.ts";
import type { Invocation } from "./runCommands.ts";

export interface ForkOptions {
  readonly at: number;
  readonly base: ForkBase;
}

/** Makes a new run that goes on from one moment of another, and leaves it paused. */
export async function forkRun({ workbench, output }: Invocation, text: string, options: ForkOptions): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { at, base } = options;
  const origin = found.value.run;
  const point = await workbench.forkPoint(origin, at);
  if (!point.ok) return output.fail(point.error);
  const run = newRunId();
  const forked = await workbench.runs.fork(origin, { run, at, base });
  if (!forked.ok) return output.fail(forked.error);
  const { line, target, unfinished } = point.value;
  const start = base === "target" && target !== null ? target.tip : line;
  output.json({ run, origin, at, base: start, cancelled: unfinished });
  output.line(`${run} goes on from event ${at} of ${origin}, at ${start.slice(0, 10)}. It is paused.`);
  if (unfinished.length > 0) output.line(`Not done by then, so cancelled in it: ${unfinished.join(", ")}.`);
  if (target !== null && target.aheadCount > 0)
    output.line(
      base === "target"
        ? `It begins at the tip of ${target.branch}, ${target.aheadCount} ${commits(target.aheadCount)} past that moment.`
        : `${target.branch} has moved ${target.aheadCount} ${commits(target.aheadCount)} past that moment; --base target begins at its tip instead.`,
    );
  output.line(`  coppice message ${run} TEXT\n  coppice resume ${run}`);
  return 0;
}

function commits(count: number): string {
  return count === 1 ? "commit" : "commits";
}
