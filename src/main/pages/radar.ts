// The conflict radar: while executors still work, their snapshots are merged with each other and with the target, in memory.
// Looks only where something has changed, keeps what it found, and writes nothing, neither journal nor repository.

import type { Oid, RunId, SubagentId } from "../../shared/contract/ids.ts";
import type { RadarConflict, RadarPicture } from "../../shared/contract/snapshots.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { landingOrder, type Station, stationsOf } from "../domain/projections/radar.ts";
import type { RunState } from "../domain/state.ts";
import type { GitPort, MergeTrial } from "../engine/ports/git.ts";
import { clipAll } from "./fit.ts";

const maxPaths = 5;
const longestPath = 160;
/** Conflicts that are shown, and pairs whose outcome is kept for each run. */
const maxConflicts = 24;
const maxPairs = 400;
const maxRuns = 12;

/** Nothing conflicts. */
export const clear: RadarPicture = deepFreeze({ conflicts: [], order: [] });

interface Sight {
  /** What was merged last time, as a text; the same again has the same outcome. */
  key: string;
  picture: RadarPicture;
  /** Paths in conflict by what was merged. */
  readonly pairs: Map<string, readonly string[]>;
}

export class Radar {
  readonly #git: Pick<GitPort, "tryMerges" | "readRef">;
  readonly #sights = new Map<RunId, Sight>();

  constructor(git: Pick<GitPort, "tryMerges" | "readRef">) {
    this.#git = git;
  }

  /** What conflicts now. Never rejects: a repository or a worktree that is gone leaves the picture as it was. */
  async look(state: RunState): Promise<RadarPicture> {
    const stations = stationsOf(state);
    const sight = this.#sightOf(state.run);
    try {
      sight.picture = await this.#merge(state, stations, sight);
    } catch {
      // A worktree may go while it is read. The next change has another look.
      sight.key = "";
    }
    return sight.picture;
  }

  async #merge(state: RunState, stations: readonly Station[], sight: Sight): Promise<RadarPicture> {
    if (stations.length === 0) return this.#clear(sight);
    const tip = (await this.#git.readRef(state.repo, state.target.ref)) ?? state.line;
    // One alone, on a target that has not moved, conflicts with nothing.
    if (stations.length === 1 && stations[0]?.base === tip) return this.#clear(sight);
    return this.#git.tryMerges(state.repo, async (trial) => {
      const works = await worksOf(trial, stations);
      const key = JSON.stringify([tip, works]);
      if (key === sight.key) return sight.picture;
      const conflicts = await conflictsAmong(trial, tip, works, sight.pairs);
      sight.key = key;
      return deepFreeze({ conflicts: conflicts.slice(0, maxConflicts), order: landingOrder(conflicts, stations) });
    });
  }

  /** Nothing conflicts now; what conflicted before is merged anew when it is back. */
  #clear(sight: Sight): RadarPicture {
    sight.key = "";
    return clear;
  }

  #sightOf(run: RunId): Sight {
    const sight = this.#sights.get(run) ?? { key: "", picture: clear, pairs: new Map<string, readonly string[]>() };
    this.#sights.delete(run);
    this.#sights.set(run, sight);
    for (const [oldest] of [...this.#sights].slice(0, -maxRuns)) this.#sights.delete(oldest);
    return sight;
  }
}

interface Work {
  readonly agent: SubagentId;
  readonly base: Oid;
  readonly tree: Oid;
}

async function worksOf(trial: MergeTrial, stations: readonly Station[]): Promise<readonly Work[]> {
  const works: Work[] = [];
  for (const { agent, base, at } of stations) {
    const tree =
      at.kind === "proposal"
        ? at.tree
        : await trial.treeOf({ kind: "worktree", path: at.path, root: base, gitDir: null }, base);
    works.push({ agent, base, tree });
  }
  return works;
}

/** Each onto the target; and each pair, the second onto the target with the first. What does not fit onto the target is told of that alone. */
async function conflictsAmong(
  trial: MergeTrial,
  tip: Oid,
  works: readonly Work[],
  pairs: Map<string, readonly string[]>,
): Promise<readonly RadarConflict[]> {
  const conflicts: RadarConflict[] = [];
  const landed: { readonly work: Work; readonly tree: Oid }[] = [];
  for (const work of works) {
    const { base, tree, agent } = work;
    const onTarget = base === tip ? { tree, paths: [] } : await trial.merge(base, tip, tree);
    if (onTarget.paths.length > 0) {
      conflicts.push(conflictOf(agent, null, onTarget.paths));
      continue;
    }
    for (const first of landed) {
      const key = [tip, first.work.base, first.work.tree, base, tree].join(" ");
      const paths = pairs.get(key) ?? (await trial.merge(base, first.tree, tree)).paths;
      pairs.set(key, paths);
      if (paths.length > 0) conflicts.push(conflictOf(first.work.agent, agent, paths));
    }
    landed.push({ work, tree: onTarget.tree });
  }
  for (const [oldest] of [...pairs].slice(0, -maxPairs)) pairs.delete(oldest);
  return conflicts;
}

function conflictOf(agent: SubagentId, other: SubagentId | null, paths: readonly string[]): RadarConflict {
  return { agent, other, paths: clipAll(paths, maxPaths, longestPath), fileCount: paths.length };
}
