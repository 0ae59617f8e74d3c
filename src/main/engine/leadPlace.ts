// The lead's own worktree, where a run lets it edit: one folder, brought to the line whenever nothing in it waits for a
// decision. What was turned down, or left behind, is pinned before it goes.

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { LeadWork } from "../domain/state.ts";
import { hiddenRefs, type WorkPlace } from "./ports/git.ts";
import { objectFolderOf, type WorkRoom } from "./room.ts";

/** Makes the worktree, or brings it to where the run stands. Codes `WORKTREE_FAILED`, `SNAPSHOT_FAILED`, `PIN_FAILED`. */
export async function ensureLeadWorktree(room: WorkRoom): Promise<Result<WorkPlace>> {
  const { run, repo, line, lead } = room.dispatcher.state();
  const { work } = lead;
  const path = work?.path ?? join(room.folders.places, `${run}-e${room.dispatcher.epoch()}-lead`);
  const root = work !== null && work.touchedN > 0 ? work.root : line;
  await mkdir(objectFolderOf(room.folders, "lead"), { recursive: true });
  const standing = await room.git.findWorktree(repo, path, work?.root ?? root);
  if (standing && work?.root === root && !work.isDropped) return succeed(standing);
  const from = room.clock.monotonic();
  await mkdir(dirname(path), { recursive: true });
  const pinned = standing && work?.isDropped === true ? await pinLeadWork(room, standing, "REJECTED") : succeed(null);
  if (!pinned.ok) return pinned;
  const made = standing
    ? await room.git.resetWorktree(repo, standing, root)
    : await room.git.addWorktree(repo, path, root);
  if (!made.ok) return made;
  const copied = await room.git.copyIncluded(repo, made.value);
  const recorded = await room.dispatcher.dispatch({
    type: "place.create",
    agent: "lead",
    path,
    root,
    copied,
    durationMs: Math.round(room.clock.monotonic() - from),
  });
  return recorded.ok ? made : fail(recorded.error);
}

/** Pins what is not decided or was turned down, then removes the worktree. On failure it stays. */
export async function releaseLeadPlace(room: WorkRoom, work: LeadWork): Promise<Result<null>> {
  const { repo, ending } = room.dispatcher.state();
  const place = await room.git.findWorktree(repo, work.path, work.root);
  if (place) {
    const reason = work.isDropped ? "REJECTED" : (ending?.code ?? ending?.reason ?? "ended");
    const pinned = work.isDropped || work.touchedN > 0 ? await pinLeadWork(room, place, reason) : succeed(null);
    if (!pinned.ok) return pinned;
    await room.git.removeWorkPlace(repo, place);
  }
  const removed = await room.dispatcher.dispatch({ type: "place.remove", agent: "lead", path: work.path });
  return removed.ok ? succeed(null) : fail(removed.error);
}

async function pinLeadWork(room: WorkRoom, place: WorkPlace, reason: string): Promise<Result<null>> {
  const { repo, run } = room.dispatcher.state();
  const ref = hiddenRefs.pin(run, "lead");
  await room.git.adoptObjects(repo, objectFolderOf(room.folders, "lead"));
  const snapshot = await room.git.snapshot(repo, place, place.root, ref, `Work of lead, ${reason}`);
  if (!snapshot.ok) return snapshot;
  const { commit, isEmpty } = snapshot.value;
  if (isEmpty) return succeed(null);
  if ((await room.git.readRef(repo, ref)) !== commit)
    return fail({ code: "PIN_FAILED", message: `${ref} does not name ${commit}; the worktree ${place.path} is kept.` });
  const { path } = place;
  const recorded = await room.dispatcher.dispatch({ type: "place.pin", agent: "lead", path, ref, commit, reason });
  return recorded.ok ? succeed(null) : fail(recorded.error);
}
