// What every worktree of a run goes through, whoever works in it: laid out at a root and set up, and pinned before it is
// let go.

import type { AgentId, Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { hiddenRefs, type WorkPlace } from "./ports/git.ts";
import { setUpWorktree } from "./provision.ts";
import { objectFolderOf, type WorkRoom } from "./room.ts";

export interface WorktreePlan {
  readonly agent: AgentId;
  readonly path: string;
  readonly root: Oid;
  /** What stands at `path` already. */
  readonly standing: WorkPlace | null;
  /** When the work on it began, on the monotonic clock. */
  readonly from: number;
}

/** Makes the worktree, or resets the one that stands there, copies in what the person has others take along, records it, and sets it up. Codes `WORKTREE_FAILED`, those of the record, and of `readyWorktree`. */
export async function layWorktree(room: WorkRoom, plan: WorktreePlan, signal: AbortSignal): Promise<Result<WorkPlace>> {
  const { agent, path, root, standing, from } = plan;
  const { repo, worktreeInclude } = room.dispatcher.state();
  const made = standing
    ? await room.git.resetWorktree(repo, standing, root)
    : await room.git.addWorktree(repo, path, root);
  if (!made.ok) return made;
  const copied = await room.git.copyIncluded(repo, made.value, worktreeInclude);
  const pointers = await room.git.countPointers(repo, made.value);
  const durationMs = Math.round(room.clock.monotonic() - from);
  const recorded = await room.dispatcher.dispatch({
    type: "place.create",
    agent,
    path,
    root,
    copied,
    pointers,
    durationMs,
  });
  return recorded.ok ? readyWorktree(room, agent, made.value, signal) : fail(recorded.error);
}

/** A worktree that stands, with what is missing of its set-up done: a crash may have cut it. Codes `SETUP_FAILED`, `CANCELLED`. */
export async function readyWorktree(
  room: WorkRoom,
  agent: AgentId,
  place: WorkPlace,
  signal: AbortSignal,
): Promise<Result<WorkPlace>> {
  const ready = await setUpWorktree(room, agent, place, signal);
  return ready.ok ? succeed(place) : ready;
}

/** Keeps what stands in an agent's worktree under a pin, read back; nothing where it holds no change. Codes `SNAPSHOT_FAILED`, `PIN_FAILED`: the worktree must stay. */
export async function pinWorktree(
  room: WorkRoom,
  agent: AgentId,
  place: WorkPlace,
  reason: string,
): Promise<Result<null>> {
  const { repo, run } = room.dispatcher.state();
  const ref = hiddenRefs.pin(run, agent);
  await room.git.adoptObjects(repo, objectFolderOf(room.folders, agent));
  const snapshot = await room.git.snapshot(repo, place, place.root, ref, `Work of ${agent}, ${reason}`);
  if (!snapshot.ok) return snapshot;
  const { commit, isEmpty } = snapshot.value;
  if (isEmpty) return succeed(null);
  if ((await room.git.readRef(repo, ref)) !== commit)
    return fail({ code: "PIN_FAILED", message: `${ref} does not name ${commit}; the worktree ${place.path} is kept.` });
  const { path } = place;
  const recorded = await room.dispatcher.dispatch({ type: "place.pin", agent, path, ref, commit, reason });
  return recorded.ok ? succeed(null) : fail(recorded.error);
}
