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
import { hasNetworkAlone, runSetup, type SetupOrder, type SetupRun } from "./provision.ts";
import { commandIn, objectFolderOf, type WorkRoom } from "./room.ts";

/** The limit of one verification command. */
export const verificationMs = 10 * 60_000;

/** At most this many run at a time in one process. */
const width = 2;
let running = 0;
const queue = new Set<() => void>();

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

/** Runs the commands one after the other in a throw-away worktree of `commit`, set up like any other (but see `beginAtBase`), and records each. A set-up that fails is recorded as a check that does, and the last. An abort leaves the rest unrecorded. */
export async function verify(room: WorkRoom, target: VerificationTarget, signal: AbortSignal): Promise<Result<null>> {
  if (target.commands.length === 0) return succeed(null);
  if (!(await takeTurn(signal))) return succeed(null);
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
  const { repo, run, base, options } = room.dispatcher.state();
  const path = join(room.folders.places, `${run}-e${room.dispatcher.epoch()}-verify-${target.changeset}`);
  await mkdir(room.folders.places, { recursive: true });
  const left = await room.git.findWorktree(repo, path, target.commit);
  if (left) await room.git.removeWorkPlace(repo, left);
  const beginsAtBase = (options.setup ?? []).length > 0 && hasNetworkAlone(room);
  const made = await room.git.addWorktree(repo, path, beginsAtBase ? base.commit : target.commit);
  if (!made.ok) return made;
  try {
    await mkdir(objectFolderOf(room.folders, target.agent), { recursive: true });
    const begun = beginsAtBase ? await beginAtBase(room, target, made.value, signal) : succeed(made.value);
    if (!begun.ok) return begun;
    return begun.value === null ? succeed(null) : await runAll(room, target, begun.value, signal);
  } finally {
    await room.git.removeWorkPlace(repo, made.value);
  }
}

/**
 * Sets the worktree up as the person's own commit, with the network that set-up has, and puts what is checked there in its
 * place, what git ignores kept: what an agent wrote is not run with a network that agents do not have (ADR 54). `null`: it has
 * failed and is recorded, or the signal aborted.
 */
async function beginAtBase(
  room: WorkRoom,
  target: VerificationTarget,
  place: WorkPlace,
  signal: AbortSignal,
): Promise<Result<WorkPlace | null>> {
  const failed = await setUp(room, target, { place }, signal);
  if (signal.aborted) return succeed(null);
  if (failed === null) return room.git.resetWorktree(room.dispatcher.state().repo, place, target.commit);
  const recorded = await record(room, target, failed);
  return recorded.ok ? succeed(null) : recorded;
}

/** The first set-up command that fails; `null`: none does, or the signal aborted. */
async function setUp(
  room: WorkRoom,
  { agent }: VerificationTarget,
  on: Pick<SetupOrder, "place" | "network">,
  signal: AbortSignal,
): Promise<SetupRun | null> {
  const { repo, base, options, worktreeInclude } = room.dispatcher.state();
  // By the list that the run began with: what is checked may name more of the person's files than they would give.
  await room.git.copyIncluded(repo, { ...on.place, root: base.commit }, worktreeInclude);
  for (const command of options.setup ?? []) {
    const run = await runSetup(room, { agent, command, ...on }, signal);
    if (run === null || hasFailed(run)) return run;
  }
  return null;
}

async function runAll(
  room: WorkRoom,
  target: VerificationTarget,
  place: WorkPlace,
  signal: AbortSignal,
): Promise<Result<null>> {
  const { agent } = target;
  const isOffline = hasNetworkAlone(room);
  const failed = await setUp(room, target, { place, ...(isOffline ? { network: "off" } : {}) }, signal);
  if (signal.aborted) return succeed(null);
  if (failed !== null) return record(room, target, isOffline ? toldOffline(failed) : failed);
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

function toldOffline(run: SetupRun): SetupRun {
  const told =
    "Set-up ran on this change without the network, since agents have none. On the commit that the run began at it ran with the network before, and ended well.";
  return { ...run, output: `${run.output.trimEnd()}\n\n${told}\n`.trimStart() };
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

/** False where the signal aborted before it was this one's turn, which other runs' checks may hold for long. */
async function takeTurn(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  if (running < width) {
    running++;
    return true;
  }
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const begin = () => resolve(true);
  const leave = () => resolve(!queue.delete(begin));
  queue.add(begin);
  signal.addEventListener("abort", leave, { once: true });
  return promise.finally(() => signal.removeEventListener("abort", leave));
}

function passTurn(): void {
  const [next] = queue;
  if (next === undefined) {
    running--;
    return;
  }
  queue.delete(next);
  next();
}
