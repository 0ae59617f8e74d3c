// Options of `run` that are given again on `resume`: those that hold from here on, and those that a run was built from,
// which are refused with the reason. Reads flags alone; what the run makes of them is the run's.

import { resolve } from "node:path";
import type { ApprovalMode, CommandMode, Limits } from "../../../shared/contract/options.ts";
import type { OverrideOrder } from "../../runs/overrideRun.ts";
import { fixedOptions } from "./fixedOptions.ts";
import type { Surroundings } from "./invocation.ts";
import {
  oneOf,
  readAmounts,
  readCommands,
  readLandOn,
  readLimitFlags,
  requireAddress,
  type RunFlags,
  usageError,
} from "./usage.ts";

/** Options of a run that `resume` knows, to take them or to say why not. */
export type ResumeFlags = Partial<RunFlags>;

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
      ...(verify === undefined ? {} : { verify: readCommands("--verify", verify) }),
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
  const given = fixedOptions.find(({ name }) => isGiven(flags, name));
  if (given === undefined) return;
  const [option = ""] = given.flags.split(" ");
  throw usageError(`${option} cannot change on a standing run: ${given.reason}.`);
}

/** Commander has `workflow` from its `--no-workflow` on, as true where that was left out. */
function isGiven(flags: ResumeFlags, name: keyof RunFlags): boolean {
  return name === "workflow" ? flags.workflow === false : flags[name] !== undefined;
}
