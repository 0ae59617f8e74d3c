// The picture of a run as of one ordinal. One read at a time, always the one wanted last; until it arrives, the one before stays.

import { useEffect, useRef, useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { useConnection, useReadPage } from "../../client/Client.tsx";

interface Held {
  readonly snapshot: RunSnapshot | null;
  readonly failure: Failure | null;
}

/** Pictures kept, so that going back and forth reads nothing again. */
const maxKept = 100;
const nothing: Held = { snapshot: null, failure: null };

/** `at`: the ordinal, `null` for none. Stays with one run for as long as it is mounted. */
export function useSnapshotAt(run: RunId, at: number | null): Held {
  const readPage = useReadPage();
  const isConnected = useConnection().kind === "open";
  const [held, setHeld] = useState(nothing);
  const kept = useRef(new Map<number, RunSnapshot>());
  const wanted = useRef<number | null>(null);
  const isReading = useRef(false);

  useEffect(() => {
    wanted.current = at;
    async function read(): Promise<void> {
      if (isReading.current) return;
      isReading.current = true;
      for (let next = wanted.current; next !== null;) {
        const known = kept.current.get(next);
        const answer = known === undefined ? await readPage("snapshot", { run, at: next }) : null;
        if (answer?.ok) keep(kept.current, next, answer.value);
        const snapshot = known ?? (answer?.ok ? answer.value : null);
        // Wanted no more: live again, or the screen is gone.
        if (wanted.current === null) break;
        setHeld((before) =>
          snapshot === null
            ? { snapshot: before.snapshot, failure: answer?.ok === false ? answer.error : null }
            : { snapshot, failure: null },
        );
        next = wanted.current === next ? null : wanted.current;
      }
      isReading.current = false;
    }
    // What could not be read while the connection was away is read when it is back.
    if (isConnected) void read();
  }, [run, at, readPage, isConnected]);

  // A picture of an earlier replay is not that of the next one.
  if (at === null && held !== nothing) setHeld(nothing);
  useEffect(() => () => void (wanted.current = null), []);
  return at === null ? nothing : held;
}

function keep(kept: Map<number, RunSnapshot>, at: number, snapshot: RunSnapshot): void {
  kept.set(at, snapshot);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}
