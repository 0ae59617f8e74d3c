// Landing: moving an approved change set onto the target branch. All of it or nothing; what does not fit
// is held with a plain reason, and nothing moves.

import type { ChangeSetId, Oid } from "../../shared/contract/ids.ts";
import { fail, type Failure, type Result, succeed } from "../../shared/lib/result.ts";
import { isWhole } from "../domain/selection.ts";
import { type ChangeSetState, hasFailed, requireChangeSet, requireNode, type RunState } from "../domain/state.ts";
import { committedPart, lineAfter } from "./line.ts";
import { moveBranch } from "./moveBranch.ts";
import type { ResolvedMerge } from "./ports/git.ts";
import type { WorkRoom } from "./room.ts";
import { missingChecks, verify } from "./verification.ts";

/** A lost swap is tried again this often before the change set is held. */
const maxSwaps = 3;

interface Plan {
  readonly old: Oid | null;
  readonly commit: Oid;
  readonly tree: Oid;
  /** Where the run's line stands after it, when that is not the commit. */
  readonly line: Oid | null;
}

/** Why a change set cannot land as it is. */
interface Refusal extends Failure {
  /** Patch id of what would have landed, where that is why. */
  readonly merge?: string;
}

/** Carries out the landing that the run owes for this change set. Never cut: a cancel takes effect after it. */
export async function land(room: WorkRoom, id: ChangeSetId): Promise<void> {
  const set = requireChangeSet(room.dispatcher.state(), id);
  if (set.status === "landing") return finishBegun(room, set);
  for (let swap = 1; swap <= maxSwaps; swap++) {
    const plan = await planLanding(room, set);
    if (!plan.ok) return hold(room, id, plan.error);
    const { old, commit, tree, line } = plan.value;
    // The tip is compared again right before the record, so that a swap lost to a fast user costs no event.
    if ((await room.git.readRef(room.dispatcher.state().repo, set.target.ref)) !== old) continue;
    const begun = await room.dispatcher.dispatch({
      type: "landing.begin",
      changeset: id,
      old,
      new: commit,
      tree,
      ...(line === null ? {} : { line }),
    });
    if (!begun.ok) return;
    return finishBegun(room, requireChangeSet(room.dispatcher.state(), id));
  }
  await hold(room, id, movedAway(set));
}

/** Tree, commit and old tip of a landing, or why it cannot be. */
async function planLanding(room: WorkRoom, set: ChangeSetState): Promise<Result<Plan, Refusal>> {
  const state = room.dispatcher.state();
  const { repo } = state;
  const identity = await room.git.findIdentity(repo);
  if (!identity) {
    return fail({
      code: "IDENTITY_MISSING",
      message: `git knows no name and mail for ${repo.topLevel}; set them with git config user.name and user.email, then approve again.`,
    });
  }
  const old = await room.git.readRef(repo, set.target.ref);
  // A branch that is not there yet begins where the work stands, the run's whole branch where it is reviewed from.
  const parent = old ?? (await committedPart(room, set.isLine ? set.base : state.line));
  const accepted = await acceptedTree(room, set);
  if (!accepted.ok) return accepted;
  const sides = { base: set.base, target: parent, tree: accepted.value };
  const merged = await room.git.mergeResolved(repo, sides, set.resolutions);
  if (merged.kind === "conflict") return fail(conflictOf(set, merged));
  const isThere = await hasLanded(room, { base: set.base, accepted: accepted.value, parent, merged: merged.tree });
  const commit = isThere
    ? parent
    : await room.git.commitTree(repo, merged.tree, parent, identity, messageFor(state, set), room.clock.now());
  const differs = isThere || parent === set.base ? null : await findOtherMerge(room, set, parent, commit);
  if (differs !== null) return fail(differs);
  const verified = await verifyTree(room, set, commit, merged.tree);
  if (!verified.ok) return verified;
  const line = await lineAfter(room, { ref: set.target.ref, commit, identity }, { set, tree: accepted.value });
  return line.ok ? succeed({ old, commit, tree: merged.tree, line: line.value }) : line;
}

/** Whether the target holds all of the change already: it landed after the backup that this journal was restored from, or by another hand. Then it is recorded where it stands, and nothing moves. */
async function hasLanded(
  { git, dispatcher }: WorkRoom,
  { base, accepted, parent, merged }: Readonly<Record<"base" | "accepted" | "parent" | "merged", Oid>>,
): Promise<boolean> {
  if (parent === base) return false;
  const { repo } = dispatcher.state();
  return merged === (await git.treeOf(repo, parent)) && accepted !== (await git.treeOf(repo, base));
}

function conflictOf(
  { target: { branch } }: ChangeSetState,
  merged: Extract<ResolvedMerge, { kind: "conflict" }>,
): Refusal {
  const { paths, outdated } = merged;
  return outdated.length > 0
    ? {
        code: "RESOLUTION_OUTDATED",
        message: `What was chosen for ${outdated.join(", ")} was chosen between other lines than those that meet on ${branch} now. Look again, and choose anew.`,
        details: paths,
      }
    : { code: "CONFLICT", message: `It conflicts with ${branch} in ${paths.join(", ")}.`, details: paths };
}

/** The base with what was accepted, as it was accepted. What cannot be taken so is held, for the person to choose otherwise. */
async function acceptedTree(room: WorkRoom, set: ChangeSetState): Promise<Result<Oid>> {
  const { selection, amendments } = set;
  const hunks = selection ?? "all";
  if (isWhole(set.files, { hunks, amendments })) return succeed(set.tree);
  try {
    return succeed(await room.git.composeTree(room.dispatcher.state().repo, set.base, set.commit, hunks, amendments));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "GIT_REFUSED")
      return fail({ code: "UNKNOWN_HUNK", message: error.message });
    throw error;
  }
}

