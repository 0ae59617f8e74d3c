// The open approvals of every run, from the snapshots of those runs that have any.

import { useCallback, useMemo, useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { useTopicPart } from "../../client/Client.tsx";
import { sortAsks } from "./ask.ts";
import type { Ask } from "./ask.ts";

export interface Asks {
  readonly asks: readonly Ask[];
  /** Runs to watch, each by a RunWatch that reports what it sees. */
  readonly watched: readonly RunId[];
  readonly report: (snapshot: RunSnapshot) => void;
  /** Whether some of them have not been read yet. */
  readonly isReading: boolean;
  /** Runs that wait and are not watched yet: they follow once others are decided. */
  readonly laterCount: number;
}

/** Most runs that are watched at once: a viewer has a bounded number of topics. */
const maxWatched = 24;

export function useAsks(): Asks {
  const waiting = useTopicPart("runs", waitingIn);
  const [seen, setSeen] = useState<ReadonlyMap<RunId, RunSnapshot>>(new Map());
  const report = useCallback(
    (snapshot: RunSnapshot) => setSeen((before) => new Map(before).set(snapshot.run, snapshot)),
    [],
  );
  const watched = useMemo(() => (waiting ?? []).slice(0, maxWatched), [waiting]);
  const asks = useMemo(
    () =>
      sortAsks(
        watched.flatMap((run) => {
          const snapshot = seen.get(run);
          return snapshot?.approvals.map((approval) => ({ approval, run: snapshot })) ?? [];
        }),
      ),
    [watched, seen],
  );
  const isReading = waiting === null || watched.some((run) => !seen.has(run));
  return { asks, watched, report, isReading, laterCount: (waiting?.length ?? 0) - watched.length };
}

/** Runs that wait for a decision, the longest wait first; `null` until the list has come. */
function waitingIn(list: RunListSnapshot | null): readonly RunId[] | null {
  if (list === null) return null;
  return list.runs
    .filter(({ needsYouCount }) => needsYouCount > 0)
    .toSorted((left, right) => (left.askedAt ?? 0) - (right.askedAt ?? 0))
    .map(({ run }) => run);
}
