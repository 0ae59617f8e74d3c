// Mends what follows from the events and differs from them: rows, and leases of processes that have ended. Never touches
// an event, and no run whose journal is not whole or that somebody drives.

import type { RunId } from "../../shared/contract/ids.ts";
import type { LeaseHolder } from "../engine/ports/store.ts";
import { rowChangesOf } from "../domain/projections/tables.ts";
import { verifyRun } from "./chainCheck.ts";
import { checkRows } from "./checkRows.ts";
import { createJournal } from "./journal.ts";
import type { Connection } from "./openDatabase.ts";
import { createRowWriter, projectedTables } from "./rowChanges.ts";

/** Returns a function that mends what it can and says what it has done, a sentence each. */
export function createRepair(
  db: Connection,
  folder: string,
  holderOf: (run: RunId) => LeaseHolder | null,
): () => readonly string[] {
  const roots = db.prepare<[], RunId>("SELECT run FROM runs WHERE kind = 'root' ORDER BY rowid").pluck();
  const freeLeases = db.prepare<[], { run: RunId }>(
    `UPDATE leases SET owner = NULL WHERE owner IN (SELECT boot FROM boots WHERE ended_at IS NOT NULL)
     AND run IN (SELECT run FROM runs WHERE root IN (SELECT run FROM runs WHERE kind = 'root' AND status = 'stopped'))
     RETURNING run`,
  );
  const rewrite = createRewriter(db, folder);
  const mend = db.transaction((root: RunId): readonly string[] => {
    if (holderOf(root) !== null || verifyRun(db, folder, root).length > 0) return [];
    const wrong = checkRows(db, folder, rowChangesOf, root).length;
    if (wrong === 0) return [];
    rewrite(root);
    return [
      `Run ${root}: ${wrong} ${wrong === 1 ? "fault" : "faults"} in its rows; they were written anew from its events`,
    ];
  });
  const free = db.transaction(() =>
    freeLeases.all().map(({ run }) => `Run ${run}: its lease was that of a process that has ended; it is free`),
  );
  return () => [...roots.all().flatMap((root) => mend.immediate(root)), ...free.immediate()];
}

/** Returns a function that writes all rows of a run anew, in the current transaction. */
function createRewriter(db: Connection, folder: string): (root: RunId) => void {
  const read = createJournal(db, folder);
  const write = createRowWriter(db);
  const deletions = projectedTables
    .filter((table) => table !== "runs")
    .map((table) => db.prepare<[RunId]>(`DELETE FROM ${table} WHERE run = ?`));
  return (root) => {
    const changes = rowChangesOf(read(root));
    for (const deletion of deletions) deletion.run(root);
    for (const change of changes) write(change);
  };
}
