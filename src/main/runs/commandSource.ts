// Carries out what a viewer commands, once for each command id, and answers with a receipt. Knows which act each command
// is; how a run is reached is the run manager's.

import type { ApprovalId, CommandId, LandingId, RunId } from "../../shared/contract/ids.ts";
import type { CommandEnvelope, CommandReceipt, WorkbenchCommand } from "../../shared/contract/commands.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import { fail, type Failure, type Result, succeed } from "../../shared/lib/result.ts";
import { runIdOf } from "./assignment.ts";
import type { Care } from "./care.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { assignmentOf, type RunGround } from "./runDefaults.ts";
import type { Sample } from "./sample.ts";
import type { Outcome, RunManager } from "./runManager.ts";
import type { CommandSource } from "../pages/topicSource.ts";

export interface CommandParts {
  readonly store: StorePort;
  readonly runs: RunManager;
  readonly care: Care;
  /** What new runs are made whole from, as of now. */
  readonly ground: () => RunGround;
  readonly sample: () => Promise<Result<Sample>>;
}

type Receipt = Result<CommandReceipt>;
type Deciding = Extract<WorkbenchCommand, { readonly approval: ApprovalId }>;
type OfRun = Exclude<Extract<WorkbenchCommand, { readonly run: RunId }>, { readonly type: "fork" }>;

/** Receipts kept, so that a command sent again answers the same: more than any page has on their way. The journal and the ids of runs remember beyond them. */
const maxReceipts = 1_000;

export function createCommands(parts: CommandParts): CommandSource<WorkbenchCommand, CommandReceipt> {
  const given = new Map<CommandId, { readonly text: string; readonly receipt: Promise<Receipt> }>();
  return {
    execute({ commandId, command }) {
      const text = canonicalJson(command);
      const before = given.get(commandId);
      if (before) return before.text === text ? before.receipt : Promise.resolve(fail(usedBefore(commandId)));
      const receipt = carryOut(parts, { commandId, command }).catch((error: unknown) =>
        fail(unexpected(command, error)),
      );
      given.set(commandId, { text, receipt });
      const [oldest] = given.keys();
      if (given.size > maxReceipts && oldest !== undefined) given.delete(oldest);
      // What was refused may be carried out when it is sent again: a key was given since, a repository was found.
      void receipt.then((answer) => {
        if (!answer.ok) given.delete(commandId);
      });
      return receipt;
    },
  };
}

async function carryOut(
  parts: CommandParts,
  { commandId, command }: CommandEnvelope<WorkbenchCommand>,
): Promise<Receipt> {
  const run = await runOf(parts.store, command, commandId);
  if (!run.ok) return run;
  const outcome = await actOn(parts, run.value, command, commandId);
  return outcome.ok ? succeed({ commandId, run: run.value, at: outcome.value.at }) : outcome;
}

/** The run that a command is about: it names it, or something of it whose id begins with the run's. */
async function runOf(store: StorePort, command: WorkbenchCommand, commandId: CommandId): Promise<Result<RunId>> {
  if (command.type === "startRun" || command.type === "startSample") return succeed(runIdOf(commandId));
  if (command.type === "fork") {
    const origin = await findWhole(store, command.run);
    return origin.ok ? succeed(runIdOf(commandId)) : origin;
  }
  if ("run" in command) return findWhole(store, command.run);
  const id: ApprovalId | LandingId = "approval" in command ? command.approval : command.landing;
  const [code, what, mark] =
    "approval" in command ? ["APPROVAL_NOT_FOUND", "approval", "-a"] : ["LANDING_NOT_FOUND", "landing", "-l"];
  const found = await findWhole(store, id.slice(0, Math.max(0, id.lastIndexOf(mark ?? ""))) as RunId);
  return found.ok ? found : fail({ code: code ?? "", message: `There is no ${what} ${id}.` });
}

async function findWhole(store: StorePort, run: RunId): Promise<Result<RunId>> {
  const found = await store.findRun(run);
  if (!found.ok) return found;
  return found.value.run === run ? succeed(run) : fail({ code: "RUN_NOT_FOUND", message: `There is no run ${run}.` });
}

