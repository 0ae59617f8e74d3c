// The run's line where the run includes what its user has not committed: what lands is made without that, and the line
// goes on with it, so that each agent sees it and none of it lands. Elsewhere the line is what has landed.

import type { Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { ChangeSetState } from "../domain/state.ts";
import { hiddenRefs, type Identity, type MergeOutcome } from "./ports/git.ts";
import type { WorkRoom } from "./room.ts";

/** A commit of the line, or a base, without what is not committed. */
export async function committedPart(room: WorkRoom, commit: Oid): Promise<Oid> {
  const { repo, includesDirty } = room.dispatcher.state();
  return includesDirty ? ((await room.git.parentOf(repo, commit)) ?? commit) : commit;
}

/** The commit that a landing puts on a branch, and what it was made by. */
export interface NewTip {
  readonly ref: string;
  readonly commit: Oid;
  readonly identity: Identity;
}

/**
 * Where the line stands once `tip` has landed, kept from git's garbage collection; `null`: at `tip`, or where it stood.
 * `accepted`: what a change set comes to on its own base, for a line that the user's uncommitted work cannot follow
 * elsewhere. Code `CONFLICT`, with the paths.
 */
export async function lineAfter(
  room: WorkRoom,
  tip: NewTip,
  accepted: { readonly set: ChangeSetState; readonly tree: Oid } | null,
): Promise<Result<Oid | null>> {
  const { run, repo, line, target, includesDirty, landings } = room.dispatcher.state();
  if (!includesDirty || tip.ref !== target.ref) return succeed(null);
  let merged = await uncommittedOn(room, tip.commit);
  // Others have committed around it: the line keeps to what it had, with the change alone.
  if (merged.kind === "conflict" && accepted !== null)
    merged = await room.git.mergeTrees(repo, accepted.set.base, line, accepted.tree);
  if (merged.kind === "conflict")
    return fail({
      code: "CONFLICT",
      message: `It conflicts with what you have not committed in ${merged.paths.join(", ")}.`,
      details: merged.paths,
    });
  const next = await commitOver(room, tip, merged.tree);
  await room.git.pin(repo, hiddenRefs.line(run, landings.length + 1), next);
  return succeed(next);
}

/** The commit that an agent goes on from once `tip` is brought into its worktree: with what the user has not committed, where the run includes that and it fits there. On no ref. */
export async function goOnFrom(room: WorkRoom, tip: Oid): Promise<Oid> {
  const { repo, includesDirty } = room.dispatcher.state();
  const identity = includesDirty ? await room.git.findIdentity(repo) : null;
  if (identity === null) return tip;
  const merged = await uncommittedOn(room, tip);
  if (merged.kind === "conflict") return tip;
  return commitOver(room, { commit: tip, identity }, merged.tree);
}

function commitOver(room: WorkRoom, { commit, identity }: Omit<NewTip, "ref">, tree: Oid): Promise<Oid> {
  const { run, repo } = room.dispatcher.state();
  const message = `What is not committed, over ${commit}\n\nCoppice run ${run}; it lands nowhere.\n`;
  return room.git.commitTree(repo, tree, commit, identity, message, room.clock.now());
}

/** What the user has not committed, as the line has it, on another commit. */
async function uncommittedOn(room: WorkRoom, commit: Oid): Promise<MergeOutcome> {
  const { repo, line } = room.dispatcher.state();
  return room.git.mergeTrees(repo, await committedPart(room, line), commit, await room.git.treeOf(repo, line));
}
