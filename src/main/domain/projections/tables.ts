// Rows that people and other processes query without folding: what each event does to them.
// A fold rebuilds every one of them; a check proves fold and rows equal.

/** The tables that follow from events alone. Columns are listed in `store/migrations/001.ts`. */
export type ProjectedTable =
  | "runs"
  | "handoffs"
  | "budgets"
  | "effects"
  | "approvals"
  | "evidence"
  | "changesets"
  | "landings"
  | "worktrees";

export type Cell = string | number | null;

/** Insert or update the row with this key. `key` names all key columns, `set` the others; on insertion absent columns are NULL, on update they stay. */
export interface RowChange {
  readonly table: ProjectedTable;
  readonly key: { readonly [column: string]: Cell };
  readonly set: { readonly [column: string]: Cell };
}
