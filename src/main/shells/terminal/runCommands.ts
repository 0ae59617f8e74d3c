// `run`, `resume`, `cancel`: the commands that drive a run in this process.

import { resolve } from "node:path";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import type { ModelPort } from "../../engine/ports/model.ts";
import type { RunRow } from "../../engine/ports/store.ts";
import type { Assignment } from "../../assignment.ts";
import { connectModel, findPrice, type Workbench } from "../../workbench.ts";
import { createReporter, driveToEnd, exitCodeOf } from "./follow.ts";
import type { Output } from "./output.ts";
import { readBudget, readKey, readLimits, readOptions, readTask, type RunFlags } from "./usage.ts";

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
  readonly model: ModelPort;
}

/** Reads `run`'s options before anything is opened or written. Throws what is wrong with them. */
export function readOrder(flags: RunFlags, { env, folder, isAttended }: Surroundings): RunOrder {
  const task = readTask(flags, folder);
  const options = readOptions(flags, env, isAttended);
  const price = findPrice(options.model);
  const { balances, wallMs } = readBudget(flags.budget, price !== null);
  return {
    assignment: { folder: resolve(folder, flags.repo ?? "."), task, options, limits: readLimits(flags), budget: balances, wallMs, price, includesDirty: flags.includeDirty === true },
    model: connect(options.baseUrl, readKey(flags.apiKeyFile, env, folder)),
  };
}

/** Starts a run and follows it to its stop. */
export async function startRun({ workbench, output }: Invocation, { assignment, model }: RunOrder): Promise<number> {
  const reporter = createReporter(output);
  const started = await workbench.startRun(assignment, model, {
    onCommit: ({ events, state }) => {
      for (const event of events) reporter.event(event, state);
    },
  });
  if (!started.ok) return output.fail(started.error);
  return driveToEnd(started.value, reporter, output);
}

export interface ResumeFlags {
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
}

/** Goes on with a run: a stopped one prints its summary and exits by its reason. */
export async function resumeRun({ workbench, output, env, folder }: Invocation, text: string, flags: ResumeFlags): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  if (found.value.status === "stopped") return showEnd(workbench, output, found.value);
  const stored = await workbench.state(found.value.run);
  const model = connect(flags.baseUrl ?? stored.options.baseUrl, readKey(flags.apiKeyFile, env, folder));
  const taken = await workbench.takeRun(found.value.run, model);
  if (!taken.ok) return output.fail(taken.error);
  const reporter = createReporter(output);
  const unfollow = taken.value.onCommit(({ events, state }) => {
    for (const event of events) reporter.event(event, state);
  });
  await taken.value.recover();
  unfollow();
  return driveToEnd(taken.value, reporter, output);
}

/** Cancels a run: through whoever drives it, or here. Exit 0 once it is taken. */
export async function cancelRun({ workbench, output }: Invocation, text: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run, status } = found.value;
  if (status === "stopped") return output.fail({ code: "RUN_STOPPED", message: `${run} has stopped already; there is nothing to cancel.` });
  const by = "a person";
  if (await workbench.isDriven(run)) {
    const answer = await workbench.askHolder(run, { kind: "cancel", by });
    if (answer === null) return output.fail({ code: "DRIVEN_ELSEWHERE", message: `Another process drives ${run} and did not take the cancel within 10 s; it was withdrawn.` });
    if (!answer.done) return output.fail(answer.error);
    output.json({ run, cancelled: true });
    output.line(`${run} is being cancelled by the process that drives it.`);
    return 0;
  }
  const taken = await workbench.takeRun(run, noModel);
  if (!taken.ok) return output.fail(taken.error);
  const live = taken.value;
  await live.recover();
  const cancelled = await live.dispatch({ type: "run.cancel", by });
  if (!cancelled.ok) return output.fail(cancelled.error);
  await live.drive(true);
  await live.release();
  output.json({ run, cancelled: true });
  output.line(`${run} is cancelled. What its executors made is pinned under refs/coppice/${run}/ in the repository.`);
  return 0;
}

async function showEnd(workbench: Workbench, output: Output, row: RunRow): Promise<number> {
  const state = await workbench.state(row.run);
  createReporter(output).end(state);
  return exitCodeOf(state);
}

/** A server on this machine may need no key; any other does. */
function connect(baseUrl: string, apiKey: string | null): ModelPort {
  if (apiKey === null && !isLoopback(baseUrl)) {
    throw new WorkbenchError("NO_MODEL", `${baseUrl} needs a key: set OPENAI_API_KEY, or pass --api-key-file FILE.`);
  }
  return connectModel({ baseUrl, apiKey });
}

function isLoopback(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** For a run that is only ended: it makes no request. */
export const noModel: ModelPort = {
  complete: () => Promise.resolve({ kind: "failed", code: "NO_MODEL", message: "No model is connected here.", retryable: false, retryAfterMs: null, text: "" }),
};
