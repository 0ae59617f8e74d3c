// Puts a staged edit on disk: every file or none. Never writes over what changed since it was staged.

import { randomUUID } from "node:crypto";
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, succeed, type Result } from "../../../shared/lib/result.ts";
import type { StagedFile } from "./editStage.ts";
import { errnoOf, type Refusal } from "./paths.ts";

const tempPrefix = ".coppice-edit-";

/** A staged file with the temp file that holds its new bytes; `null` when it is to go. */
interface Prepared {
  readonly file: StagedFile;
  readonly temp: string | null;
}

async function writeTemp(folder: string, bytes: Buffer, mode: number | null): Promise<string> {
  const temp = join(folder, `${tempPrefix}${randomUUID()}`);
  const handle = await open(temp, "wx");
  try {
    await handle.writeFile(bytes);
    if (mode !== null) await handle.chmod(mode); // open's mode would pass through the umask
    await handle.sync();
    return temp;
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function isAsStaged(file: StagedFile): Promise<boolean> {
  try {
    const entry = await lstat(file.absolute);
    if (file.before === null || !entry.isFile()) return false;
    return file.before.equals(await readFile(file.absolute));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return file.before === null;
    throw error;
  }
}

/** Brings one file to its staged state. A new file is linked, not renamed, so that one that came meanwhile is not written over. */
async function put({ file, temp }: Prepared): Promise<void> {
  if (temp === null) return unlink(file.absolute);
  if (file.before !== null) return rename(temp, file.absolute);
  await link(temp, file.absolute);
  await unlink(temp);
}

async function takeBack(file: StagedFile): Promise<void> {
  if (file.before === null) return rm(file.absolute, { force: true });
  await rename(await writeTemp(dirname(file.absolute), file.before, file.mode), file.absolute);
}

/** Makes the renames in a folder last through a power cut. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // a folder has no handle to sync there
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeLeftovers(
  prepared: readonly Prepared[],
  madeFolders: readonly { readonly first: string; readonly last: string }[],
): Promise<void> {
  for (const { temp } of prepared) if (temp !== null) await rm(temp, { force: true });
  for (const { first, last } of madeFolders.toReversed()) {
    for (let folder = last; folder.length >= first.length; folder = dirname(folder)) {
      const isGone = await rmdir(folder).then(
        () => true,
        () => false, // someone has put a file there since: it stays, and so do its parents
      );
      if (!isGone) break;
    }
  }
}

/**
 * Writes the files: new bytes to temp files beside them, synced; then each is compared with what was staged and renamed into place,
 * files that go last. On any failure everything is put back. `isHeld` is asked before each is put in place. Codes: `STALE_LEASE`, `DRIFTED` (a file is not as it was staged), `WRITE_FAILED`,
 * `WRITE_HALF_DONE` (putting back failed too: the message names the files). Never rejects.
 */
export async function writeStaged(
  files: readonly StagedFile[],
  isHeld: () => boolean = () => true,
): Promise<Result<null, Refusal>> {
  const prepared: Prepared[] = [];
  const madeFolders: { readonly first: string; readonly last: string }[] = [];
  const done: StagedFile[] = [];
  try {
    for (const file of files.toSorted((left, right) => Number(left.after === null) - Number(right.after === null))) {
      const folder = dirname(file.absolute);
      const first = file.after === null ? undefined : await mkdir(folder, { recursive: true });
      if (first !== undefined) madeFolders.push({ first, last: folder });
      prepared.push({ file, temp: file.after === null ? null : await writeTemp(folder, file.after, file.mode) });
    }
    for (const one of prepared) {
      if (!isHeld())
        return await undo(done, prepared, madeFolders, {
          code: "STALE_LEASE",
          message: "Another process may drive this run now; nothing was written.",
        });
      if (!(await isAsStaged(one.file)))
        return await undo(done, prepared, madeFolders, {
          code: "DRIFTED",
          message: `${one.file.path} changed while the edit was being made.`,
        });
      await put(one);
      done.push(one.file);
    }
    for (const folder of new Set(files.map((file) => dirname(file.absolute)))) await syncFolder(folder);
    return succeed(null);
  } catch (error) {
    const message = `The edit could not be written: ${error instanceof Error ? error.message : String(error)}. Everything is as it was.`;
    return undo(done, prepared, madeFolders, { code: "WRITE_FAILED", message });
  }
}

async function undo(
  done: readonly StagedFile[],
  prepared: readonly Prepared[],
  madeFolders: readonly { readonly first: string; readonly last: string }[],
  why: Refusal,
): Promise<Result<null, Refusal>> {
  const stuck: string[] = [];
  for (const file of done.toReversed()) {
    await takeBack(file).catch(() => stuck.push(file.path)); // recorded: the refusal below names it
  }
  await removeLeftovers(prepared, madeFolders).catch(() => stuck.push(tempPrefix));
  if (stuck.length === 0) return fail(why);
  return fail({
    code: "WRITE_HALF_DONE",
    message: `${why.message} Putting back failed for ${stuck.join(", ")}: look at them before going on.`,
  });
}

/** Removes temp files that an edit which was cut left beside `absolutePaths`. */
export async function sweepTempFiles(absolutePaths: readonly string[]): Promise<void> {
  for (const folder of new Set(absolutePaths.map((path) => dirname(path)))) {
    const names = await readdir(folder).catch((error: unknown) => {
      if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return [];
      throw error;
    });
    for (const name of names) if (name.startsWith(tempPrefix)) await rm(join(folder, name), { force: true });
  }
}
