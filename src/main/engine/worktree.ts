// What every worktree of a run goes through, whoever works in it: laid out at a root, and pinned before it is let go.

import type { AgentId, Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { hiddenRefs, type WorkPlace } from "./ports/git.ts";
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

/** Makes the worktree, or resets the one that stands there, copies in what the person has others take along, and records it. Codes `WORKTREE_FAILED`, and those of the record. */
export async function layWorktree(room: WorkRoom, plan: WorktreePlan): Promise<Result<WorkPlace>> {
  const { agent, path, root, standing, from } = plan;
  const { repo } = room.dispatcher.state();
  const made = standing
    ? await room.git.resetWorktree(repo, standing, root)
    : await room.git.addWorktree(repo, path, root);
  if (!made.ok) return made;
  const copied = await room.git.copyIncluded(repo, made.value);
  const durationMs = Math.round(room.clock.monotonic() - from);
  const recorded = await room.dispatcher.dispatch({ type: "place.create", agent, path, root, copied, durationMs });
  return recorded.ok ? made : fail(recorded.error);
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
