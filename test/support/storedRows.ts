// What the tables of a store hold of one run, as plain data in one order.

import type { RunId } from "../../src/shared/contract/ids.ts";
import { canonicalJson } from "../../src/shared/lib/json.ts";
import { openReader } from "../../src/main/store/openDatabase.ts";
import { projectedTables, storeColumns } from "../../src/main/store/rowChanges.ts";

export type StoredRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Rows by table, without what the store notes beside the events. */
export function storedRows(home: string, run: RunId): StoredRows {
  const db = openReader(home);
  try {
    const tables = projectedTables.map((table) => {
      const owner = table === "runs" ? "root" : "run";
      const rows = db.prepare<[RunId], Record<string, unknown>>(`SELECT * FROM ${table} WHERE ${owner} = ?`).all(run);
      return [table, rows.map(withoutNotes).toSorted(byText)] as const;
    });
    return Object.fromEntries(tables);
  } finally {
    db.close();
  }
}

function withoutNotes(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !storeColumns.has(column)));
}

function byText(left: unknown, right: unknown): number {
  return canonicalJson(left) < canonicalJson(right) ? -1 : 1;
}
