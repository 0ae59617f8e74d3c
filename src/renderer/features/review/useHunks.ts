// The state of a review: which hunk is looked at, which are rejected, which files have been viewed. Lost when the review is
// left; what was decided is in the journal.

import { useCallback, useMemo, useState } from "react";

import type { ChangedFile } from "../../../shared/contract/pages.ts";
import { hunkKey, placesOf } from "./selection.ts";
import type { HunkKey, HunkPlace } from "./selection.ts";

export interface Hunks {
  /** File and hunk that are looked at; `null` for a change set without files. */
  readonly path: string | null;
  readonly number: number;
  readonly rejected: ReadonlySet<HunkKey>;
  readonly viewed: ReadonlySet<string>;
  readonly openFile: (path: string) => void;
  readonly look: (place: HunkPlace) => void;
  readonly decide: (place: HunkPlace, isAccepted: boolean) => void;
  readonly toggleViewed: (path: string) => void;
  /** To the next hunk or file, `-1` the one before; stays at the ends. */
  readonly stepHunk: (by: 1 | -1) => void;
  readonly stepFile: (by: 1 | -1) => void;
}

export function useHunks(files: readonly ChangedFile[]): Hunks {
  const [looked, setLooked] = useState<HunkPlace | null>(null);
  const [rejected, setRejected] = useState<ReadonlySet<HunkKey>>(new Set());
  const [viewed, setViewed] = useState<ReadonlySet<string>>(new Set());
  const path = looked?.path ?? files[0]?.path ?? null;
  const number = looked?.number ?? 1;

  const openFile = useCallback((path: string) => setLooked({ path, number: 1 }), []);
  const decide = useCallback((place: HunkPlace, isAccepted: boolean) => {
    setLooked(place);
    setRejected((before) => changed(before, hunkKey(place), !isAccepted));
  }, []);
  const toggleViewed = useCallback(
    (path: string) => setViewed((before) => changed(before, path, !before.has(path))),
    [],
  );
  return useMemo(
    () => ({
      path,
      number,
      rejected,
      viewed,
      openFile,
      look: setLooked,
      decide,
      toggleViewed,
      stepHunk: (by) => {
        const places = placesOf(files);
        const at = places.findIndex((place) => place.path === path && place.number === number);
        const next = places[Math.min(Math.max(at + by, 0), places.length - 1)];
        if (next !== undefined) setLooked(next);
      },
      stepFile: (by) => {
        const at = files.findIndex((file) => file.path === path);
        const next = files[Math.min(Math.max(at + by, 0), files.length - 1)];
        if (next !== undefined && next.path !== path) openFile(next.path);
      },
    }),
    [files, path, number, rejected, viewed, openFile, decide, toggleViewed],
  );
}

function changed<T>(before: ReadonlySet<T>, one: T, isIn: boolean): ReadonlySet<T> {
  const after = new Set(before);
  if (isIn) after.add(one);
  else after.delete(one);
  return after;
}
