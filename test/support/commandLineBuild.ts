// Builds out/ when a source is newer than the bundle, once for all test files that run side by side.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync, watch } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

export const projectRoot = resolve(import.meta.dirname, "../..");
/** The Node that comes with the project, which its users run too. */
export const bundledNode = join(projectRoot, "node_modules/.bin/node");
export const builtCli = join(projectRoot, "out/main/cli.js");

/** How long a build may take, another process's included. For `beforeAll`. */
export const buildLimitMs = 180_000;

const lock = join(projectRoot, "out/building");

/** Resolves once out/main/cli.js is as new as the sources. Throws with the build's words when it fails. */
export async function buildCommandLine(): Promise<void> {
  const deadline = Date.now() + buildLimitMs;
  while (existsSync(lock) || !isFresh()) {
    if (!takeLock()) {
      await untilLockIsGone(deadline - Date.now());
      continue;
    }
    try {
      if (!isFresh())
        await promisify(execFile)("npm", ["run", "--silent", "build"], { cwd: projectRoot, timeout: buildLimitMs });
    } finally {
      rmdirSync(lock);
    }
  }
}

function isFresh(): boolean {
  if (!existsSync(builtCli)) return false;
  const builtAt = statSync(builtCli).mtimeMs;
  return readdirSync(join(projectRoot, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs <= builtAt);
}

/** Whoever makes the folder builds. A lock that has outlived any build was left by one that was killed. */
function takeLock(): boolean {
  mkdirSync(join(projectRoot, "out"), { recursive: true });
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - madeAt > buildLimitMs) rmdirSync(lock);
    return false;
  }
}

async function untilLockIsGone(withinMs: number): Promise<void> {
  if (withinMs <= 0) throw new Error(`Another process has not built out/ in time; remove ${lock} if there is none.`);
  await new Promise<void>((resolve) => {
    const watcher = watch(join(projectRoot, "out"), look);
    const timer = setTimeout(end, withinMs);
    function look(): void {
      if (!existsSync(lock)) end();
    }
    function end(): void {
      clearTimeout(timer);
      watcher.close();
      resolve();
    }
    look();
  });
}
