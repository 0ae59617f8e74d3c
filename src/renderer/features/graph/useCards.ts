// Which cards the graph has: subagents, groups of finished ones in a large run, and free places at an earlier moment.

import { useCallback, useMemo, useState } from "react";

import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { finishedByWave, groupFinished, groupKey } from "./groups.ts";
import type { Folding, Group } from "./groups.ts";
import type { GraphLayout, Place } from "./layout.ts";
import { readingOrder } from "./walk.ts";
import type { Stop } from "./walk.ts";

/** From this many nodes on, what has finished is put together. */
const groupFromCount = 200;

export interface Cards {
  readonly shown: readonly SubagentSnapshot[];
  readonly groups: readonly Group[];
  /** Ids of the members of groups. */
  readonly hidden: ReadonlySet<string>;
  /** Places of those that do not exist yet at this moment. */
  readonly ghosts: readonly Place[];
  /** What the keyboard reaches, in reading order. */
  readonly stops: readonly Stop[];
  /** Of each wave, how many have finished and can be put together; absent where there are none. */
  readonly foldable: ReadonlyMap<number, number>;
  /** Takes a wave's group apart, or puts its finished together. */
  readonly fold: (wave: number, to: "opened" | "closed") => void;
}

export function useCards({ subagents }: RunSnapshot, layout: GraphLayout): Cards {
  const [folding, setFolding] = useState<Folding>(new Map());
  const fold = useCallback(
    (wave: number, to: "opened" | "closed") => setFolding((before) => new Map([...before, [wave, to]])),
    [],
  );
  return useMemo(() => {
    const groups = groupFinished(subagents, layout, folding, groupFromCount);
    const foldable = new Map(finishedByWave(subagents, layout).map(({ wave, members }) => [wave, members.length]));
    const hidden = new Set<string>(groups.flatMap(({ members }) => members.map(({ id }) => id)));
    const shown = subagents.filter(({ id }) => !hidden.has(id));
    const keys = new Map<string, string>(shown.map(({ id }) => [id, id]));
    for (const { wave, members } of groups) keys.set(members[0]?.id ?? "", groupKey(wave));
    const present = new Set<string>(subagents.map(({ id }) => id));
    const ghosts = [...layout.places].filter(([id]) => !present.has(id)).map(([, place]) => place);
    return { shown, groups, hidden, ghosts, stops: readingOrder(layout, keys), foldable, fold };
  }, [subagents, layout, folding, fold]);
}
