// Who has the store open: everybody who does holds a shared lock on one small file, so that a restore, which needs the
// store for itself, can tell. The system lets go of it when a process dies.

import { codeOf, StoreError } from "./failure.ts";
import { openLockFile } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";

/** Holds the store open until the connection is closed. Throws `STORE_UNAVAILABLE` while a backup is being restored. */
export function holdOpen(folder: string): Connection {
  const db = openLockFile(folder);
  try {
    db.exec("BEGIN");
    // The first read takes the lock, and it stays until the end of the transaction.
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    if (!codeOf(error).startsWith("SQLITE_BUSY")) throw error;
    throw new StoreError(
      {
        code: "STORE_UNAVAILABLE",
        message: "A backup is being restored. Start Coppice once that is done.",
        retryable: true,
      },
      error,
    );
  }
}

/** Runs `work` while nobody has the store open. Throws `STORE_IN_USE` when somebody has. */
export function holdAlone<T>(folder: string, work: () => T): T {
  const db = openLockFile(folder);
  try {
    try {
      db.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      if (!codeOf(error).startsWith("SQLITE_BUSY")) throw error;
      throw new StoreError(
        {
          code: "STORE_IN_USE",
          message: `Another process has the store in ${folder} open. End every Coppice (window, serve, run), then try again.`,
          retryable: true,
        },
        error,
      );
    }
    return work();
  } finally {
    db.close();
  }
}
