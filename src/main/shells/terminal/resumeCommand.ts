// `resume`: goes on with a run that nobody drives, under the options that it was started with and those that are given
// anew. A stopped run is only shown.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunOptions } from "../../../shared/contract/options.ts";
import { type Result, succeed } from "../../../shared/lib/result.ts";
import { overriding, type Overrides } from "../../domain/overrides.ts";
import type { RunRow } from "../../engine/ports/store.ts";
import type { OverrideOrder } from "../../runs/overrideRun.ts";
import type { Workbench } from "../../workbench.ts";
import { createReporter, driveToEnd, exitCodeOf } from "./follow.ts";
import { type ModelSource, openModel, readModelSource, requireSettings } from "./modelSource.ts";
import type { Output } from "./output.ts";
import type { ResumeFlags } from "./overrideFlags.ts";
import type { Invocation } from "./invocation.ts";
import { steer } from "./steer.ts";

/** What `resume` was asked for, read and checked. */
export interface ResumeOrder extends Pick<ResumeFlags, "apiKeyFile"> {
  readonly overrides: OverrideOrder;
  /** Where the run's repository was moved to, absolute. */
  readonly repo?: string | undefined;
}

/** Goes on with a run: a stopped one prints its summary and exits by its reason. */
export async function resumeRun(invocation: Invocation, text: string, order: ResumeOrder): Promise<number> {
  const { workbench, output } = invocation;
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run, status } = found.value;
  if (order.repo !== undefined) {
    const bound = await workbench.rebindRun(run, order.repo);
    if (!bound.ok) return output.fail(bound.error);
  }
  if (status === "stopped") return showEnd(workbench, output, found.value);
  if (status === "imported")
    return output.fail({
      code: "RUN_READ_ONLY",
      message: `${run} was imported: it can be looked at and replayed, not driven.`,
    });
  const overrides = await changesOf(workbench, run, order);
  if (!overrides.ok) return output.fail(overrides.error);
  // Paused in the hands of another process: that one goes on.
  if (status === "paused" && (await workbench.isDriven(run)))
    return overrides.value === null ? unpause(workbench, output, run) : output.fail(heldElsewhere(run));
  return takeAndDrive(invocation, run, order, overrides.value);
}

/** Where a run's answers come from when it goes on. Throws what `readModelSource` does. */
export async function sourceOf(
  invocation: Invocation,
  run: RunId,
  { apiKeyFile, overrides }: ResumeOrder,
): Promise<ModelSource> {
  const { workbench, env } = invocation;
  const stored = await workbench.state(run);
  const options: RunOptions = { ...stored.options, ...overrides.options };
  const { cassette, record } = options;
  const flags = {
    ...(apiKeyFile === undefined ? {} : { apiKeyFile }),
    ...(cassette == null ? {} : { cassette }),
    ...(record == null ? {} : { record }),
  };
  return readModelSource(flags, options, requireSettings(env), invocation);
}

/** `null`: all of it holds already. */
async function changesOf(
  workbench: Workbench,
  run: RunId,
  { overrides }: ResumeOrder,
): Promise<Result<Overrides | null>> {
  const state = await workbench.state(run);
  const whole = await workbench.overridesOf(state, overrides);
  if (!whole.ok) return whole;
  return succeed(overriding(state, whole.value).length === 0 ? null : whole.value);
}

async function takeAndDrive(
  invocation: Invocation,
  run: RunId,
  order: ResumeOrder,
  overrides: Overrides | null,
): Promise<number> {
  const { workbench, output } = invocation;
  const model = await openModel(await sourceOf(invocation, run, order));
  if (!model.ok) return output.fail(model.error);
  const taken = await workbench.takeRun(run, model.value);
  if (!taken.ok) return output.fail(taken.error);
  const live = taken.value;
  const reporter = createReporter(output);
  const unfollow = live.onCommit(({ events, state }) => {
    for (const event of events) reporter.event(event, state);
  });
  const set = overrides === null ? null : await live.dispatch({ type: "run.override", overrides });
  if (set?.ok === false) {
    await live.release();
    return output.fail(set.error);
  }
  await live.recover();
  if (live.state().status === "paused") await live.dispatch({ type: "run.resume" });
  unfollow();
  return driveToEnd(live, reporter, invocation);
}

function heldElsewhere(run: RunId) {
  return {
    code: "DRIVEN_ELSEWHERE",
    message: `Another process holds ${run}, and its options are changed by whoever takes it over. End that process first, or go on without them: coppice resume ${run}.`,
  };
}

async function unpause(workbench: Workbench, output: Output, run: RunId): Promise<number> {
  const failure = await steer(workbench, run, { type: "run.resume" });
  if (failure !== null) return output.fail(failure);
  output.json({ run, resumed: true });
  output.line(`${run} goes on in the process that drives it; coppice watch ${run} follows it.`);
  return 0;
}

async function showEnd(workbench: Workbench, output: Output, row: RunRow): Promise<number> {
  const state = await workbench.state(row.run);
  createReporter(output).end(state);
  return exitCodeOf(state);
}
