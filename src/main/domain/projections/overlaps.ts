// Who touches the same files: executors that have not ended and whose change sets, or whose claims, overlap. Pure.

import type { OverlapSnapshot } from "../../../shared/contract/snapshots.ts";
import { sharedEntry } from "../claims.ts";
import { isTerminal } from "../lifecycle.ts";
import { findChangeSet, type NodeState, type RunState } from "../state.ts";
import { clipBytes } from "./clip.ts";

/** Most executors that are compared, and overlaps that are shown: the snapshot has to stay small. */
const maxNodes = 60;
const maxOverlaps = 24;
const maxPathBytes = 80;

/** In the order of creation. Of two that have proposed, the files of both proposals; otherwise what they claim. */
export function overlapsOf(state: RunState): readonly OverlapSnapshot[] {
  const open = state.nodes
    .filter((node) => !isTerminal(node.status) && (node.packet.paths !== null || node.changeSet !== null))
    .slice(0, maxNodes);
  const files = new Map(open.map((node) => [node, filesOf(state, node)]));
  const overlaps: OverlapSnapshot[] = [];
  for (const [index, node] of open.entries()) {
    for (const other of open.slice(index + 1)) {
      const shared = sharedOf(node, other, files.get(node) ?? null, files.get(other) ?? null);
      const [path] = shared;
      if (path === undefined) continue;
      overlaps.push({ agents: [node.id, other.id], path: clipBytes(path, maxPathBytes), fileCount: shared.length });
      if (overlaps.length === maxOverlaps) return overlaps;
    }
  }
  return overlaps;
}

function sharedOf(
  one: NodeState,
  other: NodeState,
  files: ReadonlySet<string> | null,
  otherFiles: ReadonlySet<string> | null,
): readonly string[] {
  if (files !== null && otherFiles !== null) return [...files].filter((path) => otherFiles.has(path));
  const entry = sharedEntry(one.packet.paths, other.packet.paths);
  return entry === null ? [] : [entry];
}

function filesOf(state: RunState, { changeSet }: NodeState): ReadonlySet<string> | null {
  const set = findChangeSet(state, changeSet);
  return set === undefined ? null : new Set(set.files.map(({ path }) => path));
}
