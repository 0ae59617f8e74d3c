// What may leave the store: whole runs, by a person's word, and payload files that no row names. A deleted run leaves
// its id and the hash of its head, so that neither can be used again. Never touches a run that is pinned or driven.

import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";

import type { RunId } from "../../shared/contract/ids.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import type { DiskUse, LeaseHolder, Removed } from "../engine/ports/store.ts";
import { codeOf } from "./failure.ts";
import { journalPath } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";
import { payloadFolder, payloadPath } from "./payloads.ts";
import { projectedTables } from "./rowChanges.ts";

/** A half-written file this old belongs to nobody: a write takes seconds. */
const abandonedAfterMs = 60 * 60_000;

export interface Retention {
  setPinned(root: RunId, pinned: boolean): Result<null>;
  deleteRun(root: RunId): Result<Removed>;
  sweepPayloads(): Removed;
  diskUse(): DiskUse;
}

interface RunFacts {
  readonly head: string;
  readonly pinned: 0 | 1;
}

function notFound(root: RunId): { readonly ok: false; readonly error: Failure } {
  return fail({ code: "RUN_NOT_FOUND", message: `There is no run ${root}. \`coppice runs\` lists them.` });
}

/** `holderOf` is who holds a lease; `boot` is ours. */
export function createRetention(
  db: Connection,
  folder: string,
  boot: string,
  holderOf: (run: RunId) => LeaseHolder | null,
): Retention {
  const pin = db.prepare<[number, RunId]>("UPDATE runs SET pinned = ? WHERE run = ? AND kind = 'root'");
  const facts = db.prepare<[RunId], RunFacts>(
    "SELECT head_hash AS head, pinned FROM runs WHERE run = ? AND kind = 'root'",
  );
  const streams = db.prepare<[RunId], RunId>("SELECT run FROM runs WHERE root = ?").pluck();
  const remove = createRemover(db);
  const sweep = createSweeper(db, folder);

  const findObstacle = (root: RunId, { pinned }: RunFacts): Failure | null => {
    if (pinned === 1)
      return { code: "RUN_PINNED", message: `Run ${root} is pinned: it stays until its pin is taken off.` };
    const holder = streams
      .all(root)
      .map(holderOf)
      .find((each) => each !== null);
    if (!holder) return null;
    if (holder.boot === boot)
      return { code: "NOT_ALLOWED_NOW", message: `Run ${root} is being driven here. Cancel it, then delete it.` };
    const message = `Run ${root} is driven by process ${holder.pid} on ${holder.host}. Cancel it there, then delete it.`;
    return { code: "DRIVEN_ELSEWHERE", message, retryable: true };
  };
  const setPinned = db.transaction((root: RunId, pinned: boolean): Result<null> =>
    pin.run(pinned ? 1 : 0, root).changes === 1 ? succeed(null) : notFound(root),
  );
  const deleteRows = db.transaction((root: RunId): Result<RemovedRows> => {
    const run = facts.get(root);
    if (!run) return notFound(root);
    const obstacle = findObstacle(root, run);
    return obstacle ? fail(obstacle) : succeed(remove(root, run.head));
  });

  return {
    setPinned: (root, pinned) => setPinned.immediate(root, pinned),
    deleteRun(root) {
      const removed = deleteRows.immediate(root);
      if (!removed.ok) return removed;
      const { rows, rowBytes, files } = removed.value;
      // After the commit: a crash in between leaves files without a row, which the next sweep takes, never a row without its file.
      const swept = sweep(files.map((hash) => payloadPath(folder, hash)));
      return succeed({ payloads: rows + swept.payloads, bytes: rowBytes + swept.bytes });
    },
    sweepPayloads: () => sweep(listFiles(folder)),
    diskUse: () => measureDisk(folder),
  };
}

/** Bytes that the store takes in `folder`. */
export function measureDisk(folder: string): DiskUse {
  return {
    database: sizeOf(journalPath(folder)),
    wal: sizeOf(`${journalPath(folder)}-wal`),
    payloads: listFiles(folder).reduce((total, path) => total + sizeOf(path), 0),
  };
}

interface RemovedRows {
  readonly rows: number;
  readonly rowBytes: number;
  /** Hashes of payloads that lie in files. */
  readonly files: readonly string[];
}

interface OrphanRow {
  readonly hash: string;
  /** `null`: the payload is a file. */
  readonly bytes: number | null;
}

/** Returns a function that takes a run and its children out of every table, in the current transaction. */
function createRemover(db: Connection): (root: RunId, head: string) => RemovedRows {
  const bury = db.prepare<[RunId, string, number]>("INSERT INTO tombstones (root, head_hash, at) VALUES (?, ?, ?)");
  const hashes = db.prepare<[RunId], string>("SELECT DISTINCT payload_hash FROM events WHERE root = ?").pluck();
  const projections = projectedTables.filter((table) => table !== "runs");
  const deletions = [
    "DELETE FROM events WHERE root = ?",
    "DELETE FROM requests WHERE run IN (SELECT run FROM runs WHERE root = ?)",
    "DELETE FROM leases WHERE run IN (SELECT run FROM runs WHERE root = ?)",
    ...projections.map((table) => `DELETE FROM ${table} WHERE run = ?`),
    "DELETE FROM runs WHERE root = ?",
  ].map((sql) => db.prepare<[RunId]>(sql));
  const deleteOrphan = db.prepare<[string], OrphanRow>(
    `DELETE FROM payloads WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM events WHERE payload_hash = payloads.hash)
     RETURNING hash, octet_length(bytes) AS bytes`,
  );
  return (root, head) => {
    const used = hashes.all(root);
    // The guard on `events` lets go only what has a tombstone.
    bury.run(root, head, Date.now());
    for (const deletion of deletions) deletion.run(root);
    const orphans = used.flatMap((hash) => deleteOrphan.all(hash));
    const rows = orphans.filter((orphan) => orphan.bytes !== null);
    return {
      rows: rows.length,
      rowBytes: rows.reduce((total, row) => total + (row.bytes ?? 0), 0),
      files: orphans.filter((orphan) => orphan.bytes === null).map((orphan) => orphan.hash),
    };
  };
}

/** Returns a function that removes those of the files at `paths` that no row names. It holds the write lock, under which alone rows come to name files. */
function createSweeper(db: Connection, folder: string): (paths: readonly string[]) => Removed {
  const find = db.prepare<[string], number>("SELECT 1 FROM payloads WHERE hash = ? AND bytes IS NULL").pluck();
  const isUnnamed = (path: string): boolean => {
    const [hash = "", ...rest] = basename(path).split(".");
    if (rest.at(-1) === "half") return Date.now() - (statOf(path)?.mtimeMs ?? 0) > abandonedAfterMs;
    return path === payloadPath(folder, hash) && find.get(hash) === undefined;
  };
  const sweep = db.transaction((paths: readonly string[]): Removed => {
    const unnamed = paths.filter(isUnnamed);
    const bytes = unnamed.reduce((total, path) => total + sizeOf(path), 0);
    for (const path of unnamed) rmSync(path, { force: true });
    return { payloads: unnamed.length, bytes };
  });
  return (paths) => (paths.length === 0 ? { payloads: 0, bytes: 0 } : sweep.immediate(paths));
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(payloadFolder(folder)).map((name) => join(payloadFolder(folder), name));
  } catch (error) {
    // Made with the first large payload.
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function statOf(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

/** Bytes; 0 for a file that is not there (any more). */
function sizeOf(path: string): number {
  return statOf(path)?.size ?? 0;
}
