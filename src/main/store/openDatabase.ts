// The one door to better-sqlite3: opens connections with the settings that durability rests on, and reads them back.
// Nothing else in the product may load the library or choose a pragma.

import { existsSync } from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";

import { codeOf, StoreError } from "./failure.ts";
import { migrate, migrations, requireOurs } from "./migrate.ts";
import type { Migration } from "./migrate.ts";

export type Connection = Database.Database;

/** Older releases can corrupt a WAL file under concurrent checkpoints (fixed in 3.51.3). */
const oldestSqlite = [3, 51, 3] as const;
const busyTimeoutMs = 5_000;
const full = 2;
/** Pages in the WAL at which SQLite checkpoints by itself. The worker does so when idle; this is only a ceiling. */
const checkpointPages = 16_000;

/** Where the journal lies in the data folder. */
export function journalPath(folder: string): string {
  return join(folder, "journal.db");
}

/** Where a restore puts together what is to be the journal. */
export function restoringPath(folder: string): string {
  return `${journalPath(folder)}.half`;
}

/** A restore that died between taking the old journal away and putting the new one there is done again, not begun from nothing. */
function requireRestored(folder: string): void {
  if (existsSync(journalPath(folder)) || !existsSync(restoringPath(folder))) return;
  throw new StoreError({
    code: "STORE_UNAVAILABLE",
    message: `A backup was being restored in ${folder} and was cut off. Nothing is lost: coppice backup --restore does it again.`,
  });
}

function requireSqlite(db: Connection): void {
  const version = db.prepare<[], string>("SELECT sqlite_version()").pluck().get() ?? "";
  const parts = version.split(".").map(Number);
  for (const [index, least] of oldestSqlite.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new StoreError({
        code: "STORE_UNAVAILABLE",
        message: `SQLite ${version} is too old; ${oldestSqlite.join(".")} is needed. Reinstall Coppice with npm ci.`,
      });
    }
  }
}

/** Settings of every connection, reading or writing. */
function configure(db: Connection): void {
  db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma("recursive_triggers = ON");
  db.pragma("trusted_schema = OFF");
  if (process.platform !== "darwin") return;
  db.pragma("fullfsync = ON");
  db.pragma("checkpoint_fullfsync = ON");
}

/** Throws unless the connection waits for the disk at each commit. Call it after the first transaction: a fresh WAL connection answers FULL before it, whatever it will do. */
export function requireDurable(db: Connection): void {
  const synchronous = Number(db.pragma("synchronous", { simple: true }));
  const isFlushed = process.platform !== "darwin" || Number(db.pragma("fullfsync", { simple: true })) === 1;
  if (synchronous === full && isFlushed) return;
  throw new StoreError({
    code: "STORE_UNAVAILABLE",
    message: `SQLite runs with synchronous=${synchronous} where FULL is needed: commits could be lost. Report this.`,
  });
}

/** SQLite answers BUSY at once, without its timeout, while another process switches the same fresh file. */
function switchToWal(db: Connection): void {
  const end = Date.now() + busyTimeoutMs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      const mode = db.pragma("journal_mode = WAL", { simple: true });
      if (mode === "wal") return;
      throw new StoreError({
        code: "STORE_UNAVAILABLE",
        message: `The journal cannot be kept in WAL mode here (SQLite says ${String(mode)}). Set COPPICE_HOME to a folder on a local disk.`,
      });
    } catch (error) {
      if (!codeOf(error).startsWith("SQLITE_BUSY") || Date.now() > end) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

/** Looks at an existing file through a connection that cannot write, so that a file that is not ours stays as it is. */
function inspect(path: string, steps: readonly Migration[]): void {
  if (!existsSync(path)) return;
  const db = new Database(path, { readonly: true, timeout: busyTimeoutMs });
  try {
    requireOurs(db, path, steps);
  } finally {
    db.close();
  }
}

/** Opens the journal for writing: made or migrated when needed, in WAL mode, every commit on disk before it is acknowledged. Blocks up to 5 s for other processes. Throws `StoreError` or SQLite's own error. */
export function openWriter(folder: string, steps: readonly Migration[] = migrations): Connection {
  const path = journalPath(folder);
  requireRestored(folder);
  inspect(path, steps);
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    requireSqlite(db);
    configure(db);
    switchToWal(db);
    db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    migrate(db, join(folder, "backups"), steps);
    db.transaction(() => {
      db.prepare(
        "INSERT INTO meta (name, value) VALUES ('opened_at', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
      ).run(String(Date.now()));
    }).immediate();
    requireDurable(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the journal for reading only, for queries, checks and backups. The file must exist. */
export function openReader(folder: string): Connection {
  const path = journalPath(folder);
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  try {
    requireSqlite(db);
    configure(db);
    requireOurs(db, path);
    requireDurable(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the search index, made when missing. It can be built anew from the journal, so its commits do not wait for the disk. */
export function openIndex(path: string): Connection {
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    configure(db);
    db.pragma("synchronous = OFF");
    switchToWal(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the journal in `folder` that is a copy nobody else has open, for proving it. Afterwards it is one file again. */
export function openCopy(folder: string): Connection {
  const path = journalPath(folder);
  const db = new Database(path, { fileMustExist: true });
  try {
    configure(db);
    db.pragma("journal_mode = DELETE");
    requireOurs(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the small file that is only there to be locked. It waits for nobody. */
export function openLockFile(folder: string): Connection {
  return new Database(join(folder, "open.lock"), { timeout: 0 });
}
