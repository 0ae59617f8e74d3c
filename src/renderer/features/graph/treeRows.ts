// The rows of the tree as they stand one under another: the lead, its subagents, and folds of what has finished. Pure.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { groupFinished } from "./groups.ts";
import type { GraphLayout } from "./layout.ts";

export interface TreeRow {
  /** `lead`, a subagent's id, or `wave-N` for a fold. */
  readonly key: string;
  readonly level: 1 | 2 | 3;
  /** From 1, among its siblings. */
  readonly position: number;
  readonly size: number;
  /** `null`: nothing to open. */
  readonly isOpen: boolean | null;
  /** Of a fold; empty otherwise. */
  readonly members: readonly SubagentSnapshot[];
}

/** Above this many nodes a finished branch folds by itself. */
const foldAboveCount = 30;

/** `toggled` holds what somebody has opened (folds, which begin closed) or closed (the lead, which begins open). */
export function treeRows(
  subagents: readonly SubagentSnapshot[],
  layout: GraphLayout,
  toggled: ReadonlySet<string>,
): readonly TreeRow[] {
  const isLeadOpen = !toggled.has("lead");
  const lead: TreeRow = {
    key: "lead",
    level: 1,
    position: 1,
    size: 1,
    isOpen: subagents.length === 0 ? null : isLeadOpen,
    members: [],
  };
  if (!isLeadOpen) return [lead];
  const folds = groupFinished(subagents, layout, new Map(), foldAboveCount + 1);
  const foldOf = new Map<SubagentId, (typeof folds)[number]>(
    folds.flatMap((fold) => fold.members.map(({ id }) => [id, fold] as const)),
  );
  // A fold stands where its first member would.
  const tops = subagents.filter(({ id }) => foldOf.get(id)?.members[0]?.id === id || !foldOf.has(id));
  const rows = tops.flatMap(({ id }, index): readonly TreeRow[] => {
    const place = { level: 2 as const, position: index + 1, size: tops.length };
    const fold = foldOf.get(id);
    if (fold === undefined) return [{ key: id, ...place, isOpen: null, members: [] }];
    const key = `wave-${fold.wave}`;
    const isOpen = toggled.has(key);
    return [{ key, ...place, isOpen, members: fold.members }, ...(isOpen ? childRows(fold.members) : [])];
  });
  return [lead, ...rows];
}

function childRows(members: readonly SubagentSnapshot[]): readonly TreeRow[] {
  return members.map(({ id }, index) => ({
    key: id,
    level: 3,
    position: index + 1,
    size: members.length,
    isOpen: null,
    members: [],
  }));
}

/** `after subagent-1, -2`, `reviews subagent-6`, `replaces subagent-3`, `replaced by subagent-10`. */
export function relationOf({ dependsOn, replaces }: SubagentSnapshot, replacedBy: number): string {
  const list = (ids: readonly SubagentId[]) =>
    ids.map((id, at) => (at === 0 ? id : id.slice("subagent".length))).join(", ");
  const after = dependsOn.filter(({ until }) => until === "completed").map(({ id }) => id);
  const reviewed = dependsOn.filter(({ until }) => until === "proposed").map(({ id }) => id);
  return [
    ...(after.length > 0 ? [`after ${list(after)}`] : []),
    ...(reviewed.length > 0 ? [`reviews ${list(reviewed)}`] : []),
    ...(replaces === undefined ? [] : [`replaces ${replaces}`]),
    ...(replacedBy > 0 ? [`replaced by subagent-${replacedBy}`] : []),
  ].join(", ");
}
