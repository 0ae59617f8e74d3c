// The way from an executor's result to its review: snapshot, hunks, checks. Each step is in the journal before the
// next, so that a submission that was cut goes on where it was.

import type { SubagentId } from "../../shared/contract/ids.ts";
import type { FileChange } from "../domain/events.ts";
import { isInsideClaim } from "../domain/claims.ts";
import { isProtectedPath } from "../domain/protectedPaths.ts";
import { findChangeSet, type NodeState, requireNode } from "../domain/state.ts";
import { ensurePlace } from "./places.ts";
import { hiddenRefs } from "./ports/git.ts";
import { objectFolderOf, type WorkRoom } from "./room.ts";
import { verify } from "./verification.ts";

/** Of what git cannot hold, so many are named in the journal. */
const maxLeftOut = 200;

/** Carries out the submission that `agent` owes. Returns early when the signal aborts; what is missing is owed again. */
export async function submitWork(room: WorkRoom, agent: SubagentId, signal: AbortSignal): Promise<void> {
  const { dispatcher } = room;
  const node = requireNode(dispatcher.state(), agent);
  const before = findChangeSet(dispatcher.state(), node.changeSet);
  if (!before || before.n < node.resultN) {
    const proposed = await propose(room, node);
    if (!proposed) return;
  }
  if (signal.aborted) return;
  const state = dispatcher.state();
  const set = findChangeSet(state, requireNode(state, agent).changeSet);
  if (!set) return;
  const done = new Set(set.verifications.map((run) => run.command));
  const commands = state.options.verify.filter((command) => !done.has(command));
  const checked = await verify(
    room,
    { agent, changeset: set.id, commit: set.commit, tree: set.tree, commands },
    signal,
  );
  if (signal.aborted) return;
  if (checked.ok) await dispatcher.dispatch({ type: "verification.close", agent });
  else
    await dispatcher.dispatch({ type: "agent.fail", agent, code: checked.error.code, sentence: checked.error.message });
}

/** False when there is nothing to review, or when the node failed here. */
async function propose(room: WorkRoom, node: NodeState): Promise<boolean> {
  const { dispatcher, git } = room;
  const { repo, run } = dispatcher.state();
  const place = await ensurePlace(room, node.id);
  if (!place.ok) return failNode(room, node.id, place.error.code, place.error.message);
  const ref = hiddenRefs.changeSet(run, node.id, node.changeSetCount + 1);
  await git.adoptObjects(repo, objectFolderOf(room.folders, node.id));
  const base = place.value.root;
  const snapshot = await git.snapshot(repo, place.value, base, ref, node.title);
  if (!snapshot.ok) return failNode(room, node.id, snapshot.error.code, snapshot.error.message);
  const { commit, tree, isEmpty } = snapshot.value;
  const leftOut = snapshot.value.leftOut.slice(0, maxLeftOut);
  if (isEmpty) {
    await dispatcher.dispatch({ type: "changeset.empty", agent: node.id, base, leftOut });
    return false;
  }
  const files = (await git.changesBetween(repo, base, commit)).map((file) => marked(file, node));
  const receipt = await dispatcher.dispatch({
    type: "changeset.propose",
    agent: node.id,
    base,
    commit,
    tree,
    ref,
    files,
    leftOut,
  });
  return receipt.ok;
}

async function failNode(room: WorkRoom, agent: SubagentId, code: string, sentence: string): Promise<false> {
  await room.dispatcher.dispatch({ type: "agent.fail", agent, code, sentence });
  return false;
}

/** Marks what does not land unasked: a protected path, or one outside the claim. Both names of a moved file count. */
function marked(file: FileChange, node: NodeState): FileChange {
  const paths = file.from === undefined ? [file.path] : [file.path, file.from];
  if (paths.some(isProtectedPath)) return { ...file, asks: "PROTECTED_PATH" };
  if (paths.some((path) => !isInsideClaim(path, node.packet.paths))) return { ...file, asks: "OUTSIDE_PATHS" };
  return file;
}
