// `run`, `cancel`, `pause`, `message`: the commands that start, drive and steer a run.

import { resolve } from "node:path";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunOptions } from "../../../shared/contract/options.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import type { Assignment } from "../../runs/assignment.ts";
import { isAlone } from "../../domain/leadWork.ts";
import { usualRoleModels } from "../../runs/roleModels.ts";
import { roleTermsOf } from "../../runs/roleFiles.ts";
import { chosenPrices } from "../../runs/modelPrices.ts";
import { priceOf } from "../../workbench.ts";
import { createReporter, driveToEnd } from "./follow.ts";
import type { Invocation, Surroundings } from "./invocation.ts";
import { type ModelSource, openModel, readModelSource, requireSettings, withRecordedModel } from "./modelSource.ts";
import { type ResumeOrder, resumeRun, sourceOf } from "./resumeCommand.ts";
import { type RepositoryCommandMode, settleRepositoryCommands } from "./repositoryCommands.ts";
import { steer } from "./steer.ts";
import {
  readBudget,
  readLimits,
  readNamed,
  readOptions,
  readRepositoryCommands,
  readTask,
  type RunFlags,
} from "./usage.ts";

/** What `run` was asked for, read and checked. */
export interface RunOrder {
  readonly assignment: Assignment;
  readonly source: ModelSource;
  readonly repositoryCommands: RepositoryCommandMode;
}

/** Reads `run`'s options before anything is opened or written. Throws what is wrong with them. */
export function readOrder(given: RunFlags, surroundings: Surroundings): RunOrder {
  const { env, folder, isAttended } = surroundings;
  const flags = withRecordedModel(given, folder);
  const task = readTask(flags, folder);
  const settings = requireSettings(env);
  const options = withRoleModels(readOptions(flags, env, isAttended, settings), settings);
  const source = readModelSource(flags, options, settings, surroundings);
  const { cassette, record } = source;
  const roleTerms = roleTermsOf(settings, options);
  const { prices, unpriced } = chosenPrices(options, roleTerms.models, (baseUrl, model) =>
    priceOf(settings, baseUrl, model),
  );
  const { balances, wallMs } = readBudget(flags.budget, unpriced, settings);
  return {
    assignment: {
      folder: resolve(folder, flags.repo ?? "."),
      task,
      options: {
        ...options,
        ...(cassette === null ? {} : { cassette }),
        ...(record === null ? {} : { record }),
      },
      limits: readLimits(flags, settings),
      budget: balances,
      wallMs,
      ...prices,
      includesDirty: flags.includeDirty === true,
      named: readNamed(flags),
      roleTerms,
    },
    source,
    repositoryCommands: readRepositoryCommands(flags),
  };
}

/** With the models that roles have by the settings, and where they are. Throws what is wrong with those. */
function withRoleModels(options: RunOptions, settings: Settings): RunOptions {
  if (isAlone({ options })) return options;
  const models = usualRoleModels(settings, options);
  if (!models.ok) throw new WorkbenchError(models.error.code, models.error.message);
  return { ...options, ...models.value };
}

/** Starts a run and follows it to its stop. */
export async function startRun(invocation: Invocation, order: RunOrder): Promise<number> {
  const { workbench, output } = invocation;
  const model = await openModel(order.source);
  if (!model.ok) return output.fail(model.error);
  const settled = await settleRepositoryCommands(invocation, order.assignment, order.repositoryCommands);
  if (!settled.ok) return output.fail(settled.error);
  const reporter = createReporter(output);
  const started = await workbench.startRun(settled.value, model.value, {
    onCommit: ({ events, state }) => {
      for (const event of events) reporter.event(event, state);
    },
  });
  if (!started.ok) return output.fail(started.error);
  return driveToEnd(started.value, reporter, invocation);
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
  order: ResumeOrder,
): Promise<number> {
  const { workbench, output } = invocation;
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run, status } = found.value;
  if (status === "stopped") {
    // Words to a stopped run reopen it, so whether it can go on is known first.
    const model = await openModel(await sourceOf(invocation, run, order));
    if (!model.ok) return output.fail(model.error);
  }
  const failure = await steer(workbench, run, { type: "run.input", text: words, from: "a person", to });
  if (failure !== null) return output.fail(failure);
  if (status === "stopped") return resumeRun(invocation, run, order);
  output.json({ run, to, delivered: true });
  output.line(
    (await workbench.isDriven(run))
      ? `${to} reads it at its next turn.`
      : `Noted for ${to}; coppice resume ${run} goes on.`,
  );
  return 0;
}
