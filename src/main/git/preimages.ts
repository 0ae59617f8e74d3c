// Keeps what a landing is about to replace, so that a git that breaks off in the middle (a filter that fails, a full disk)
// leaves nothing half done. Puts back only what git itself has changed: what somebody wrote meanwhile stays.

import { copyFile, lstat, lutimes, mkdir, open, readlink, rm, rmdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { PathChange, Side } from "./changeset.ts";
import type { IndexedCheckout } from "./checkoutIndex.ts";
import { hasEntry, isMissing } from "./files.ts";
import { git, GitError } from "./git.ts";
import { keyOf, placeOf } from "./names.ts";
import { withTemporaryFolder } from "./scratch.ts";

/** A file is told by so much of its beginning: one of any size must not keep the others from being put back. */
const comparedBytes = 16 * 1024 * 1024;

interface Preimage {
  readonly change: PathChange;
  /** Seconds; what stood there was last read and written then. */
  readonly times: readonly [read: number, written: number];
  /** What `lstat` said; `null` when nothing or a folder stood there. */
  readonly stamp: string | null;
  /** Where the bytes of a file are kept; for a link, what it points at. */
  readonly kept: { readonly copy: string } | { readonly target: Buffer } | null;
  /** Folders on its way that were not there, outermost first. */
  readonly missing: readonly Buffer[];
}

/** Gives `use` a function that puts everything back, and forgets what was kept at the end. */
export async function withPreimages<T>(
  dataFolder: string,
  on: IndexedCheckout,
  changes: readonly PathChange[],
  use: (putBack: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(dataFolder, "preimages-", async (folder) => {
    const images: Preimage[] = [];
    for (const change of changes) images.push(await keep(on, change, join(folder, String(images.length))));
    return use(() => putBack(on, images));
  });
}

async function keep(on: IndexedCheckout, change: PathChange, copy: string): Promise<Preimage> {
  const place = placeOf(on.workTree, change.path);
  const missing: Buffer[] = [];
  for (let end = change.path.indexOf(0x2f); end !== -1; end = change.path.indexOf(0x2f, end + 1)) {
    const folder = change.path.subarray(0, end);
    if (!(await hasEntry(placeOf(on.workTree, folder)))) missing.push(folder);
  }
  const stamp = await stampOf(place);
  if (stamp === null) return { change, times: [0, 0], stamp, kept: null, missing };
  const entry = await lstat(place);
  const times = [entry.atimeMs / 1000, entry.mtimeMs / 1000] as const;
  if (entry.isSymbolicLink())
    return { change, times, stamp, kept: { target: await readlink(place, "buffer") }, missing };
  if (!entry.isFile()) return { change, times, stamp, kept: null, missing };
  await copyFile(place, copy);
  return { change, times, stamp, kept: { copy }, missing };
}

async function putBack(on: IndexedCheckout, images: readonly Preimage[]): Promise<void> {
  const changed: Preimage[] = [];
  for (const image of images) if (await isGits(on, image)) changed.push(image);
  const added = changed.filter(({ stamp }) => stamp === null);
  for (const { change } of added) await rm(placeOf(on.workTree, change.path), { force: true });
  const made = new Map(images.flatMap(({ missing }) => missing).map((folder) => [keyOf(folder), folder]));
  const innermostFirst = [...made.values()].toSorted((a, b) => b.length - a.length);
  for (const folder of innermostFirst) await removeEmpty(placeOf(on.workTree, folder));
  for (const image of changed) if (image.kept !== null) await restore(on, image);
}

async function restore(on: IndexedCheckout, { change, times, kept }: Preimage): Promise<void> {
  const place = placeOf(on.workTree, change.path);
  if (kept === null) return;
  await removeEmpty(place);
  await rm(place, { force: true });
  await mkdir(place.subarray(0, place.lastIndexOf(0x2f)), { recursive: true });
  // A copy of the copy has the mode of the original.
  if ("target" in kept) await symlink(kept.target, place);
  else await copyFile(kept.copy, place);
  // So that nothing looks edited.
  await lutimes(place, ...times);
}

/** Whether git has changed this path: it is not as it was, and is gone, or is the beginning of what was to come. */
async function isGits(on: IndexedCheckout, { change, stamp, kept }: Preimage): Promise<boolean> {
  const place = placeOf(on.workTree, change.path);
  if ((await stampOf(place)) === stamp) return false;
  const entry = await lstat(place).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (entry === null || entry.isDirectory()) return kept !== null;
  if (change.next === null) return false;
  const bytes = entry.isSymbolicLink() ? await readlink(place, "buffer") : await beginningOf(place);
  const expected = await contentsOf(on, change.next);
  return expected.some((content) => content.subarray(0, bytes.length).equals(bytes));
}

async function beginningOf(place: Buffer): Promise<Buffer> {
  const file = await open(place, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min((await file.stat()).size, comparedBytes)));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What a checkout writes for a side, and what is stored, which is the same where no filter has a say; no more than is compared. */
async function contentsOf(on: IndexedCheckout, { path, blob }: Side): Promise<Buffer[]> {
  const ask = (...args: readonly string[]) => git({ ...on, args: ["cat-file", ...args], maxBytes: comparedBytes });
  const stored = await ask("blob", blob);
  try {
    const written = await ask("--filters", `--path=${path.toString("utf8")}`, blob);
    return [stored.stdout, written.stdout];
  } catch (error) {
    // The filter fails here as it did for the checkout, which then wrote nothing that it made.
    if (error instanceof GitError) return [stored.stdout];
    throw error;
  }
}

async function removeEmpty(place: Buffer): Promise<void> {
  try {
    await rmdir(place);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    // Somebody's file is in it, or it is no folder: then it stays.
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR" && !isMissing(error)) throw error;
  }
}

async function stampOf(place: Buffer): Promise<string | null> {
  try {
    const entry = await lstat(place, { bigint: true });
    if (entry.isDirectory()) return null;
    return [entry.ino, entry.mode, entry.size, entry.mtimeNs, entry.ctimeNs].join(" ");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
