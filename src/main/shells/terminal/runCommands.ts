// `run`, `resume`, `cancel`, `pause`, `message`: the commands that start, drive and steer a run.

import { resolve } from "node:path";
import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import type { Result } from "../../../shared/lib/result.ts";
import type { ModelPort } from "../../engine/ports/model.ts";
import type { RunRow } from "../../engine/ports/store.ts";
import type { Assignment } from "../../runs/assignment.ts";
import { findProvider, priceOf, type Workbench } from "../../workbench.ts";
import { readSettings } from "../../settings/settings.ts";
import { dataFolder } from "../dataFolder.ts";
import { createReporter, driveToEnd, exitCodeOf } from "./follow.ts";
import type { Output } from "./output.ts";
import { type ModelSource, type ModelSourceFlags, openModel, readModelSource } from "./modelSource.ts";
import { steer } from "./steer.ts";
import { readBudget, readLimits, readOptions, readTask, type RunFlags } from "./usage.ts";

/** Where a command was given. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which the person stands. */
  readonly folder: string;
  /** Somebody sits at a terminal and can be asked there. */
  readonly isAttended: boolean;
}

export interface Invocation extends Surroundings {
  readonly workbench: Workbench;
  readonly output: Output;
}

/** What `run` was asked for, read and checked. */
export interface RunOrder {
  readonly assignment: Assignment;
  readonly source: ModelSource;
}

/** Reads `run`'s options before anything is opened or written. Throws what is wrong with them. */
export function readOrder(flags: RunFlags, surroundings: Surroundings): RunOrder {
  const { env, folder, isAttended } = surroundings;
  const task = readTask(flags, folder);
  const settings = requireSettings(env);
  const options = readOptions(flags, env, isAttended, settings);
  const price = priceOf(settings, options.baseUrl, options.model);
  const { balances, wallMs } = readBudget(flags.budget, price !== null, settings);
  return {
    assignment: {
      folder: resolve(folder, flags.repo ?? "."),
      task,
      options,
      limits: readLimits(flags, settings),
      budget: balances,
      wallMs,
      price,
      includesDirty: flags.includeDirty === true,
    },
    source: readModelSource(flags, options.baseUrl, withKeyOf(settings, options.baseUrl, surroundings)),
  };
}

/** What the person has set. Throws `BAD_CONFIGURATION` for a file that cannot be used: a run must not go by other limits than theirs. */
function requireSettings(env: NodeJS.ProcessEnv): Settings {
  const { settings, problem } = readSettings(dataFolder(env));
  if (problem !== null) throw new WorkbenchError("BAD_CONFIGURATION", problem);
  return settings;
}

/** The environment with the key of the settings' provider at this address, where that is in a variable of it. */
function withKeyOf(settings: Settings, baseUrl: string, surroundings: Surroundings): Surroundings {
  const key = findProvider(settings, baseUrl)?.key;
  if (key?.from !== "environment") return surroundings;
  return { ...surroundings, env: { ...surroundings.env, OPENAI_API_KEY: surroundings.env[key.name] } };
}

/** Starts a run and follows it to its stop. */
export async function startRun(invocation: Invocation, { assignment, source }: RunOrder): Promise<number> {
  const { workbench, output } = invocation;
  const model = await openModel(source);
  if (!model.ok) return output.fail(model.error);
  const reporter = createReporter(output);
  const started = await workbench.startRun(assignment, model.value, {
    onCommit: ({ events, state }) => {
      for (const event of events) reporter.event(event, state);
    },
  });
  if (!started.ok) return output.fail(started.error);
  return driveToEnd(started.value, reporter, invocation);
}

export interface ResumeFlags extends Pick<ModelSourceFlags, "apiKeyFile" | "cassette"> {
  readonly baseUrl?: string;
}

