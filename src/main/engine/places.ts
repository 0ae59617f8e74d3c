// Work places of a run: made when they are first needed, pinned and removed when their node has ended. The journal says
// which exist; a place that cannot be pinned is never removed.

import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { AgentId } from "../../shared/contract/ids.ts";
import type { RunOptions } from "../../shared/contract/options.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { mayLeadEdit } from "../domain/leadWork.ts";
import { findNode, type NodeState, placeName } from "../domain/state.ts";
import { lossOf } from "./fence.ts";
import { ensureLeadWorktree, releaseLeadPlace } from "./leadPlace.ts";
import type { WorkPlace } from "./ports/git.ts";
import { checkoutFolderOf, objectFolderOf, type WorkRoom } from "./room.ts";
import { layWorktree, pinWorktree, readyWorktree } from "./worktree.ts";

/** The place that an agent works in. An executor's is its worktree; a reader's is a read-only copy of its root; the lead's a copy of the line, or a worktree of its own where it may edit. Codes: `WORKTREE_FAILED`, `SETUP_FAILED`, `CANCELLED` where the signal aborted while it was set up. */
export async function ensurePlace(room: WorkRoom, agent: AgentId, signal: AbortSignal): Promise<Result<WorkPlace>> {
  const loss = lossOf(room.isHeld);
  if (loss) return fail(loss);
  const state = room.dispatcher.state();
  const node = findNode(state, agent);
  if (agent === "lead" && mayLeadEdit(state)) return ensureLeadWorktree(room, signal);
  if (node?.worktree != null && node.root !== null) return ensureWorktree(room, node, node.worktree, signal);
  const commit = node?.root ?? state.line;
  const path = checkoutFolderOf(room.folders, commit);
  await mkdir(dirname(path), { recursive: true });
  return room.git.addCheckout(state.repo, path, commit);
}

async function ensureWorktree(
  room: WorkRoom,
  node: NodeState,
  recorded: string,
  signal: AbortSignal,
): Promise<Result<WorkPlace>> {
  const { repo, run, options } = room.dispatcher.state();
  // One that was to be made under an earlier epoch may still be made there, by a holder that was stopped and passed over.
  const name = placeName(run, room.dispatcher.epoch(), isShared(node, options) ? "shared" : node.id);
  const path = node.place === "created" ? recorded : join(dirname(recorded), name);
  const root = node.root ?? room.dispatcher.state().line;
  await mkdir(objectFolderOf(room.folders, node.id), { recursive: true });
  const standing = await room.git.findWorktree(repo, path, root);
  if (standing && node.place === "created") return readyWorktree(room, node.id, standing, signal);
  const from = room.clock.monotonic();
  await mkdir(dirname(path), { recursive: true });
  // With worktrees off the folder is the one that the executor before has left; what could not be pinned stays in it.
  const left = standing ? await pinLeftWork(room, path, standing) : succeed(null);
  if (!left.ok) return left;
  return layWorktree(room, { agent: node.id, path, root, standing, from }, signal);
}

/** Tries once more to pin what an earlier node left in a shared folder, where that failed when it was settled. */
async function pinLeftWork(room: WorkRoom, path: string, place: WorkPlace): Promise<Result<null>> {
  const { nodes } = room.dispatcher.state();
  const before = nodes.findLast((other) => other.worktree === path && other.isSettled && other.place === "created");
  return before && before.pin === null ? pinWork(room, before, place) : succeed(null);
}

/** Pins what a node that did not succeed has made, then lets its place go. With worktrees off the folder stays for the next executor. */
export async function releasePlace(room: WorkRoom, node: NodeState): Promise<Result<null>> {
  const { repo, options } = room.dispatcher.state();
  if (node.worktree === null || node.root === null || node.place !== "created") return succeed(null);
  const place = await room.git.findWorktree(repo, node.worktree, node.root);
  if (place) {
    const pinned = await pinWork(room, node, place);
    if (!pinned.ok) return pinned;
    if (!isShared(node, options)) await room.git.removeWorkPlace(repo, place);
  }
  if (isShared(node, options)) return succeed(null);
  const removed = await room.dispatcher.dispatch({ type: "place.remove", agent: node.id, path: node.worktree });
  return removed.ok ? succeed(null) : fail(removed.error);
}

/** With worktrees off all executors use one folder, one after the other. */
function isShared(node: NodeState, options: RunOptions): boolean {
  return node.writes && options.worktrees === "off";
}

/** What landed stands on its change set's ref; everything else is kept under a pin of its own. */
async function pinWork(room: WorkRoom, node: NodeState, place: WorkPlace): Promise<Result<null>> {
  if (node.end === "completed" || !node.writes) return succeed(null);
  return pinWorktree(room, node.id, place, node.code ?? node.end ?? "ended");
}

/** Removes what no node holds any more: the shared worktree, the readers' copies, the private home. A worktree whose state could not be pinned stays. */
export async function clearPlaces(room: WorkRoom): Promise<void> {
  const { repo, nodes, options } = room.dispatcher.state();
  const kept = new Set<string>();
  const { work } = room.dispatcher.state().lead;
  if (work !== null && !(await releaseLeadPlace(room, work)).ok) kept.add(basename(work.path));
  for (const node of nodes) {
    if (node.worktree === null || node.place !== "created" || !node.isSettled) continue;
    if (!isShared(node, options)) {
      // It is still there because it could not be pinned; once more, and then it is left for a person.
      const released = await releasePlace(room, node);
      if (!released.ok) kept.add(basename(node.worktree));
      continue;
    }
    const place = await room.git.findWorktree(repo, node.worktree, node.root ?? room.dispatcher.state().line);
    if (place) await room.git.removeWorkPlace(repo, place);
    await room.dispatcher.dispatch({ type: "place.remove", agent: node.id, path: node.worktree });
  }
  // What a crash left: a throw-away worktree of a check, or one that was registered and never filled.
  const { run } = room.dispatcher;
  for (const path of await room.git.worktreesUnder(repo, join(room.folders.places, `${run}-`), [run])) {
    if (kept.has(basename(path))) continue;
    await room.git.removeWorkPlace(repo, { kind: "worktree", path, root: room.dispatcher.state().line, gitDir: null });
  }
  await room.git.removeFolder(room.folders.run);
}
