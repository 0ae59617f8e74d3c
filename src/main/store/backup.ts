// Backups of the whole store beside it: a copy of the journal at one moment with its large payloads, proved before it
// counts. Three generations are kept; a backup that fails leaves the earlier ones as they are.

import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

import type { RunId } from "../../shared/contract/ids.ts";
import { countSteps, type TellProgress } from "../../shared/contract/progress.ts";
import { verifyRun } from "./chainCheck.ts";
import { codeOf, isUnread, StoreError, unreadFailure } from "./failure.ts";
import { syncPath } from "./folder.ts";
import { journalPath, openCopy, openReader } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";
import { payloadFolder, payloadPath } from "./payloads.ts";

const keptGenerations = 3;
const hourMs = 60 * 60_000;
/** All in one step: a copy in several is begun anew whenever another process commits in between. */
const allPages = 2 ** 31 - 1;

/** What a backup holds. */
export interface BackupFacts {
  /** Names it: a folder below `backups/` in the data folder. */
  readonly name: string;
  /** Epoch ms. */
  readonly at: number;
  readonly runs: number;
  readonly events: number;
  /** Of its copy of the journal. */
  readonly bytes: number;
}

/** Where backups lie in the data folder. */
export function backupFolder(folder: string): string {
  return join(folder, "backups");
}

/** Copies the store in `folder` as it stands now. Throws `STORE_CORRUPT` when the journal or its copy is damaged, or SQLite's and the system's errors; the earlier backups are whole then, and none was removed. Takes time in proportion to the file; `tell` hears how much of the copy is proved. */
export async function backUp(folder: string, at: number, tell: TellProgress = () => undefined): Promise<BackupFacts> {
  const source = openReader(folder);
  const name = nameAt(at);
  const target = join(backupFolder(folder), name);
  const half = `${target}.half`;
  try {
    requireWhole(source, "The journal");
    mkdirSync(half, { recursive: true, mode: 0o700 });
    await source.backup(journalPath(half), { progress: () => allPages });
    const facts = { name, at, ...proveCopy(folder, half, tell) };
    writeFileSync(join(half, "backup.json"), `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
    for (const path of [journalPath(half), join(half, "backup.json"), half]) syncPath(path);
    renameSync(half, target);
    syncPath(backupFolder(folder));
    rotate(folder);
    return facts;
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw error;
  } finally {
    source.close();
  }
}

/** Proves that the copy in `half` is whole: the file, and every run that was not known to be damaged. */
function proveCopy(folder: string, half: string, tell: TellProgress): Pick<BackupFacts, "runs" | "events" | "bytes"> {
  const copy = openCopy(half);
  try {
    requireWhole(copy, "The copy");
    keepPayloads(copy, folder, half);
    const roots = copy.prepare<[], RunId>("SELECT run FROM runs WHERE kind = 'root' AND damage IS NULL").pluck().all();
    const events = copy.prepare<[], number>("SELECT count(*) FROM events").pluck().get() ?? 0;
    const step = countSteps(events, "event", tell);
    for (const root of roots) {
      const [problem] = verifyRun(copy, half, root, step);
      if (problem !== undefined)
        throw new StoreError({
          code: "STORE_CORRUPT",
          message: `The journal of ${root} is damaged (${problem}), so the copy does not count as a backup. \`coppice doctor\` says more.`,
        });
    }
    return { runs: roots.length, events, bytes: statSync(journalPath(half)).size };
  } finally {
    copy.close();
  }
}

/** Throws `STORE_CORRUPT` with SQLite's words, `STORE_UNAVAILABLE` where the system could not read. */
export function requireWhole(db: Connection, what: string): void {
  const answer = db.prepare<[], string>("PRAGMA integrity_check(1)").pluck().get();
  if (answer === "ok") return;
  if (answer !== undefined && isUnread(answer)) throw new StoreError(unreadFailure(answer));
  throw new StoreError({
    code: "STORE_CORRUPT",
    message: `${what} is damaged (${answer ?? "no answer"}). Earlier backups were left as they are.`,
  });
}

/** Large payloads are never changed, so a second name for the same file keeps them; a copy where the disk has no such names. */
function keepPayloads(copy: Connection, folder: string, half: string): void {
  const hashes = copy.prepare<[], string>("SELECT hash FROM payloads WHERE bytes IS NULL").pluck().all();
  if (hashes.length === 0) return;
  mkdirSync(payloadFolder(half), { recursive: true, mode: 0o700 });
  for (const hash of hashes) linkOrCopy(payloadPath(folder, hash), payloadPath(half, hash));
  syncPath(payloadFolder(half));
}

/** A second name for a file, or a copy of it. A file that is gone is for the proof to find. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "EEXIST") return;
    copyFileSync(from, to);
  }
}

/** Those that are whole, newest first. */
export function listBackups(folder: string): readonly BackupFacts[] {
  return namesIn(folder)
    .toReversed()
    .flatMap((name) => readFacts(join(backupFolder(folder), name)));
}

function readFacts(path: string): readonly BackupFacts[] {
  try {
    const { at, runs, events, bytes } = JSON.parse(readFileSync(join(path, "backup.json"), "utf8")) as BackupFacts;
    return [{ name: basename(path), at, runs, events, bytes }];
  } catch (error) {
    // Written before its folder got its name: without it this is no backup.
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return [];
    throw error;
  }
}

function rotate(folder: string): void {
  const old = namesIn(folder).slice(0, -keptGenerations);
  for (const name of [...old, ...abandonedIn(folder)])
    rmSync(join(backupFolder(folder), name), { recursive: true, force: true });
}

/** Half-made backups whose process died: one that is being made is younger. */
function abandonedIn(folder: string): readonly string[] {
  return readdirSync(backupFolder(folder)).filter(
    (name) =>
      name.endsWith(".half") &&
      Date.now() - (statSync(join(backupFolder(folder), name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) >
        hourMs,
  );
}

/** Names of backups, oldest first: they begin with their time. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(backupFolder(folder))
      .filter((name) => /^journal-\d{8}T\d{9}Z$/.test(name))
      .toSorted((left, right) => (left < right ? -1 : 1));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** `journal-20261130T150000123Z`: sorts as its time does, and is a name on every system. */
function nameAt(at: number): string {
  return `journal-${new Date(at).toISOString().replaceAll(/[-:.]/g, "")}`;
}