/** `null`: what would land does the same to the same surroundings as what was approved, or is the very merge that was approved after it had been told. */
async function findOtherMerge(room: WorkRoom, set: ChangeSetState, parent: Oid, commit: Oid): Promise<Refusal | null> {
  const { repo } = room.dispatcher.state();
  const { base, selection, amendments, resolutions, acceptedMerge } = set;
  const merge = await room.git.patchId(repo, parent, commit);
  if (merge === acceptedMerge) return null;
  // What was chosen in a conflict was chosen line by line, for just these files; it is the rest that has to be the same.
  const except = resolutions.map(({ path }) => path);
  const approved = await room.git.patchId(repo, base, set.commit, selection ?? "all", amendments, except);
  const landing = except.length === 0 ? merge : await room.git.patchId(repo, parent, commit, "all", [], except);
  if (landing === approved) return null;
  return {
    code: "MERGE_DIFFERS",
    message: `${set.target.branch} has moved and changed what stands around it, so that what would land is not what was approved. Look at both, then approve again to land it all the same.`,
    merge,
  };
}

/** A tree that was never run as such is verified before it lands. What failed before the approval is known to whoever gave it; what failed since asks. */
async function verifyTree(room: WorkRoom, set: ChangeSetState, commit: Oid, tree: Oid): Promise<Result<null>> {
  const { options } = room.dispatcher.state();
  const ran = set.verifications.filter((run) => run.tree === tree);
  const commands = missingChecks(options, ran);
  const checked = await verify(
    room,
    { agent: set.agent, changeset: set.id, commit, tree, commands },
    new AbortController().signal,
  );
  if (!checked.ok) return checked;
  const { verifications, checksSeen } = requireChangeSet(room.dispatcher.state(), set.id);
  return verifications.slice(checksSeen).some((run) => run.tree === tree && hasFailed(run))
    ? fail({
        code: "VERIFICATION_FAILED",
        message: "The tree that would land fails its verification; see the change set's checks.",
      })
    : succeed(null);
}

/** From the record on: move the branch, or find out that it has been moved already. */
async function finishBegun(room: WorkRoom, set: ChangeSetState): Promise<void> {
  const state = room.dispatcher.state();
  const landing = state.landings.findLast(
    (one) => one.changeset === set.id && one.undoes === null && one.status === "begun",
  );
  if (!landing) return;
  const move = await moveBranch(room, landing, `coppice: land ${set.id} of ${state.run}`);
  if (move.kind === "lost") return retryOrHold(room, set);
  if (move.kind === "refused") return hold(room, set.id, { code: move.code, message: move.sentence });
  await room.dispatcher.dispatch({
    type: "landing.finish",
    changeset: set.id,
    commit: landing.new,
    files: landedFiles(set),
    hooks: await silentHooks(room, landing.ref),
  });
}

/** Hooks that the user's own commit would have met where the branch is checked out: whoever reads of the landing is told that they did not run. Never rejects: the branch has moved by now, and that must not look as if it had not. */
async function silentHooks(room: WorkRoom, ref: string): Promise<readonly string[]> {
  const { repo } = room.dispatcher.state();
  try {
    const [checkout] = await room.git.checkedOutAt(repo, ref);
    return checkout === undefined ? [] : await room.git.findHooks(repo, checkout);
  } catch {
    // Recorded as none: what cannot be looked at is not known to be there.
    return [];
  }
}

/** Somebody else was faster: nothing moved, so the landing is planned anew on the new tip, a few times. */
async function retryOrHold(room: WorkRoom, set: ChangeSetState): Promise<void> {
  const { id } = set;
  await hold(room, id, movedAway(set));
  const lost = room.dispatcher.state().landings.filter((one) => one.changeset === id && one.status === "failed");
  if (lost.length < maxSwaps)
    await room.dispatcher.dispatch({ type: "landing.retry", changeset: id, by: "the system" });
}

function landedFiles(set: ChangeSetState): readonly string[] {
  const { selection } = set;
  const isTaken = (path: string) => selection === null || selection === "all" || (selection[path]?.length ?? 0) > 0;
  return set.files.filter((file) => isTaken(file.path)).map((file) => file.path);
}

async function hold(room: WorkRoom, changeset: ChangeSetId, reason: Refusal): Promise<void> {
  const conflicts = Array.isArray(reason.details) ? (reason.details as readonly string[]) : undefined;
  await room.dispatcher.dispatch({
    type: "landing.hold",
    changeset,
    code: reason.code,
    sentence: reason.message,
    ...(conflicts === undefined ? {} : { conflicts }),
    ...(reason.merge === undefined ? {} : { merge: reason.merge }),
  });
}

function movedAway(set: ChangeSetState): { readonly code: string; readonly message: string } {
  return {
    code: "TARGET_MOVED",
    message: `${set.target.branch} moved while the change set was landing; approve again to land it on the new tip.`,
  };
}

function messageFor(state: RunState, set: ChangeSetState): string {
  if (set.message !== null) return set.message;
  if (set.agent === "lead") return `${state.title}\n\nCoppice run ${state.run}.\n`;
  const node = requireNode(state, set.agent);
  return `${node.title}\n\nCoppice run ${state.run}, ${node.id}.\n`;
}
