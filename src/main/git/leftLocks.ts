// The locks that a git of ours leaves behind when it is killed. Which it may take is noted before it starts; whoever meets one
// of them later removes it, but only where no git that is alive can hold it. A lock that no note names is somebody else's.

import { randomUUID } from "node:crypto";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RepositoryFacts } from "../domain/records.ts";
import { findNames, findText, hasEntry, isMissing } from "./files.ts";
import { GitError, gitMark } from "./git.ts";
import { livingGits } from "./livingGits.ts";

/** Milliseconds between the attempts to get a lock that another git holds. */
export const lockWaitsMs: readonly number[] = [50, 100, 200, 400, 800];
/** Nobody but a git holds a lock for longer, and those are seen, ms. */
const youngMs = 1_000;

/** What a git of ours writes into each lock, by absolute path; `null` for what cannot be foretold. */
export type LockTexts = Readonly<Record<string, string | null>>;

/** Notes of acts that go on in this process. */
const inFlight = new Set<string>();

interface Note {
  /** Of the process that wrote it. */
  readonly host: string;
  readonly pid: number;
  readonly mark: string;
  /** Those that were not there when the note was written. */
  readonly locks: LockTexts;
}

/** Of a ref, named in full, that a git of ours moves to `next`, or deletes. */
export function refLock(repo: RepositoryFacts, ref: string, next = ""): LockTexts {
  return { [join(repo.commonDir, `${ref}.lock`)]: next === "" ? "" : `${next}\n` };
}

/** Of all refs that are packed, which a git of ours takes where it deletes one, with what it writes meanwhile. */
export function packedLock({ commonDir }: RepositoryFacts): LockTexts {
  return { [join(commonDir, "packed-refs.lock")]: "", [join(commonDir, "packed-refs.new")]: null };
}

/**
 * Runs `act`, whose gits take these locks; again for as long as another git holds one of them, within limits. Throws what `act`
 * throws, and `GIT_FAILED` with what lies where when the lock of another is not let go.
 */
export async function withLocks<T>(
  dataFolder: string,
  repo: RepositoryFacts,
  locks: LockTexts,
  act: () => Promise<T>,
): Promise<T> {
  let hasRemoved = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await notingLocks(dataFolder, locks, act);
    } catch (error) {
      const file = error instanceof GitError ? lockIn(error.stderr) : null;
      if (file === null) throw error;
      const waitMs = lockWaitsMs[attempt];
      if (waitMs === undefined)
        throw new GitError("GIT_FAILED", await describeLock(file), [], (error as GitError).stderr);
      if (!hasRemoved && (await removeLeftLock(dataFolder, repo, file))) hasRemoved = true;
      else await delay(waitMs);
    }
  }
}

/** Runs `act`, whose gits may take these locks, with a note of them that outlives this process. */
export async function notingLocks<T>(dataFolder: string, locks: LockTexts, act: () => Promise<T>): Promise<T> {
  const folder = notesIn(dataFolder);
  await mkdir(folder, { recursive: true });
  const free: Record<string, string | null> = {};
  for (const [lock, text] of Object.entries(locks)) if (!(await hasEntry(lock))) free[lock] = text;
  const note = join(folder, randomUUID());
  inFlight.add(note);
  const noted: Note = { host: hostname(), pid: process.pid, mark: gitMark, locks: free };
  await writeFile(note, JSON.stringify(noted));
  try {
    return await act();
  } finally {
    inFlight.delete(note);
    // One that its git was killed over is still there: then the note is, too.
    if (!(await areAnyThere(free))) await rm(note, { force: true });
  }
}

/** The lock that stood in git's way, in its words; `null` where none did. */
export function lockIn(words: string): string | null {
  const named = /Unable to create '([^'\n]*\.lock)': File exists|unable to create file (.*\.new): File exists/.exec(
    words,
  );
  return named?.[1] ?? named?.[2] ?? null;
}

/** Removes a lock that a git of ours has left, and what else that git left. False where it may be held: no note names it, it holds something else, or a git that may hold it is alive or cannot be looked for. */
export async function removeLeftLock(dataFolder: string, repo: RepositoryFacts, lock: string): Promise<boolean> {
  const folder = notesIn(dataFolder);
  let isRemoved = false;
  for (const name of (await findNames(folder)) ?? []) {
    const file = join(folder, name);
    const note = inFlight.has(file) ? null : await readNote(file);
    if (note === null || !isOver(note)) continue;
    if (lock in note.locks) {
      const left = await leftOf(repo, note, file);
      for (const one of left) await rm(one, { force: true });
      isRemoved ||= left.includes(lock);
    }
    if (!(await areAnyThere(note.locks))) await rm(file, { force: true });
  }
  return isRemoved;
}

function notesIn(dataFolder: string): string {
  return join(dataFolder, "git", "locks");
}

/** `null` for one that is gone, or whose writing was cut: then the git that it is of was never started. */
async function readNote(file: string): Promise<Note | null> {
  const text = await findText(file);
  if (text === null || !text.endsWith("}")) return null;
  return JSON.parse(text) as Note;
}

/** Whether the act has ended, with its process or before it. One of another machine is never known to have. */
function isOver({ host, pid, mark }: Note): boolean {
  if (host !== hostname()) return false;
  if (mark === gitMark) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

async function areAnyThere(locks: LockTexts): Promise<boolean> {
  for (const lock of Object.keys(locks)) if (await hasEntry(lock)) return true;
  return false;
}

/** Those of the locks of an act that is over which its git has left, and nobody can hold. */
async function leftOf(repo: RepositoryFacts, note: Note, file: string): Promise<readonly string[]> {
  const stamps = new Map<string, number>();
  for (const [lock, whole] of Object.entries(note.locks)) {
    const stamp = await stampOf(lock);
    // An older one was there before. What it holds may have been cut, but is the beginning of what that git writes.
    if (stamp === null || stamp < ((await stampOf(file)) ?? Infinity)) continue;
    if (whole === null || whole.startsWith((await findText(lock)) ?? "?")) stamps.set(lock, stamp);
  }
  await delay(Math.max(0, Math.max(...stamps.values()) + youngMs - Date.now()));
  const gits = await livingGits(repo);
  if (gits === null || gits.some(({ mark }) => mark === null || (mark === note.mark && mark !== gitMark))) return [];
  const left: string[] = [];
  for (const [lock, stamp] of stamps) if ((await stampOf(lock)) === stamp) left.push(lock);
  return left;
}

/** Whether nobody is at work at a file or folder that only gits of ours make: it has stood for a moment, and none is alive, as far as that can be looked for; `sparesOwn`: those of this process are known not to be at it. */
export async function isDeserted(repo: RepositoryFacts, path: string, sparesOwn: boolean): Promise<boolean> {
  const stamp = await stampOf(path);
  if (stamp === null) return false;
  await delay(Math.max(0, stamp + youngMs - Date.now()));
  const gits = (await livingGits(repo)) ?? [];
  return gits.every(({ mark }) => sparesOwn && mark === gitMark) && (await stampOf(path)) === stamp;
}

/** What lies where, since when, and what to do. */
export async function describeLock(file: string): Promise<string> {
  const since = await stampOf(file);
  const age = since === null ? "" : `, since ${Math.max(0, Math.round((Date.now() - since) / 1000))} s`;
  return `Another git holds ${file}${age}. Wait for the git that holds it; if none is running, remove the file.`;
}

/** When a file was last written, in epoch ms; `null` when it is not there. */
export async function stampOf(file: string): Promise<number | null> {
  try {
    return (await lstat(file)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
