// Which cards of a large run are put together: in each wave, those that have ended and that nothing still at work depends
// on. Pure.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { hasEnded } from "../subagents.ts";
import type { GraphLayout } from "./layout.ts";

export interface Group {
  readonly wave: number;
  /** In the order of creation; the first one's place is the group's. */
  readonly members: readonly SubagentSnapshot[];
}

/** Fewer than this stay cards of their own. */
const leastMembers = 4;

/** Groups by wave; waves in `opened` have none. The graph groups from 200 nodes on, the tree from 31. */
export function groupFinished(
  subagents: readonly SubagentSnapshot[],
  layout: GraphLayout,
  opened: ReadonlySet<number>,
  leastCount: number,
): readonly Group[] {
  if (subagents.length < leastCount) return [];
  const needed = new Set<SubagentId>(
    subagents.filter((subagent) => !hasEnded(subagent)).flatMap(({ dependsOn }) => dependsOn.map(({ id }) => id)),
  );
  const finished = subagents.filter((subagent) => hasEnded(subagent) && !needed.has(subagent.id));
  return [...Map.groupBy(finished, ({ id }) => layout.places.get(id)?.wave ?? -1)]
    .filter(([wave, members]) => wave >= 0 && !opened.has(wave) && members.length >= leastMembers)
    .map(([wave, members]) => ({ wave, members }));
}

/** `31 done, 2 failed, 1 stopped`, without what there is none of. */
export function describeGroup(members: readonly SubagentSnapshot[]): string {
  const words = [
    ["completed", "done"],
    ["failed", "failed"],
    ["cancelled", "stopped"],
  ] as const;
  return words
    .map(([status, word]) => [members.filter((member) => member.status === status).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(", ");
}

/** A group's name among the cards. */
export function groupKey(wave: number): string {
  return `wave-${wave}`;
}
