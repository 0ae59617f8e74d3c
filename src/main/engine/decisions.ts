// What follows from a person's decision while nobody drives the run: landings and settlements, one after the other.
// No agent goes on from here.

import { dutiesOf, type Duty } from "../domain/duties.ts";
import { land } from "./landing.ts";
import type { WorkRoom } from "./room.ts";
import { finishUndo } from "./undo.ts";
import { settleNode } from "./settlement.ts";

/** Carries out every landing and settlement that is owed. Ends, because each of them ends or holds what it is about. */
export async function carryOutDecisions(room: WorkRoom): Promise<void> {
  for (let before = -1; ;) {
    const state = room.dispatcher.state();
    const duty = dutiesOf(state).find(isCarriedOut);
    if (!duty || state.n === before) return;
    before = state.n;
    if (duty.kind === "land") await land(room, duty.changeset);
    else if (duty.kind === "undo") await finishUndo(room, duty.landing);
    else await settleNode(room, duty.agent);
  }
}

function isCarriedOut(duty: Duty): duty is Extract<Duty, { kind: "land" | "undo" | "settle" }> {
  return duty.kind === "land" || duty.kind === "undo" || duty.kind === "settle";
}
