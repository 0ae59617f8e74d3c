// Moves the branch of a landing that is recorded as begun: by a swap of the ref alone, or with index and files where it
// is checked out. Finds out first what a crash may have done already.

import type { Oid } from "../../shared/contract/ids.ts";
import type { LandingState } from "../domain/state.ts";
import type { CheckoutLanding } from "./ports/git.ts";
import type { WorkRoom } from "./room.ts";

/** `lost`: the branch stands elsewhere now, so nothing was moved. */
export type Move =
  | { readonly kind: "moved" }
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly code: string; readonly sentence: string };

const moved: Move = { kind: "moved" };
const lost: Move = { kind: "lost" };

/** Brings `landing.ref` from its old commit to the new one, all of it or nothing. Doing it again finds it done. */
export async function moveBranch(room: WorkRoom, landing: LandingState, reason: string): Promise<Move> {
  const { repo } = room.dispatcher.state();
  const { ref, old, new: next } = landing;
  const tip = await room.git.readRef(repo, ref);
  if (tip === next) return moved;
  if (tip !== old) return lost;
  const [checkout, second] = await room.git.checkedOutAt(repo, ref);
  if (checkout === undefined || old === null)
    return (await room.git.swapRef(repo, ref, old, next, reason)) ? moved : lost;
  if (second !== undefined)
    return {
      kind: "refused",
      code: "CHECKED_OUT_TWICE",
      sentence: `${landing.target} is checked out at ${checkout} and at ${second}; switch one of them to another branch.`,
    };
  return moveCheckedOut(room, { ref, old, next, checkout, reason });
}

interface Place {
  readonly ref: string;
  readonly old: Oid;
  readonly next: Oid;
  readonly checkout: string;
  readonly reason: string;
}

async function moveCheckedOut(room: WorkRoom, place: Place): Promise<Move> {
  const landing = await landThere(room, place);
  switch (landing.kind) {
    case "landed":
      return moved;
    case "moved":
      return lost;
    case "refused":
      return { kind: "refused", code: landing.code, sentence: landing.sentence };
  }
}

async function landThere(room: WorkRoom, place: Place): Promise<CheckoutLanding> {
  const { repo } = room.dispatcher.state();
  // A crash between the files and the ref leaves the new tree staged with the ref at old; that is finished, not refused.
  if ((await room.git.inspectLanding(repo, place)) === "finishable")
    return room.git.finishLandingOnCheckout(repo, place);
  try {
    return await room.git.landOnCheckout(repo, place);
  } catch (error) {
    // Git broke off at its very last step, so whether the branch has moved is looked up.
    if ((await room.git.inspectLanding(repo, place)) === "landed") return { kind: "landed" };
    throw error;
  }
}
