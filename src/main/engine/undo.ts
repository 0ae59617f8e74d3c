// Takes a landing back: a revert that is itself a landing, recorded before it moves anything.

import type { LandingId } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { begunUndo } from "../domain/duties.ts";
import type { LandingState } from "../domain/state.ts";
import { lineAfter } from "./line.ts";
import { moveBranch } from "./moveBranch.ts";
import type { WorkRoom } from "./room.ts";

/** Plans and records the revert of a landing on the branch's tip of now; one that is on record and was not carried out stays the one. Codes `IDENTITY_MISSING`, `CONFLICT`, `NOTHING_TO_UNDO`, and the refusals of `undo.begin`. */
export async function beginUndo(room: WorkRoom, id: LandingId): Promise<Result<null>> {
  const state = room.dispatcher.state();
  // Whoever died over it may have moved the branch already, which then holds nothing of the landing.
  if (begunUndo(state)?.undoes === id) return succeed(null);
  const landing = state.landings.find((one) => one.id === id);
  if (!landing)
    return fail({
      code: "LANDING_NOT_FOUND",
      message: `${state.run} has no landing ${id}; coppice show ${state.run} lists them.`,
    });
  if (state.origin !== null && state.landings.indexOf(landing) < state.origin.landingCount)
    return fail({
      code: "NOT_ALLOWED_NOW",
      message: `${state.origin.run} landed this before ${state.run} was forked from it; take it back there.`,
    });
  const identity = await room.git.findIdentity(state.repo);
  if (!identity)
    return fail({
      code: "IDENTITY_MISSING",
      message: `git knows no name and mail for ${state.repo.topLevel}; set them with git config user.name and user.email.`,
    });
  const tip = await room.git.readRef(state.repo, landing.ref);
  if (tip === null) return fail({ code: "NOTHING_TO_UNDO", message: `${landing.target} does not exist any more.` });
  const parent = landing.old ?? (await room.git.parentOf(state.repo, landing.new)) ?? state.base.commit;
  const reverted = await room.git.revertTree(state.repo, { landed: landing.new, parent, tip });
  if (reverted.kind === "conflict")
    return fail({
      code: "CONFLICT",
      message: `What came after it on ${landing.target} changes the same lines in ${reverted.paths.join(", ")}; take it back by hand.`,
    });
  if (reverted.tree === (await room.git.treeOf(state.repo, tip)))
    return fail({ code: "NOTHING_TO_UNDO", message: `${landing.target} holds nothing of ${id} any more.` });
  const message = `Undo ${landing.changeset}\n\nThis takes back ${landing.new}.\nCoppice run ${state.run}.\n`;
  const commit = await room.git.commitTree(state.repo, reverted.tree, tip, identity, message, room.clock.now());
  const line = await lineAfter(room, { ref: landing.ref, commit, identity }, null);
  if (!line.ok) return line;
  const begun = await room.dispatcher.dispatch({
    type: "undo.begin",
    landing: id,
    old: tip,
    new: commit,
    tree: reverted.tree,
    ...(line.value === null ? {} : { line: line.value }),
  });
  return begun.ok ? succeed(null) : begun;
}

/** Carries out a revert that is recorded as begun. */
export async function finishUndo(room: WorkRoom, id: LandingId): Promise<void> {
  const state = room.dispatcher.state();
  const begun = state.landings.findLast((one): one is LandingState => one.undoes === id && one.status === "begun");
  if (!begun) return;
  const move = await moveBranch(room, begun, `coppice: undo ${id} of ${state.run}`);
  if (move.kind === "moved") {
    await room.dispatcher.dispatch({ type: "undo.finish", landing: id, commit: begun.new });
    return;
  }
  const [code, sentence] =
    move.kind === "refused"
      ? [move.code, move.sentence]
      : ["TARGET_MOVED", `${begun.target} moved meanwhile; undo again to take it back from the new tip.`];
  await room.dispatcher.dispatch({ type: "undo.fail", landing: id, code, sentence });
}
