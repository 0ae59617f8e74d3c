// Owns how a settings file is written: whole or not at all, and by one process at a time.
// It must never leave half a file under the real name, nor wait for a lock for ever.

import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WorkbenchError } from "../../shared/contract/errors.ts";

const lockLimitMs = 5000;
/** Whoever holds a lock needs milliseconds; one of this age was left by a crash. */
const abandonedAfterMs = 30_000;
const pollMs = 20;

/** Replaces `file` by `text`: after a crash there is the old content or the new, on disk when this resolves. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/** Runs `act` while no other process does so under this lock. Rejects with `STORE_UNAVAILABLE` when it is held for five seconds. */
export async function withFileLock<T>(lockFile: string, act: () => Promise<T>): Promise<T> {
  await takeLock(lockFile);
  try {
    return await act();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function takeLock(lockFile: string): Promise<void> {
  const deadline = performance.now() + lockLimitMs;
  while (!(await tryLock(lockFile))) {
    if (performance.now() >= deadline) {
      throw new WorkbenchError(
        "STORE_UNAVAILABLE",
        `${lockFile} is held by another process. Try again; if none is running, delete the file.`,
      );
    }
    await delay(pollMs);
  }
}

async function tryLock(lockFile: string): Promise<boolean> {
  try {
    await (await open(lockFile, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const age = await stat(lockFile).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > abandonedAfterMs) await rm(lockFile, { force: true });
  return false;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and its rename needs no such help.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
