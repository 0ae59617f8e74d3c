// Verification: only configured commands, run by the system in the sandbox on the tree of one commit, count.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentId, ChangeSetId, Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { lossOf } from "./fence.ts";
import type { WorkPlace } from "./ports/git.ts";
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

/** Runs the commands one after the other in a throw-away worktree of `commit` and records each. An abort leaves the rest unrecorded. */
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
  const { repo, run } = room.dispatcher.state();
  const path = join(room.folders.places, `${run}-e${room.dispatcher.epoch()}-verify-${target.changeset}`);
  await mkdir(room.folders.places, { recursive: true });
  const left = await room.git.findWorktree(repo, path, target.commit);
  if (left) await room.git.removeWorkPlace(repo, left);
  const made = await room.git.addWorktree(repo, path, target.commit);
  if (!made.ok) return made;
  try {
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
  await mkdir(objectFolderOf(room.folders, target.agent), { recursive: true });
  for (const command of target.commands) {
    const ended = room.inFlight.begin(target.agent, "verification", command);
    const outcome = await room.commands.run(commandIn(room, target.agent, place, command, verificationMs), { signal });
    ended();
    if (signal.aborted) return succeed(null);
    const { changeset, tree, agent } = target;
    const recorded = await room.dispatcher.dispatch({
      type: "verification.record",
      agent,
      run: {
        changeset,
        command,
        exitCode: outcome.exitCode,
        tree,
        durationMs: outcome.durationMs,
        output: outcome.message ?? excerpt(room, outcome.output),
        outcome: outcome.outcome,
      },
    });
    if (!recorded.ok) return fail(recorded.error);
  }
  return succeed(null);
}

/** The end of an output says what failed; its beginning what ran. */
function excerpt(room: WorkRoom, output: string): string {
  const text = room.redact(output);
  const max = 16_000;
  if (text.length <= max) return text;
  return `${text.slice(0, max / 4)}\n… ${text.length - max} characters left out …\n${text.slice(-(max * 3) / 4)}`;
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
