// What of a change set is looked at: a file, a hunk of it, and a line of that when the cursor stands on one.

import { useMemo, useState } from "react";

import type { ChangedFile } from "../../../shared/contract/pages.ts";
import { placesOf } from "./selection.ts";
import type { HunkPlace } from "./selection.ts";

export interface ReviewPlace {
  /** `null` for a change set without files. */
  readonly path: string | null;
  readonly number: number;
  /** Key of the line that the cursor stands on; `null`: on the hunk as a whole. */
  readonly line: string | null;
  readonly openFile: (path: string) => void;
  readonly look: (place: HunkPlace, line?: string) => void;
  /** To the next hunk or file, `-1` the one before; stays at the ends. */
  readonly stepHunk: (by: 1 | -1) => void;
  readonly stepFile: (by: 1 | -1) => void;
}

interface Looked extends HunkPlace {
  readonly line: string | null;
}

export function useReviewPlace(files: readonly ChangedFile[]): ReviewPlace {
  const [looked, setLooked] = useState<Looked | null>(null);
  const path = looked?.path ?? files[0]?.path ?? null;
  const number = looked?.number ?? 1;
  const line = looked?.line ?? null;
  return useMemo(() => {
    const openFile = (to: string) => setLooked({ path: to, number: 1, line: null });
    return {
      path,
      number,
      line,
      openFile,
      look: (place, to) => setLooked({ ...place, line: to ?? null }),
      stepHunk: (by) => {
        const places = placesOf(files);
        const at = places.findIndex((place) => place.path === path && place.number === number);
        const next = places[Math.min(Math.max(at + by, 0), places.length - 1)];
        if (next !== undefined) setLooked({ ...next, line: null });
      },
      stepFile: (by) => {
        const at = files.findIndex((file) => file.path === path);
        const next = files[Math.min(Math.max(at + by, 0), files.length - 1)];
        if (next !== undefined && next.path !== path) openFile(next.path);
      },
    };
  }, [files, path, number, line]);
}
