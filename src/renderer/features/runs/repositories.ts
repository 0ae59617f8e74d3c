// The repositories that runs have worked in, and which of them the list is held to. Pure.

import type { RunListItem } from "../../../shared/contract/snapshots.ts";
import { folderName } from "../../ui/formats.ts";

export interface ListedRepository {
  /** The folder, as the runs name it. */
  readonly path: string;
  /** The folder's own name; with the one above where two share it. */
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
    const isShared = paths.some((other) => other !== path && folderName(other) === folderName(path));
    return {
      path,
      name: isShared ? path.split(/[/\\]/).slice(-2).join("/") : folderName(path),
      runCount: own.length,
      waitingCount: own.filter(({ needsYouCount }) => needsYouCount > 0).length,
    };
  });
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
