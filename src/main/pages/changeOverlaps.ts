// Which other change sets wait and touch the same files as one, and where both change the same lines. Pure.

import type { ChangesPage } from "../../shared/contract/pages.ts";
import type { FileChange, Hunk } from "../domain/records.ts";
import { type ChangeSetState, isStanding } from "../domain/state.ts";
import { clipAll } from "./fit.ts";

type Overlap = ChangesPage["overlaps"][number];
type Place = NonNullable<Overlap["places"]>[number];

const maxOverlaps = 20;
const maxPaths = 10;
const maxPathBytes = 200;
const maxPlaces = 12;

/** Bounded in number and length. Lines are those of the base, and compared only where both have the same. */
export function changeOverlaps(all: readonly ChangeSetState[], set: ChangeSetState): readonly Overlap[] {
  const own = new Map(set.files.map((file) => [file.path, file]));
  return all
    .filter((other) => other.agent !== set.agent && !other.isLine && isStanding(other))
    .map((other) => ({ other, shared: other.files.filter(({ path }) => own.has(path)) }))
    .filter(({ shared }) => shared.length > 0)
    .slice(0, maxOverlaps)
    .map(({ other, shared }) => ({
      changeset: other.id,
      agent: other.agent,
      paths: clipAll(
        shared.map(({ path }) => path),
        maxPaths,
        maxPathBytes,
      ),
      places:
        other.base === set.base
          ? shared
              .slice(0, maxPaths)
              .flatMap((theirs) => placesIn(own.get(theirs.path)?.hunks ?? [], theirs))
              .slice(0, maxPlaces)
          : null,
    }));
}

/** One for each own hunk that meets any of theirs, with all of those. */
function placesIn(hunks: readonly Hunk[], { path, hunks: theirs }: FileChange): readonly Place[] {
  const [clipped = ""] = clipAll([path], 1, maxPathBytes);
  return hunks.flatMap((hunk) => {
    const met = theirs.filter((one) => one.oldStart <= lastOf(hunk) && hunk.oldStart <= lastOf(one));
    if (met.length === 0) return [];
    const from = Math.min(...met.map(({ oldStart }) => oldStart));
    return [{ path: clipped, hunk: hunk.number, from, to: Math.max(...met.map(lastOf)) }];
  });
}

/** Of one without old lines: the line that it stands after. */
function lastOf({ oldStart, oldLines }: Hunk): number {
  return oldStart + Math.max(1, oldLines) - 1;
}
