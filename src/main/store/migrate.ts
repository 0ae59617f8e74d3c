// Takes a journal file forward in numbered steps, each in one transaction with its version number, a backup first.
// Never goes back and never touches a file that a newer build wrote.

import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";

import { StoreError } from "./failure.ts";
import { syncPath } from "./folder.ts";
import type { Connection } from "./openDatabase.ts";
import { migration001 } from "./migrations/001.ts";
import { migration002 } from "./migrations/002.ts";
import { migration003 } from "./migrations/003.ts";
import { migration004 } from "./migrations/004.ts";
import { migration005 } from "./migrations/005.ts";

export interface Migration {
  /** `user_version` once the step is done; the steps count 1, 2, 3… */
  readonly version: number;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [migration001, migration002, migration003, migration004, migration005];

/** "Copp" in ASCII: marks the file as ours. */
export const applicationId = 0x436f7070;

/** The version this build writes. */
export function latestVersion(steps: readonly Migration[] = migrations): number {
  return steps.at(-1)?.version ?? 0;
}

function versionOf(db: Connection): number {
  return Number(db.pragma("user_version", { simple: true }));
}

/** Throws `STORE_TOO_NEW` for a file of a newer build and `STORE_FOREIGN` for a database of another program. Only reads. */
export function requireOurs(db: Connection, path: string, steps: readonly Migration[] = migrations): void {
  const version = versionOf(db);
  const id = Number(db.pragma("application_id", { simple: true }));
  const tableCount = db.prepare<[], number>("SELECT count(*) FROM sqlite_schema").pluck().get() ?? 0;
  if (id !== applicationId && (id !== 0 || tableCount > 0)) {
    throw new StoreError({
      code: "STORE_FOREIGN",
      message: `${path} is a database of another program. Move it away or set COPPICE_HOME to another folder.`,
    });
  }
  if (version > latestVersion(steps)) {
    throw new StoreError({
      code: "STORE_TOO_NEW",
      message: `${path} was written by a newer Coppice (file version ${version}, this one knows ${latestVersion(steps)}). Update Coppice; the file was not touched.`,
    });
  }
}

function backUp(db: Connection, folder: string, version: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const target = join(folder, `journal-v${version}-${Date.now()}-${process.pid}.db`);
  const half = `${target}.half`;
  db.prepare("VACUUM INTO ?").run(half);
  syncPath(half);
  renameSync(half, target);
  syncPath(dirname(target));
}

/** Runs the steps that the file has not seen. Two processes may do so at once: each step looks again under the write lock. A failed step leaves the version before it. */
export function migrate(db: Connection, backupFolder: string, steps: readonly Migration[] = migrations): void {
  const start = versionOf(db);
  if (start >= latestVersion(steps)) return;
  if (start > 0) backUp(db, backupFolder, start);
  for (const step of steps) {
    db.transaction(() => {
      if (versionOf(db) >= step.version) return;
      db.exec(step.sql);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${step.version}`);
    }).immediate();
  }
}
