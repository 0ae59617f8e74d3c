// The picture of the moment that a run's screen shows: as it stands, or as it stood.

import { useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useSnapshotAt } from "./useSnapshotAt.ts";

export interface Shown {
  /** The live picture, or that of the moment; until that has come, whatever was shown last. */
  readonly shown: RunSnapshot | null;
  /** Why the moment could not be read. */
  readonly failure: Failure | null;
}

/** `at`: the ordinal, `null` for live. Stays with one run for as long as it is mounted. */
export function useShown(run: RunId, live: RunSnapshot | null, at: number | null): Shown {
  const past = useSnapshotAt(run, at);
  const now = at === null ? live : past.snapshot;
  const [last, setLast] = useState(now);
  if (now !== null && now !== last) setLast(now);
  return { shown: now ?? last, failure: past.failure };
}
