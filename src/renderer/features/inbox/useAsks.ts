// The open approvals of every run, from the snapshots of those runs that have any.

import { useCallback, useMemo, useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { sortAsks } from "./ask.ts";
import type { Ask } from "./ask.ts";

export interface Asks {
  readonly asks: readonly Ask[];
  /** Runs to watch, each by a RunWatch that reports what it sees. */
  readonly watched: readonly RunId[];
  readonly report: (snapshot: RunSnapshot) => void;
  /** Whether some of them have not been read yet. */
  readonly isReading: boolean;
}

export function useAsks(list: RunListSnapshot | null): Asks {
  const [seen, setSeen] = useState<ReadonlyMap<RunId, RunSnapshot>>(new Map());
  const report = useCallback(
    (snapshot: RunSnapshot) => setSeen((before) => new Map(before).set(snapshot.run, snapshot)),
    [],
  );
  const watched = useMemo(
    () => list?.runs.filter(({ needsYouCount }) => needsYouCount > 0).map(({ run }) => run) ?? [],
    [list],
  );
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
  return { asks, watched, report, isReading: list === null || watched.some((run) => !seen.has(run)) };
}
