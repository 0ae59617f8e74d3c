// How the target of a change set has moved since its base: counted, the commits that touch its files named, and a merge of the
// two tried in memory. Kept while neither moves, since each new snapshot asks again.

import type { Oid } from "../../shared/contract/ids.ts";
import type { ChangesPage } from "../../shared/contract/pages.ts";
import type { ChangeSetState, RunState } from "../domain/state.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { clipAll, excerptOf } from "./fit.ts";

const maxKept = 8;
const maxPaths = 200;

type Drift = ChangesPage["drift"];

export class DriftReader {
  readonly #git: GitPort;
  readonly #kept = new Map<string, Promise<Drift>>();

  constructor(git: GitPort) {
    this.#git = git;
  }

  /** `null` for a repository that was moved or deleted, or a branch that is gone: there is no drift to tell of. */
  async read(state: RunState, set: ChangeSetState): Promise<Drift> {
    try {
      const tip = await this.#git.readRef(state.repo, set.target.ref);
      if (tip === null) return null;
      const key = `${state.run} ${set.commit} ${tip}`;
      const known = this.#kept.get(key) ?? this.#look(state, set, tip);
      this.#kept.delete(key);
      this.#kept.set(key, known);
      for (const [oldest] of [...this.#kept].slice(0, -maxKept)) this.#kept.delete(oldest);
      return await known;
    } catch {
      this.#kept.clear();
      return null;
    }
  }

  async #look({ repo }: RunState, set: ChangeSetState, tip: Oid): Promise<Drift> {
    const paths = set.files.map(({ path }) => path);
    const drift = await this.#git.driftBetween(repo, set.base, tip, paths);
    const merged = drift.aheadCount === 0 ? null : await this.#git.mergeTrees(repo, set.base, tip, set.tree);
    return {
      tip,
      aheadCount: drift.aheadCount,
      behindCount: drift.behindCount,
      touchingCount: drift.touchingCount,
      paths: clipAll(drift.paths, maxPaths, 200),
      touching: drift.touching.map(({ commit, subject, paths }) => ({
        commit,
        subject: excerptOf(subject, 200),
        paths: clipAll(paths, 5, 200),
      })),
      trial: merged === null ? null : merged.kind === "clean" ? [] : clipAll(merged.paths, maxPaths, 200),
    };
  }
}
