// What the conflict radar looks at: work of executors that has not landed, where it began, and when it is worth another
// look. Decides nothing of the run; the merges themselves are git's.

import type { Oid, SubagentId } from "../../../shared/contract/ids.ts";
import type { RadarConflict } from "../../../shared/contract/snapshots.ts";
import type { RunEvent } from "../events.ts";
import { isTerminal } from "../lifecycle.ts";
import { findChangeSet, type NodeState, type RunState } from "../state.ts";

/** Work that could come to land: what stands in a worktree now, or what was proposed. */
export interface Station {
  readonly agent: SubagentId;
  readonly base: Oid;
  readonly at: { readonly kind: "worktree"; readonly path: string } | { readonly kind: "proposal"; readonly tree: Oid };
}

/** Most of them that are compared: each with each. */
const maxStations = 12;

/** The work of this moment, in order of creation. */
export function stationsOf(state: RunState): readonly Station[] {
  if (state.status === "stopped") return [];
  return state.nodes.flatMap((node) => stationOf(state, node) ?? []).slice(0, maxStations);
}

function stationOf(state: RunState, node: NodeState): Station | null {
  if (!node.writes || isTerminal(node.status) || node.root === null) return null;
  const set = findChangeSet(state, node.changeSet);
  if (set !== undefined && (node.status === "awaiting_review" || node.status === "landing"))
    return { agent: node.id, base: set.base, at: { kind: "proposal", tree: set.tree } };
  if (node.worktree === null || node.place !== "created") return null;
  return { agent: node.id, base: node.base ?? node.root, at: { kind: "worktree", path: node.worktree } };
}

const newsTypes: ReadonlySet<RunEvent["type"]> = new Set([
  "changeset.proposed",
  "changeset.landed",
  "changeset.dropped",
  "landing.undone",
  "subagent.stopped",
  "subagent.settled",
  "worktree.created",
  "worktree.removed",
  "worktree.rebased",
]);

/** Whether work may stand otherwise after an event than before it. */
export function isRadarNews(event: RunEvent): boolean {
  return newsTypes.has(event.type) || (event.type === "tool.settled" && event.data.changedState === true);
}

/** Those in conflict with each other, as they would best land: fewest conflicts first, then what is ready, then as created. */
export function landingOrder(conflicts: readonly RadarConflict[], stations: readonly Station[]): readonly SubagentId[] {
  const pairs = conflicts.filter(({ other }) => other !== null);
  const countOf = ({ agent }: Station) => pairs.filter((pair) => pair.agent === agent || pair.other === agent).length;
  const isReady = ({ at }: Station) => at.kind === "proposal";
  return stations
    .filter((station) => countOf(station) > 0)
    .toSorted((one, other) => countOf(one) - countOf(other) || Number(isReady(other)) - Number(isReady(one)))
    .map(({ agent }) => agent);
}
