// Small questions to the file system that several files of this room ask, answered without throwing for what is missing.

import { chmod, lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** True for `ENOENT` and `ENOTDIR`: the path is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** The file's text, or `null` when it is not there. */
export async function findText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The names in a folder, or `null` when there is no such folder. */
export async function findNames(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether something, a dangling link included, stands at `path`. */
export async function hasEntry(path: string | Buffer): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** `path` with the links in its folder part resolved; the last part, and folders that do not exist yet, stay as spelt. */
export async function resolveFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    return join(await resolveFolder(dirname(path)), basename(path));
  }
}

/** Whether `path` is `folder` or lies below it. Both real. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Whether the file system at `path` (absolute, there) takes names for one that differ by the case of their letters. */
export async function foldsCase(path: string): Promise<boolean> {
  const name = basename(path);
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) return false;
  const own = await lstat(path, { bigint: true });
  try {
    const twin = await lstat(join(dirname(path), other), { bigint: true });
    return twin.ino === own.ino && twin.dev === own.dev;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Adds (`owner`) or takes away (from all) the right to write on everything at and below `path`. Links are left alone. */
export async function setWritable(path: string | Buffer, to: "owner" | "nobody"): Promise<void> {
  const entry = await lstat(path);
  if (entry.isSymbolicLink()) return;
  const mode = to === "owner" ? (entry.mode & 0o7777) | (entry.isDirectory() ? 0o700 : 0o200) : entry.mode & 0o7555;
  if (!entry.isDirectory()) return chmod(path, mode);
  // A folder must be writable before its contents can be reached again, and read-only after they are done.
  if (to === "owner") await chmod(path, mode);
  // Names are bytes, and need not be UTF-8.
  const below = Buffer.concat([Buffer.from(path), Buffer.from("/")]);
  for (const name of await readdir(path, { encoding: "buffer" })) await setWritable(Buffer.concat([below, name]), to);
  if (to === "nobody") await chmod(path, mode);
}
