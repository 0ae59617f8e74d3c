// Writes the rows of projections. Table and column names reach the SQL only after they were found in the schema,
// and the columns that the store keeps itself are not among them.

import type { Cell, ProjectedTable, RowChange } from "../domain/projections/tables.ts";
import { StoreError } from "./failure.ts";
import type { Connection } from "./openDatabase.ts";

export const projectedTables = [
  "runs",
  "handoffs",
  "budgets",
  "effects",
  "approvals",
  "evidence",
  "changesets",
  "landings",
  "worktrees",
] as const satisfies readonly ProjectedTable[];

/** Heads and counts of `runs` follow from the append itself, the pin from a person's word, and what was found or brought in is noted where it is: never from a row. */
export const storeColumns: ReadonlySet<string> = new Set([
  "count",
  "head_seq",
  "head_hash",
  "pinned",
  "imported_at",
  "damage",
]);

export interface TableShape {
  readonly keys: readonly string[];
  readonly columns: readonly string[];
}

interface ColumnInfo {
  readonly name: string;
  readonly pk: number;
}

/** Keys and other columns of each projected table, read from the schema. */
export function readShapes(db: Connection): ReadonlyMap<string, TableShape> {
  const shapes = new Map<string, TableShape>();
  for (const table of projectedTables) {
    const info = db.pragma(`table_info(${table})`) as readonly ColumnInfo[];
    const keys = info.filter((column) => column.pk > 0).map((column) => column.name);
    const columns = info
      .filter((column) => column.pk === 0 && !storeColumns.has(column.name))
      .map((column) => column.name);
    shapes.set(table, { keys, columns });
  }
  return shapes;
}

function requireColumns(shapes: ReadonlyMap<string, TableShape>, change: RowChange): void {
  const refuse = (what: string): never => {
    throw new StoreError({
      code: "INVALID_APPEND",
      message: `A row for table ${change.table} ${what}. Its columns are listed in store/migrations.`,
    });
  };
  const shape = shapes.get(change.table) ?? refuse("names no projected table");
  const keys = Object.keys(change.key);
  if (keys.length !== shape.keys.length || keys.some((key) => !shape.keys.includes(key)))
    refuse(`must be keyed by ${shape.keys.join(", ")}`);
  const unknown = Object.keys(change.set).find((column) => !shape.columns.includes(column));
  if (unknown !== undefined) refuse(`cannot set ${unknown}`);
}

/** `runs` rows are made by the start of their stream, which alone knows the head: a change only updates them. */
function sqlFor(table: ProjectedTable, keys: readonly string[], columns: readonly string[]): string {
  if (table === "runs") {
    const sets = columns.map((column) => `${column} = ?`).join(", ");
    return `UPDATE runs SET ${sets || "run = run"} WHERE run = ?`;
  }
  const all = [...keys, ...columns];
  const update = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  return (
    `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")}) ` +
    `ON CONFLICT (${keys.join(", ")}) DO ${update ? `UPDATE SET ${update}` : "NOTHING"}`
  );
}

/** Returns a function that applies one change in the current transaction. It throws `INVALID_APPEND` for a table, key or column that is not in the schema and for a run without a stream. */
export function createRowWriter(db: Connection): (change: RowChange) => void {
  const shapes = readShapes(db);
  const statements = new Map<string, { run(...cells: Cell[]): { changes: number } }>();
  return (change) => {
    requireColumns(shapes, change);
    const keys = Object.keys(change.key);
    const columns = Object.keys(change.set);
    const sql = sqlFor(change.table, keys, columns);
    const statement = statements.get(sql) ?? db.prepare<Cell[]>(sql);
    statements.set(sql, statement);
    const [keyCells, setCells] = [Object.values(change.key), Object.values(change.set)];
    const { changes } = statement.run(
      ...(change.table === "runs" ? [...setCells, ...keyCells] : [...keyCells, ...setCells]),
    );
    if (change.table === "runs" && changes === 0) {
      throw new StoreError({
        code: "INVALID_APPEND",
        message: `A row names run ${String(keyCells[0])}, which has no stream. Start it in the same append.`,
      });
    }
  };
}
