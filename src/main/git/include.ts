// Copies what git ignores and a worktree needs all the same, such as `.env`: what the repository's `.worktreeinclude` at the
// worktree's commit names, only where it is also ignored, never over anything, and never through a link.

import { constants } from "node:fs";
import { copyFile, lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RepositoryFacts } from "../domain/records.ts";
import type { WorkPlace } from "../engine/ports/git.ts";
import { hasEntry, isWithin } from "./files.ts";
import { git } from "./git.ts";
import { showPath, splitNul } from "./names.ts";
import { readFileAt } from "./objects.ts";
import { withTemporaryFolder } from "./scratch.ts";

const listName = ".worktreeinclude";
const maxListBytes = 64 * 1024;
/** More than this is no selection but a build; a set-up command is for that. */
const maxFiles = 2_000;

/** The paths that were copied from the user's checkout, relative. `more`: patterns beside the list's. None without any. */
export async function copyIncluded(
  dataFolder: string,
  repo: RepositoryFacts,
  place: WorkPlace,
  more: readonly string[] = [],
): Promise<readonly string[]> {
  const list = await readFileAt(repo, place.root, listName, maxListBytes);
  const patterns = [list ?? "", ...more].join("\n");
  if (patterns.trim() === "") return [];
  const named = await withTemporaryFolder(dataFolder, "include-", async (folder) => {
    const file = join(folder, "patterns");
    await writeFile(file, patterns);
    return listPaths(repo, `--exclude-from=${file}`, []);
  });
  const ignored = named.length === 0 ? [] : await listPaths(repo, "--exclude-standard", named.slice(0, maxFiles));
  const copied: string[] = [];
  for (const path of ignored) if (await copyOne(repo.topLevel, place.path, path)) copied.push(path);
  return copied;
}

async function listPaths(repo: RepositoryFacts, rules: string, paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await git({
    gitDir: repo.commonDir,
    workTree: repo.topLevel,
    args: ["ls-files", "-z", "--others", "--ignored", rules, "--", ...paths],
  });
  return splitNul(stdout).map(showPath);
}

/** False for what is no plain file, stands there already, or would come to lie elsewhere. */
async function copyOne(from: string, to: string, path: string): Promise<boolean> {
  const target = join(to, path);
  if (!(await lstat(join(from, path))).isFile() || (await hasEntry(target))) return false;
  if (!isWithin(await realpath(to), await realpath(await nearestOf(dirname(target))))) return false;
  await mkdir(dirname(target), { recursive: true });
  await copyFile(join(from, path), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  return true;
}

/** The folder itself, or the nearest above it that exists. */
async function nearestOf(folder: string): Promise<string> {
  return (await hasEntry(folder)) ? folder : nearestOf(dirname(folder));
}