/** Goes on with a run: a stopped one prints its summary and exits by its reason. */
export async function resumeRun(invocation: Invocation, text: string, flags: ResumeFlags): Promise<number> {
  const { workbench, output } = invocation;
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  if (found.value.status === "stopped") return showEnd(workbench, output, found.value);
  if (found.value.status === "imported")
    return output.fail({
      code: "RUN_READ_ONLY",
      message: `${found.value.run} was imported: it can be looked at and replayed, not driven.`,
    });
  // Paused in the hands of another process: that one goes on.
  if (found.value.status === "paused" && (await workbench.isDriven(found.value.run)))
    return unpause(workbench, output, found.value.run);
  const model = await storedModel(invocation, found.value.run, flags);
  if (!model.ok) return output.fail(model.error);
  const taken = await workbench.takeRun(found.value.run, model.value);
  if (!taken.ok) return output.fail(taken.error);
  const reporter = createReporter(output);
  const unfollow = taken.value.onCommit(({ events, state }) => {
    for (const event of events) reporter.event(event, state);
  });
  await taken.value.recover();
  if (taken.value.state().status === "paused") await taken.value.dispatch({ type: "run.resume" });
  unfollow();
  return driveToEnd(taken.value, reporter, invocation);
}

/** Cancels a run: through whoever drives it, or here. Exit 0 once it is taken. */
export async function cancelRun({ workbench, output }: Invocation, text: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run, status } = found.value;
  if (status === "stopped")
    return output.fail({ code: "RUN_STOPPED", message: `${run} has stopped already; there is nothing to cancel.` });
  const isDriven = await workbench.isDriven(run);
  const cancelled = await workbench.runs.cancel(run);
  if (!cancelled.ok) return output.fail(cancelled.error);
  output.json({ run, cancelled: true });
  output.line(
    isDriven
      ? `${run} is being cancelled by the process that drives it.`
      : `${run} is cancelled. What its executors made is pinned under refs/coppice/${run}/ in the repository; coppice restore ${run} lists it.`,
  );
  return 0;
}

/** Stops new starts and requests of a run; what is in flight ends by itself. `resume` goes on. */
export async function pauseRun({ workbench, output }: Invocation, text: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run } = found.value;
  const failure = await steer(workbench, run, { type: "run.pause" });
  if (failure !== null) return output.fail(failure);
  output.json({ run, paused: true });
  output.line(`${run} is paused; coppice resume ${run} goes on.`);
  return 0;
}

/** Gives a run another title, also after its stop. */
export async function renameRun({ workbench, output }: Invocation, text: string, title: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run } = found.value;
  const failure = await steer(workbench, run, { type: "run.rename", title, by: "a person" });
  if (failure !== null) return output.fail(failure);
  output.json({ run, renamed: true });
  output.line(`${run} has another title; coppice runs shows it.`);
  return 0;
}

/** A person's words to the lead, or to a subagent. A stopped run is continued with them. */
export async function sendMessage(
  invocation: Invocation,
  text: string,
  words: string,
  to: AgentId,
  flags: ResumeFlags,
): Promise<number> {
  const { workbench, output } = invocation;
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run, status } = found.value;
  if (status === "stopped") {
    // Words to a stopped run reopen it, so whether it can go on is known first.
    const model = await storedModel(invocation, run, flags);
    if (!model.ok) return output.fail(model.error);
  }
  const failure = await steer(workbench, run, { type: "run.input", text: words, from: "a person", to });
  if (failure !== null) return output.fail(failure);
  if (status === "stopped") return resumeRun(invocation, run, flags);
  output.json({ run, to, delivered: true });
  output.line(
    (await workbench.isDriven(run))
      ? `${to} reads it at its next turn.`
      : `Noted for ${to}; coppice resume ${run} goes on.`,
  );
  return 0;
}

/** The model that a run was started with, where the flags do not name another. */
async function storedModel(invocation: Invocation, run: RunId, flags: ResumeFlags): Promise<Result<ModelPort>> {
  const stored = await invocation.workbench.state(run);
  return openModel(readModelSource(flags, flags.baseUrl ?? stored.options.baseUrl, invocation));
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
