// The app's own files for git, below its data folder: temporary indexes, and the index of each worktree as it was filled.
// No agent can write them, so what they say of a worktree can be believed.

import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasEntry, isMissing } from "./files.ts";

/** Nothing that is lent a folder takes as long, so one that nobody has written to since was left by a process that died. */
const abandonedAfterMs = 24 * 60 * 60_000;
/** Parents that this process has looked through. */
const swept = new Set<string>();

/** Gives `use` the path of an index file that does not exist yet, and removes it with its folder at the end. */
export async function withTemporaryIndex<T>(dataFolder: string, use: (indexFile: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder(dataFolder, "index-", (folder) => use(join(folder, "index")));
}

/** Gives `use` an empty folder whose name begins with `prefix`, and removes it at the end. */
export async function withTemporaryFolder<T>(
  dataFolder: string,
  prefix: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const parent = join(dataFolder, "git", "scratch");
  await mkdir(parent, { recursive: true });
  if (!swept.has(parent)) {
    swept.add(parent);
    await removeAbandoned(parent);
  }
  const folder = await mkdtemp(join(parent, prefix));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    try {
      if (Date.now() - (await stat(path)).mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
    } catch (error) {
      // Another process has just been done with it.
      if (!isMissing(error)) throw error;
    }
  }
}

/** Where the app keeps the index of the worktree at `path` (absolute, real) as it was filled. */
export function keptIndexOf(dataFolder: string, path: string): string {
  return join(dataFolder, "git", "indexes", createHash("sha256").update(path).digest("hex"));
}

/** Keeps the index of a worktree that was just filled. Its existence says that the filling is over. */
export async function keepIndex(dataFolder: string, path: string, indexFile: string): Promise<void> {
  const kept = keptIndexOf(dataFolder, path);
  await mkdir(dirname(kept), { recursive: true });
  await copyIndex(indexFile, `${kept}.new`);
  await rename(`${kept}.new`, kept);
}

/** Forgets the index of the worktree at `path`, and what a keeping that was cut has left of it. */
export async function dropKeptIndex(dataFolder: string, path: string): Promise<void> {
  const kept = keptIndexOf(dataFolder, path);
  for (const file of [kept, `${kept}.new`]) await rm(file, { force: true });
}

/** Lets `indexFile` begin as the index at `from`, so that files that nobody touched since need not be read. False where there is none. */
export async function seedIndex(from: string, indexFile: string): Promise<boolean> {
  if (!(await hasEntry(from))) return false;
  await copyIndex(from, indexFile);
  return true;
}

/**
 * Copies an index with its time, rounded down to the second: most builds of git compare whole seconds, and look at what a file
 * holds only where it is not older than its index. A copy that looked younger would hide an edit made within that second.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const seconds = Math.floor(mtimeMs / 1000);
  await utimes(to, seconds, seconds);
}
