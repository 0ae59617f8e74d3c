// A change set that was sent back with its target: before its agent goes on, the target as it stands now is brought into the
// agent's worktree, with the change on it. What stood there is kept first; the user's checkout has no part in it.

import type { AgentId, Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { ChangeSetState } from "../domain/state.ts";
import { goOnFrom } from "./line.ts";
import { ensurePlace } from "./places.ts";
import { hiddenRefs, type WorkPlace } from "./ports/git.ts";
import { objectFolderOf, type WorkRoom } from "./room.ts";

/** Does it where it is owed to `agent`. False: the agent ended over it, or the signal aborted, and it is owed still. */
export async function bringTarget(room: WorkRoom, agent: AgentId, signal: AbortSignal): Promise<boolean> {
  const { dispatcher, inFlight } = room;
  const set = dispatcher.state().changeSets.findLast((one) => one.agent === agent && one.bringsTarget);
  if (!set) return true;
  const ended = inFlight.begin(agent, "provisioning", `${set.target.branch} brought in`);
  try {
    const brought = await rebase(room, set, signal);
    if (!brought.ok && !signal.aborted)
      await dispatcher.dispatch({
        type: "agent.fail",
        agent,
        code: brought.error.code,
        sentence: brought.error.message,
      });
    return brought.ok;
  } finally {
    ended();
  }
}

async function rebase(room: WorkRoom, set: ChangeSetState, signal: AbortSignal): Promise<Result<null>> {
  const { dispatcher, git } = room;
  const { repo, line } = dispatcher.state();
  const place = await ensurePlace(room, set.agent, signal);
  if (!place.ok) return place;
  const work = await keepWork(room, set, place.value);
  if (!work.ok) return work;
  const tip = await git.readRef(repo, set.target.ref);
  const root = tip === null ? line : await goOnFrom(room, tip);
  const plan = { base: set.base, commit: work.value, root, name: set.target.branch };
  const rebased = await git.rebaseWorktree(repo, place.value, plan);
  if (!rebased.ok) return rebased;
  const recorded = await dispatcher.dispatch({
    type: "place.rebase",
    agent: set.agent,
    path: place.value.path,
    changeset: set.id,
    root,
    conflicts: rebased.value.conflicts,
  });
  return recorded.ok ? succeed(null) : fail(recorded.error);
}

/** A commit of what the worktree held when the change set was sent back, on a ref of its own: after a crash in the middle of bringing the target in, that is what it begins with again. */
async function keepWork(room: WorkRoom, set: ChangeSetState, place: WorkPlace): Promise<Result<Oid>> {
  const { git, dispatcher, folders } = room;
  const { repo, run } = dispatcher.state();
  const ref = hiddenRefs.sentBack(run, set.agent, set.number);
  const before = await git.readRef(repo, ref);
  if (before !== null) return succeed(before);
  await git.adoptObjects(repo, objectFolderOf(folders, set.agent));
  const snapshot = await git.snapshot(repo, place, set.base, ref, `Sent back: ${set.id}`);
  if (!snapshot.ok) return snapshot;
  // A worktree that was lost and made anew holds nothing of the change.
  return succeed(snapshot.value.isEmpty ? set.commit : snapshot.value.commit);
}
