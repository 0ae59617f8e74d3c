// Submodules in a work place: a change holds of each only which commit it stands at. What else its folder holds, or a commit
// that the person's own copy of it lacks, would be gone with the place. Never asks the place's own copy: an agent can write its settings.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { hasEntry, isMissing, isWithin } from "./files.ts";
import { git, longTimeoutMs } from "./git.ts";
import { placeOf, requireOid, splitNul } from "./names.ts";
import { withTemporaryIndex } from "./scratch.ts";
import { wholeTree } from "./worktrees.ts";

interface Submodule {
  readonly path: Buffer;
  readonly commit: Oid;
}

/** Paths of the submodules of an index whose folder below `workTree` holds more than the person's own copy could bring back. */
export async function findUnsaved(
  dataFolder: string,
  repo: RepositoryFacts,
  { workTree, indexFile }: { readonly workTree: string; readonly indexFile: string },
): Promise<readonly Buffer[]> {
  const filled: Submodule[] = [];
  for (const one of await listSubmodules(repo, indexFile))
    if (await isFilled(placeOf(workTree, one.path))) filled.push(one);
  if (filled.length === 0) return [];
  const stores = await storesOf(repo, indexFile);
  const unsaved: Buffer[] = [];
  for (const one of filled) {
    const store = stores.get(one.path.toString("utf8"));
    const isSaved = store !== undefined && (await isAsIn(dataFolder, store, one, workTree));
    if (!isSaved) unsaved.push(one.path);
  }
  return unsaved;
}

async function listSubmodules(repo: RepositoryFacts, indexFile: string): Promise<readonly Submodule[]> {
  const args = ["ls-files", "--stage", "-z"];
  const { stdout } = await git({ gitDir: repo.commonDir, indexFile, args, timeoutMs: longTimeoutMs });
  return splitNul(stdout).flatMap((field) => {
    const [, commit] = /^160000 ([0-9a-f]+) \d\t/.exec(field.toString("latin1", 0, 80)) ?? [];
    return commit === undefined ? [] : [{ path: field.subarray(field.indexOf(0x09) + 1), commit: requireOid(commit) }];
  });
}

/** A folder that is not there, or is something else now, is a change that the index tells. */
async function isFilled(folder: Buffer): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** By path, the folders in which git keeps the person's copies. What the index calls them is an agent's to write. */
async function storesOf(repo: RepositoryFacts, indexFile: string): Promise<ReadonlyMap<string, string>> {
  const args = ["config", "--blob", ":.gitmodules", "-z", "--get-regexp", String.raw`^submodule\..*\.path$`];
  const named = await git({ gitDir: repo.commonDir, indexFile, args, answers: [0, 1, 128] });
  const modules = join(repo.commonDir, "modules");
  const stores = new Map<string, string>();
  for (const field of splitNul(named.stdout)) {
    const [, name = "", path = ""] = /^submodule\.([^]*)\.path\n([^]*)$/.exec(field.toString("utf8")) ?? [];
    const store = join(modules, name);
    if (store !== modules && isWithin(modules, store) && (await hasEntry(join(store, "HEAD")))) stores.set(path, store);
  }
  return stores;
}

/** Whether the person's copy has the commit, and the folder holds just its files. */
async function isAsIn(
  dataFolder: string,
  store: string,
  { path, commit }: Submodule,
  workTree: string,
): Promise<boolean> {
  const found = await git({ gitDir: store, args: ["cat-file", "-e", `${commit}^{commit}`], answers: [0, 1, 128] });
  if (found.exitCode !== 0) return false;
  return withTemporaryIndex(dataFolder, async (indexFile) => {
    const folder = placeOf(workTree, path).toString("utf8");
    const ask = (...args: readonly string[]) =>
      git({
        gitDir: store,
        workTree: folder,
        indexFile,
        args: [...wholeTree, ...args],
        answers: [0, 1],
        timeoutMs: longTimeoutMs,
      });
    await ask("read-tree", commit);
    await ask("update-index", "-q", "--refresh");
    const differing = await ask("ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard");
    return differing.stdout.length === 0;
  });
}
