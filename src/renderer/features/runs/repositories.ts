// The repositories that runs have worked in, and which of them the list is held to. Pure.

import type { RunListItem } from "../../../shared/contract/snapshots.ts";

export interface ListedRepository {
  /** The folder, as the runs name it. */
  readonly path: string;
  /** The folder's own name; with those above it as far as others share it. */
  readonly name: string;
  readonly runCount: number;
  /** Runs that wait for the person. */
  readonly waitingCount: number;
}

type Listed = Pick<RunListItem, "repo" | "needsYouCount">;

/** Each repository once, the one with the newest run first. `runs`: newest first. */
export function repositoriesIn(runs: readonly Listed[]): readonly ListedRepository[] {
  const paths = [...new Set(runs.map(({ repo }) => repo))].filter((path) => path !== "");
  return paths.map((path) => {
    const own = runs.filter(({ repo }) => repo === path);
    return {
      path,
      name: shortest(path, paths),
      runCount: own.length,
      waitingCount: own.filter(({ needsYouCount }) => needsYouCount > 0).length,
    };
  });
}

/** As many of the last parts of `path` as tell it from the others. */
function shortest(path: string, all: readonly string[]): string {
  const others = all.filter((other) => other !== path).map(partsOf);
  const parts = partsOf(path);
  const endOf = (of: readonly string[], count: number) => of.slice(-count).join("/");
  const count = parts.findIndex((_, index) => others.every((o) => endOf(o, index + 1) !== endOf(parts, index + 1)));
  return count === -1 ? path : endOf(parts, count + 1);
}

function partsOf(path: string): readonly string[] {
  return path.split(/[/\\]/).filter((part) => part !== "");
}

/** The runs of one repository; all of them for `null`, and for a repository that no run is of any more. */
export function runsIn<Run extends Pick<RunListItem, "repo">>(
  runs: readonly Run[],
  repository: string | null,
): readonly Run[] {
  if (repository === null) return runs;
  const own = runs.filter(({ repo }) => repo === repository);
  return own.length === 0 ? runs : own;
}
