// Puts a backup in the place of the journal. What stood there is moved aside whole and never deleted; nobody else may
// have the store open meanwhile.

import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { fail, succeed } from "../../shared/lib/result.ts";
import type { Result } from "../../shared/lib/result.ts";
import { backupFolder, linkOrCopy, listBackups, requireWhole } from "./backup.ts";
import { markName } from "./ackMark.ts";
import type { BackupFacts } from "./backup.ts";
import { codeOf, toFailure } from "./failure.ts";
import { syncPath } from "./folder.ts";
import { holdAlone } from "./openLock.ts";
import { journalPath, openCopy, restoringPath } from "./openDatabase.ts";
import { payloadFolder } from "./payloads.ts";

/** What belongs to one state of the journal and goes aside with it. Payload files belong to any state that names them, and stay. */
const set = ["journal.db", "journal.db-wal", "journal.db-shm", markName, "search"] as const;

export interface Restored {
  readonly backup: BackupFacts;
  /** Where what stood there lies now, absolute. */
  readonly aside: string;
}

/** Restores the newest backup, or the one named. Codes `NO_BACKUP`, `STORE_IN_USE` (somebody has the store open), `STORE_CORRUPT` (the backup itself is damaged); nothing was moved then. `at`: epoch ms. */
export function restoreBackup(folder: string, name: string | null, at: number): Result<Restored> {
  const backups = listBackups(folder);
  const backup = name === null ? backups[0] : backups.find((one) => one.name === name);
  if (!backup)
    return fail({
      code: "NO_BACKUP",
      message:
        name === null
          ? `There is no backup in ${backupFolder(folder)}.`
          : `There is no backup ${name}; coppice backup --list names those there are.`,
    });
  try {
    return holdAlone(folder, () => {
      const source = join(backupFolder(folder), backup.name);
      const aside = asideOf(folder, at);
      const next = prepare(folder, source);
      moveAside(folder, aside);
      renameSync(next, journalPath(folder));
      syncPath(folder);
      return succeed({ backup, aside });
    });
  } catch (error) {
    return fail(toFailure(error));
  }
}

/** A copy of the backup's journal under a passing name, on the disk and proved; its large payloads are where they belong. */
function prepare(folder: string, source: string): string {
  const next = restoringPath(folder);
  const copy = openCopy(source);
  try {
    requireWhole(copy, "The backup");
  } finally {
    copy.close();
  }
  try {
    copyFileSync(journalPath(source), next);
    bringPayloads(folder, source);
    syncPath(next);
  } catch (error) {
    // A full disk is not left fuller.
    rmSync(next, { force: true });
    throw error;
  }
  return next;
}

function bringPayloads(folder: string, source: string): void {
  if (!existsSync(payloadFolder(source))) return;
  mkdirSync(payloadFolder(folder), { recursive: true, mode: 0o700 });
  for (const file of readdirSync(payloadFolder(source)))
    linkOrCopy(join(payloadFolder(source), file), join(payloadFolder(folder), file));
  syncPath(payloadFolder(folder));
}

/** Where the set goes: what a restore that was cut has not moved goes to the rest of it. */
function asideOf(folder: string, at: number): string {
  const parent = join(folder, "damaged");
  const isCut = !existsSync(journalPath(folder)) && existsSync(restoringPath(folder)) && existsSync(parent);
  const begun = isCut ? readdirSync(parent).toSorted().at(-1) : undefined;
  return join(parent, begun ?? new Date(at).toISOString().replaceAll(/[-:.]/g, ""));
}

function moveAside(folder: string, aside: string): void {
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const name of set) {
    try {
      renameSync(join(folder, name), join(aside, name));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }
  syncPath(aside);
}