async function actOn(
  parts: CommandParts,
  run: RunId,
  command: WorkbenchCommand,
  commandId: CommandId,
): Promise<Outcome> {
  if (command.type === "startRun") {
    const assignment = assignmentOf(command, parts.ground());
    return assignment.ok ? parts.runs.start(run, assignment.value) : assignment;
  }
  if (command.type === "fork") {
    const { run: origin, at, base = "line" } = command;
    return parts.runs.fork(origin, { run, at, base });
  }
  if (command.type === "startSample") return parts.runs.startSample(run, parts.sample);
  if (command.type === "undo") return parts.runs.undo(run, command.landing);
  return "approval" in command ? decide(parts, run, command, commandId) : actOnRun(parts, command, commandId);
}

async function decide({ runs }: CommandParts, run: RunId, command: Deciding, commandId: CommandId): Promise<Outcome> {
  const { approval, resumes } = command;
  const decided = await runs.steer(run, {
    type: "approval.decide",
    approval,
    by: "a person",
    commandId,
    ...decisionOf(command),
  });
  if (!decided.ok || resumes !== true) return decided;
  const resumed = await runs.resume(run);
  // A run that has stopped has nothing to go on with: the decision was all.
  return resumed.ok || resumed.error.code === "RUN_STOPPED" ? decided : resumed;
}

function decisionOf(command: Deciding) {
  switch (command.type) {
    case "approve": {
      const { hunks, amendments, resolutions, message, scope } = command;
      return {
        decision: "approved",
        ...(hunks === undefined ? {} : { hunks }),
        ...(amendments === undefined ? {} : { amendments }),
        ...(resolutions === undefined ? {} : { resolutions }),
        ...(message === undefined ? {} : { message }),
        ...(scope === undefined ? {} : { scope }),
      } as const;
    }
    case "reject":
      return { decision: "rejected", ...(command.comment === undefined ? {} : { comment: command.comment }) } as const;
    case "sendBack": {
      const { comment, bringsTarget } = command;
      return { decision: "sent_back", comment, ...(bringsTarget === true ? { bringsTarget } : {}) } as const;
    }
    case "answer":
      return { decision: "answered", comment: command.value } as const;
  }
}

async function actOnRun({ store, runs, care }: CommandParts, command: OfRun, commandId: CommandId): Promise<Outcome> {
  const { run } = command;
  switch (command.type) {
    case "cancel":
      return runs.cancel(run, commandId);
    case "pause":
      return runs.steer(run, { type: "run.pause", commandId });
    case "resume":
      return runs.resume(run, commandId);
    case "message":
      return runs.message(run, command.text, command.to, commandId);
    case "rename":
      return runs.steer(run, { type: "run.rename", title: command.title, by: "a person", commandId });
    case "addNote":
      return runs.steer(run, {
        type: "note.add",
        kind: command.kind,
        text: command.text,
        by: "a person",
        commandId,
      });
    case "retractNote":
      return runs.steer(run, { type: "note.retract", note: command.note, by: "a person", commandId });
    case "land":
      return runs.proposeLine(run);
    case "rebind":
      return runs.rebind(run, command.folder);
    case "pin":
      return unwritten(await care.setPinned(run, command.isPinned));
    case "restore": {
      const found = await store.findRun(run);
      return found.ok ? unwritten(await care.restore(found.value, command.agent)) : found;
    }
    case "deleteRun": {
      const found = await store.findRun(run);
      return found.ok ? unwritten(await care.deleteRun(found.value)) : found;
    }
  }
}

/** Nothing was written to the run's journal. */
function unwritten(result: Result<unknown>): Outcome {
  return result.ok ? succeed({ at: null }) : result;
}

function usedBefore(commandId: CommandId): Failure {
  return {
    code: "BAD_USAGE",
    message: `The command id ${commandId} was used for another command; each command needs an id of its own.`,
  };
}

function unexpected({ type }: WorkbenchCommand, error: unknown): Failure {
  return { code: "UNEXPECTED", message: `${type} failed: ${error instanceof Error ? error.message : String(error)}` };
}
