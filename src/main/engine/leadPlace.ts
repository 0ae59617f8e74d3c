// The lead's own worktree, where a run lets it edit: one folder, brought to the line whenever nothing in it waits for a
// decision. What was turned down, or left behind, is pinned before it goes.

import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { LeadWork } from "../domain/state.ts";
import type { WorkPlace } from "./ports/git.ts";
import { objectFolderOf, type WorkRoom } from "./room.ts";
import { layWorktree, pinWorktree, readyWorktree } from "./worktree.ts";

/** Makes the worktree, or brings it to where the run stands. Codes `WORKTREE_FAILED`, `SNAPSHOT_FAILED`, `PIN_FAILED`, `SETUP_FAILED`, `CANCELLED`. */
export async function ensureLeadWorktree(room: WorkRoom, signal: AbortSignal): Promise<Result<WorkPlace>> {
  const { run, repo, line, lead } = room.dispatcher.state();
  const { work } = lead;
  const path = work?.path ?? join(room.folders.places, `${run}-e${room.dispatcher.epoch()}-lead`);
  const root = work !== null && work.touchedN > 0 ? work.root : line;
  await mkdir(objectFolderOf(room.folders, "lead"), { recursive: true });
  const standing = await room.git.findWorktree(repo, path, work?.root ?? root);
  if (standing && work?.root === root && !work.isDropped) return readyWorktree(room, "lead", standing, signal);
  const from = room.clock.monotonic();
  await mkdir(dirname(path), { recursive: true });
  const pinned =
    standing && work?.isDropped === true ? await pinWorktree(room, "lead", standing, "REJECTED") : succeed(null);
  if (!pinned.ok) return pinned;
  return layWorktree(room, { agent: "lead", path, root, standing, from }, signal);
}

/** Pins what is not decided or was turned down, then removes the worktree. On failure it stays. */
export async function releaseLeadPlace(room: WorkRoom, work: LeadWork): Promise<Result<null>> {
  const { repo, ending } = room.dispatcher.state();
  const place = await room.git.findWorktree(repo, work.path, work.root);
  if (place) {
    const reason = work.isDropped ? "REJECTED" : (ending?.code ?? ending?.reason ?? "ended");
    const pinned = work.isDropped || work.touchedN > 0 ? await pinWorktree(room, "lead", place, reason) : succeed(null);
    if (!pinned.ok) return pinned;
    await room.git.removeWorkPlace(repo, place);
  }
  const removed = await room.dispatcher.dispatch({ type: "place.remove", agent: "lead", path: work.path });
  return removed.ok ? succeed(null) : fail(removed.error);
}
