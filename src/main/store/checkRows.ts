// Compares the rows of projections with what a fold of the journal says they must be. Knows no projection itself.

import type { RunId } from "../../shared/contract/ids.ts";
import type { RunEvent } from "../domain/events.ts";
import type { Cell, RowChange } from "../domain/projections/tables.ts";
import { createJournal } from "./journal.ts";
import type { Connection } from "./openDatabase.ts";
import { projectedTables, readShapes } from "./rowChanges.ts";
import type { TableShape } from "./rowChanges.ts";

/** All row changes that the merged journal of one run leads to, in order. */
export type ExpectedRows = (journal: readonly RunEvent[]) => readonly RowChange[];

type Row = Readonly<Record<string, Cell>>;

function nameOf(table: string, shape: TableShape, row: Row): string {
  return `${table} ${shape.keys.map((key) => String(row[key])).join("/")}`;
}

/** Applies changes as the store would: later ones win, column by column. */
function applyChanges(
  changes: readonly RowChange[],
  shapes: ReadonlyMap<string, TableShape>,
): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const { table, key, set } of changes) {
    const shape = shapes.get(table);
    if (!shape) continue;
    const name = nameOf(table, shape, key);
    rows.set(name, { ...rows.get(name), ...key, ...set });
  }
  return rows;
}

/** `runs` has columns that the start of a stream fills: only what the fold names is compared there. */
function differences(name: string, columns: readonly string[], actual: Row, expected: Row): readonly string[] {
  const compared = name.startsWith("runs ") ? columns.filter((column) => column in expected) : columns;
  return compared
    .filter((column) => (actual[column] ?? null) !== (expected[column] ?? null))
    .map(
      (column) =>
        `Row ${name}: ${column} is ${JSON.stringify(actual[column])}, the events say ${JSON.stringify(expected[column] ?? null)}`,
    );
}

function checkRun(
  db: Connection,
  root: RunId,
  expected: ReadonlyMap<string, Row>,
  shapes: ReadonlyMap<string, TableShape>,
): readonly string[] {
  const found: string[] = [];
  const met = new Set<string>();
  for (const table of projectedTables) {
    const shape = shapes.get(table);
    if (!shape) continue;
    const owner = table === "runs" ? "root" : "run";
    for (const row of db.prepare<[RunId], Row>(`SELECT * FROM ${table} WHERE ${owner} = ?`).all(root)) {
      const name = nameOf(table, shape, row);
      const wanted = expected.get(name);
      met.add(name);
      if (wanted) found.push(...differences(name, shape.columns, row, wanted));
      else if (table !== "runs") found.push(`Row ${name} follows from no event`);
    }
  }
  for (const name of expected.keys()) if (!met.has(name)) found.push(`Row ${name} is missing`);
  return found;
}

/** One sentence for each row that is not what the events say, of one run or over all. */
export function checkRows(
  db: Connection,
  folder: string,
  expectedRows: ExpectedRows,
  root: RunId | null = null,
): readonly string[] {
  const shapes = readShapes(db);
  const read = createJournal(db, folder);
  const roots = db.prepare<[], RunId>("SELECT run FROM runs WHERE kind = 'root'").pluck();
  return (root === null ? roots.all() : [root]).flatMap((each) =>
    checkRun(db, each, applyChanges(expectedRows(read(each)), shapes), shapes),
  );
}
