// The end of a node and of a run: nothing of ours is left behind, and what was made is kept where it can be found.

import type { SubagentId } from "../../shared/contract/ids.ts";
import { diagnosticOf } from "../domain/projections/diagnostic.ts";
import { requireNode } from "../domain/state.ts";
import { clearPlaces, releasePlace } from "./places.ts";
import type { WorkRoom } from "./room.ts";

/** Settles a node whose work has ended: its place is let go, its slice released, its head recorded. */
export async function settleNode(room: WorkRoom, agent: SubagentId): Promise<void> {
  const { dispatcher } = room;
  const node = requireNode(dispatcher.state(), agent);
  const released = await releasePlace(room, node);
  const kept = released.ok ? undefined : `${released.error.code}: ${released.error.message}`;
  const failure = node.end === "failed" ? diagnosticOf(dispatcher.journal(), agent) : undefined;
  const diagnostic = [failure, kept].filter((text) => text !== undefined).join("\n");
  await dispatcher.dispatch({
    type: "node.settle",
    agent,
    childHead: dispatcher.headOf(node.childRun).hash,
    ...(diagnostic === "" ? {} : { diagnostic }),
  });
}

/** The last act: processes ended, places cleared, then the run's own stop. */
export async function stopRun(room: WorkRoom): Promise<void> {
  await room.commands.sweep(room.dispatcher.run);
  await clearPlaces(room);
  await room.dispatcher.dispatch({ type: "run.stop" });
}
