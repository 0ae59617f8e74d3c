// Verification: only configured commands, run by the system in the sandbox on the tree of one commit, count.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentId, ChangeSetId, Oid } from "../../shared/contract/ids.ts";
import type { RunOptions } from "../../shared/contract/options.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { EventData } from "../domain/events.ts";
import { hasFailed, type VerificationRun } from "../domain/state.ts";
import { excerptOf } from "./excerpt.ts";
import { lossOf } from "./fence.ts";
import type { WorkPlace } from "./ports/git.ts";
import { runSetup } from "./provision.ts";
import { commandIn, objectFolderOf, type WorkRoom } from "./room.ts";

/** The limit of one verification command. */
export const verificationMs = 10 * 60_000;

/** At most this many run at a time in one process. */
const width = 2;
let running = 0;
const queue: (() => void)[] = [];

export interface VerificationTarget {
  readonly agent: AgentId;
  readonly changeset: ChangeSetId;
  readonly commit: Oid;
  readonly tree: Oid;
  readonly commands: readonly string[];
}

/** The checks that a tree lacks after these runs; none once its set-up has failed, since nothing can be checked there then. */
export function missingChecks(
  { verify: checks, setup = [] }: Pick<RunOptions, "verify" | "setup">,
  runs: readonly VerificationRun[],
): readonly string[] {
  if (runs.some((run) => hasFailed(run) && setup.includes(run.command))) return [];
  return checks.filter((check) => !runs.some((run) => run.command === check));
}

/** Runs the commands one after the other in a throw-away worktree of `commit`, set up as any, and records each. A set-up that fails is recorded as a check that does, and the last. An abort leaves the rest unrecorded. */
export async function verify(room: WorkRoom, target: VerificationTarget, signal: AbortSignal): Promise<Result<null>> {
  if (target.commands.length === 0) return succeed(null);
  await takeTurn();
  try {
    return await verifyInWorktree(room, target, signal);
  } finally {
    passTurn();
  }
}

async function verifyInWorktree(
  room: WorkRoom,
  target: VerificationTarget,
  signal: AbortSignal,
): Promise<Result<null>> {
  const loss = lossOf(room.isHeld);
  if (loss) return fail(loss);
  const { repo, run, base, worktreeInclude } = room.dispatcher.state();
  const path = join(room.folders.places, `${run}-e${room.dispatcher.epoch()}-verify-${target.changeset}`);
  await mkdir(room.folders.places, { recursive: true });
  const left = await room.git.findWorktree(repo, path, target.commit);
  if (left) await room.git.removeWorkPlace(repo, left);
  const made = await room.git.addWorktree(repo, path, target.commit);
  if (!made.ok) return made;
  try {
    // By the list that the run began with: what is checked may name more of the person's files than they would give.
    await room.git.copyIncluded(repo, { ...made.value, root: base.commit }, worktreeInclude);
    return await runAll(room, target, made.value, signal);
  } finally {
    await room.git.removeWorkPlace(repo, made.value);
  }
}

async function runAll(
  room: WorkRoom,
  target: VerificationTarget,
  place: WorkPlace,
  signal: AbortSignal,
): Promise<Result<null>> {
  const { agent } = target;
  await mkdir(objectFolderOf(room.folders, agent), { recursive: true });
  for (const command of room.dispatcher.state().options.setup ?? []) {
    const run = await runSetup(room, { agent, place, command }, signal);
    if (run === null) return succeed(null);
    if (hasFailed(run)) return record(room, target, run);
  }
  for (const command of target.commands) {
    const ended = room.inFlight.begin(agent, "verification", command);
    const ran = await room.commands.run(commandIn(room, agent, place, command, verificationMs), { signal });
    ended();
    if (signal.aborted) return succeed(null);
    const { exitCode, durationMs, outcome } = ran;
    const recorded = await record(room, target, {
      command,
      exitCode,
      durationMs,
      outcome,
      output: excerptOf(room, ran),
    });
    if (!recorded.ok) return recorded;
  }
  return succeed(null);
}

async function record(
  room: WorkRoom,
  { agent, changeset, tree }: VerificationTarget,
  run: Omit<EventData["verification.ran"], "by" | "changeset" | "tree">,
): Promise<Result<null>> {
  const recorded = await room.dispatcher.dispatch({
    type: "verification.record",
    agent,
    run: { changeset, tree, ...run },
  });
  return recorded.ok ? succeed(null) : fail(recorded.error);
}

async function takeTurn(): Promise<void> {
  if (running < width) {
    running++;
    return;
  }
  await new Promise<void>((resolve) => queue.push(resolve));
}

function passTurn(): void {
  const next = queue.shift();
  if (next) next();
  else running--;
}
