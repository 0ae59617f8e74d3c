// Options of `run` that are given again on `resume`: those that hold from here on, and those that a run was built from,
// which are refused with the reason. Reads flags alone; what the run makes of them is the run's.

import { resolve } from "node:path";
import type { ApprovalMode, CommandMode, Limits } from "../../../shared/contract/options.ts";
import type { OverrideOrder } from "../../runs/overrideRun.ts";
import type { Surroundings } from "./runCommands.ts";
import { oneOf, readAmounts, readLandOn, readLimitFlags, requireAddress, type RunFlags, usageError } from "./usage.ts";

/** Options of a run that `resume` knows, to take them or to say why not. */
export type ResumeFlags = Partial<RunFlags>;

/** What a standing run was built from, and why it stays. */
const fixed: readonly (readonly [keyof RunFlags, option: string, reason: string])[] = [
  [
    "repo",
    "--repo",
    "a run stays in the repository that it was started in; where that was moved, coppice resume RUN --repo FOLDER",
  ],
  ["task", "--task", "the task stands; coppice message RUN TEXT adds to it"],
  ["taskFile", "--task-file", "the task stands; coppice message RUN TEXT adds to it"],
  ["includeDirty", "--include-dirty", "its base was fixed when it began, and all its work is a change to that"],
  ["setup", "--setup", "its worktrees are set up by it, each once, some of them already"],
  ["setupNetwork", "--setup-network", "its worktrees are set up with it, or without it, some of them already"],
  ["repositoryCommands", "--repository-commands", "what the repository brings was trusted, or left out, when it began"],
  ["worktrees", "--worktrees", "its work places were made, and claimed, by the one that it began with"],
  ["policy", "--policy", "a run has one policy, and its subagents were handed off under it"],
  ["topology", "--topology", "its members were given their tools by the one that it began with"],
  ["delegation", "--delegation", "its lead was given its tools, and its place to work, by the one that it began with"],
  ["approvePlan", "--approve-plan", "a plan is approved before anything starts"],
  ["leadEdits", "--lead-edits", "its lead was given its tools and its place to work when it began"],
];

/** Throws `BAD_USAGE`, `ENDPOINT_INVALID` for what cannot be read, and for what no standing run can change. */
export function readOverrides(flags: ResumeFlags, { folder, isAttended }: Surroundings): OverrideOrder {
  requireNoneFixed(flags);
  const { model, baseUrl, approve, commands, network, landOn, verify } = flags;
  if (baseUrl !== undefined) requireAddress(baseUrl);
  if (model?.trim() === "") throw usageError("--model takes the name of a model.");
  const { wallMs, ...budget } = readAmounts(flags.budget);
  return {
    options: {
      ...(model === undefined ? {} : { model }),
      ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.trim() }),
      ...readSource(flags, folder),
      ...(approve === undefined
        ? {}
        : { approve: oneOf<ApprovalMode>("--approve", approve, ["each", "final", "auto", "none"]), isAttended }),
      ...(commands === undefined
        ? {}
        : { commands: oneOf<CommandMode>("--commands", commands, ["ask", "allow", "deny"]) }),
      ...(network === undefined ? {} : { network: oneOf("--network", network, ["on", "off"]) }),
      ...(landOn === undefined ? {} : { landOn: readLandOn(landOn) }),
      ...(verify === undefined ? {} : { verify }),
    },
    limits: limitsOf(flags),
    budget,
    ...(wallMs === undefined ? {} : { wallMs }),
    by: "a person",
  };
}

/** Where answers come from, and where they are kept: one given anew takes the place of what contradicts it. */
function readSource({ baseUrl, cassette, record }: ResumeFlags, folder: string): OverrideOrder["options"] {
  if (cassette !== undefined) {
    if (record !== undefined)
      throw usageError("Give either --record or --cassette: what is played needs no recording.");
    return { cassette: resolve(folder, cassette), record: null };
  }
  return {
    ...(baseUrl === undefined && record === undefined ? {} : { cassette: null }),
    ...(record === undefined ? {} : { record: resolve(folder, record) }),
  };
}

function limitsOf(flags: ResumeFlags): Partial<Limits> {
  const { maxSteps, ...limits } = readLimitFlags(flags);
  return maxSteps === undefined ? limits : { ...limits, maxSteps, leadSteps: maxSteps };
}

function requireNoneFixed(flags: ResumeFlags): void {
  const given = fixed.find(([name]) => flags[name] !== undefined);
  if (given !== undefined) throw fixedError(given[1], given[2]);
  if (flags.workflow === false)
    throw fixedError("--no-workflow", "it was set up for one agent, or for several, when it began");
}

function fixedError(option: string, reason: string): Error {
  return usageError(`${option} cannot change on a standing run: ${reason}.`);
}
