// `runs`, `show`, `log`, `watch`, `diff`, `approvals`, `doctor`: the commands that look and change nothing.

import { isSubagentId, type RunId } from "../../../shared/contract/ids.ts";
import { evolve } from "../../domain/evolve.ts";
import type { RunState } from "../../domain/state.ts";
import { createReporter } from "./follow.ts";
import { renderEvent } from "./human/journalLine.ts";
import { firstLine } from "./human/plainText.ts";
import { type ApprovalLine, renderApprovals, renderDoctor, renderRuns } from "./human/tables.ts";
import { renderOptions } from "./human/optionLines.ts";
import { renderTree } from "./human/tree.ts";
import { lookUntil } from "./lookUntil.ts";
import { publicEvent } from "./output.ts";
import type { Invocation } from "./invocation.ts";
import { showProgress } from "./showProgress.ts";
import { count, usageError } from "./usage.ts";

export async function listRuns({ workbench, output }: Invocation): Promise<number> {
  const rows = await workbench.listRuns();
  for (const { run, title, status, stopReason, repo, createdAt } of rows)
    output.json({ run, title, status, stopReason, repo, createdAt });
  if (!output.isJson) for (const line of renderRuns(rows, output)) output.answer(line);
  return 0;
}

export async function showRun(
  { workbench, output }: Invocation,
  text: string,
  at: string | undefined,
): Promise<number> {
  const ordinal = count("--at", at);
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const snapshot = await workbench.snapshot(found.value, ordinal);
  if (!snapshot.ok) return output.fail(snapshot.error);
  output.json(snapshot.value);
  if (output.isJson) return 0;
  for (const line of renderTree(snapshot.value, output)) output.answer(line);
  const { options, target } = snapshot.value;
  for (const line of renderOptions(options, target, output)) output.answer(line);
  return 0;
}

export async function showLog(
  { workbench, output }: Invocation,
  text: string,
  from: string | undefined,
): Promise<number> {
  const first = count("--from", from) ?? 1;
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  for (const event of await workbench.journal(found.value.run, first - 1)) {
    output.json(publicEvent(event));
    if (!output.isJson) output.answer(renderEvent(event, output));
  }
  return 0;
}

/** Follows a run that some process drives; a run at rest shows its journal and its end. Leaves at its stop, when it waits for a person, or on SIGINT, which does not touch the run. */
export async function watchRun({ workbench, output }: Invocation, text: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run } = found.value;
  const reporter = createReporter(output);
  let state: RunState | null = null;
  const catchUp = async () => {
    for (const event of await workbench.journal(run, state?.n ?? 0)) {
      state = evolve(state, event);
      reporter.event(event, state);
    }
  };
  const leaveRadar = workbench.followRadar(run, (picture) => reporter.radar(picture));
  await untilAtRest(workbench, run, catchUp, () => state).finally(leaveRadar);
  if (!state) return output.fail({ code: "RUN_NOT_FOUND", message: `The journal of ${run} is empty.` });
  return reporter.end(state);
}

async function untilAtRest(
  workbench: Invocation["workbench"],
  run: RunId,
  catchUp: () => Promise<void>,
  stateNow: () => RunState | null,
): Promise<void> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  process.once("SIGINT", leave);
  const look = async () => {
    const isDriven = await workbench.isDriven(run);
    await catchUp();
    return !isDriven || stateNow()?.status === "stopped";
  };
  await lookUntil(workbench, look, leaving.signal).finally(() => process.off("SIGINT", leave));
}

export async function showDiff(
  { workbench, output }: Invocation,
  text: string,
  subagent: string | undefined,
): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  if (subagent !== undefined && subagent !== "lead" && !isSubagentId(subagent)) {
    throw usageError(`${JSON.stringify(subagent)} is no agent; they are named lead, subagent-1, subagent-2, …`);
  }
  const patch = await workbench.patch(found.value, subagent);
  if (!patch.ok) return output.fail(patch.error);
  const { text: diff, leftOut } = patch.value;
  output.json({
    run: found.value.run,
    ...(subagent === undefined ? {} : { subagent }),
    patch: diff,
    ...(leftOut.length === 0 ? {} : { leftOut }),
  });
  if (!output.isJson && diff !== "") output.answer(diff.replace(/\n$/, ""));
  for (const path of leftOut) output.remark(`Left out, since git cannot hold it as files: ${firstLine(path)}`);
  if (diff === "")
    output.remark(
      subagent === undefined
        ? `${found.value.run} has landed nothing; name a subagent to see what it proposes.`
        : "Nothing is changed.",
    );
  return 0;
}

export async function listApprovals({ workbench, output }: Invocation, text: string | undefined): Promise<number> {
  const found = text === undefined ? null : await workbench.findRun(text);
  if (found && !found.ok) return output.fail(found.error);
  const rows = await workbench.listApprovals(found?.value.run);
  for (const { id, run, kind, agent, summary, since } of rows) output.json({ id, run, kind, agent, summary, since });
  if (output.isJson) return 0;
  const lines = await Promise.all(rows.map(async (row) => ({ ...row, isLine: await isOfLine(workbench, row) })));
  for (const line of renderApprovals(lines, output)) output.answer(line);
  return 0;
}

/** Whether it asks for a run's whole branch: the row says no more than that the lead asks for a change set. */
async function isOfLine(workbench: Invocation["workbench"], { run, id, kind, agent }: ApprovalLine): Promise<boolean> {
  if (kind !== "changeset" || agent !== "lead") return false;
  const { changeSets } = await workbench.state(run);
  return changeSets.some((set) => set.approval === id && set.isLine);
}

/** One line an invariant; exit 0 only when all hold. `repairs`: what can be mended without losing anything is mended first. */
export async function examine(invocation: Invocation, repairs: boolean): Promise<number> {
  const { workbench, output } = invocation;
  const done = repairs ? await workbench.repair() : [];
  for (const sentence of done) {
    output.json({ repaired: sentence });
    output.line(`${sentence}.`);
  }
  if (repairs && done.length === 0) output.line("There was nothing to repair.");
  const checks = await showProgress(invocation, () => workbench.examine());
  for (const { id, title, ok, details } of checks) output.json({ id, title, ok, details });
  if (!output.isJson) for (const line of renderDoctor(checks, output)) output.answer(line);
  return checks.every((check) => check.ok) ? 0 : 1;
}
