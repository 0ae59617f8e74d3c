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

/** Fewer than this stay cards of their own, unless somebody puts them together. */
const leastMembers = 4;

/** What somebody has done to a wave: taken it apart, or put it together. */
export type Folding = ReadonlyMap<number, "opened" | "closed">;

/** Groups by wave: of those in `folding` as it says, of the others where the run is large. The graph groups from 200 nodes on, the tree from 31. */
export function groupFinished(
  subagents: readonly SubagentSnapshot[],
  layout: GraphLayout,
  folding: Folding,
  leastCount: number,
): readonly Group[] {
  const isLarge = subagents.length >= leastCount;
  return finishedByWave(subagents, layout).filter(({ wave, members }) => {
    const wish = folding.get(wave);
    return wish === undefined ? isLarge && members.length >= leastMembers : wish === "closed";
  });
}

/** In each wave, what has ended and nothing at work depends on: at least two, as one is a card already. */
export function finishedByWave(subagents: readonly SubagentSnapshot[], layout: GraphLayout): readonly Group[] {
  const needed = new Set<SubagentId>(
    subagents.filter((subagent) => !hasEnded(subagent)).flatMap(({ dependsOn }) => dependsOn.map(({ id }) => id)),
  );
  const finished = subagents.filter((subagent) => hasEnded(subagent) && !needed.has(subagent.id));
  return [...Map.groupBy(finished, ({ id }) => layout.places.get(id)?.wave ?? -1)]
    .filter(([wave, members]) => wave >= 0 && members.length >= 2)
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
