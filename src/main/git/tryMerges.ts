// Merges that are only tried: snapshots and merged trees go to an object folder of their own, with the repository's to read
// from, and are gone afterwards. No ref, no index and no object of the repository is written.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryFacts } from "../domain/records.ts";
import type { MergeTrial } from "../engine/ports/git.ts";
import { conflictPaths, mergeStages } from "./landing.ts";
import { requireOid } from "./names.ts";
import { withTemporaryFolder } from "./scratch.ts";
import { treeOfPlace } from "./snapshot.ts";

export async function tryMerges<T>(
  dataFolder: string,
  repo: RepositoryFacts,
  use: (trial: MergeTrial) => Promise<T>,
): Promise<T> {
  return withTrialObjects(dataFolder, repo, (env) =>
    use({
      treeOf: (place, base) => treeOfPlace(dataFolder, repo, place, base, env),
      merge: async (base, onto, tree) => {
        const merged = await mergeStages(repo, base, requireOid(onto), tree, env);
        return { tree: merged.tree, paths: merged.kind === "clean" ? [] : conflictPaths(merged) };
      },
    }),
  );
}

/** Gives `use` the environment in which objects go to a folder that is gone afterwards, and those of the repository can be read. */
export async function withTrialObjects<T>(
  dataFolder: string,
  repo: RepositoryFacts,
  use: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(dataFolder, "trial-", async (folder) => {
    const objects = join(folder, "objects");
    await mkdir(objects);
    return use({
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(repo.commonDir, "objects")),
    });
  });
}

/** As the variable takes a path that may hold what separates its paths. */
function quoted(path: string): string {
  return /[:"\n\\]/.test(path)
    ? `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`
    : path;
}
