// What people and the shells ask of the rows: the run list, runs by id, open approvals, decisions. Reads only.

import type { RunId } from "../../shared/contract/ids.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { ApprovalRow, DecidedRows, ListedRunRow, RunRow } from "../engine/ports/store.ts";
import { createDecided } from "./decided.ts";
import type { Connection } from "./openDatabase.ts";

/** How many candidates an ambiguous prefix names. */
const shownCandidates = 5;

export interface Queries {
  findRun(text: string): Result<RunRow>;
  listRuns(): readonly ListedRunRow[];
  listApprovals(run?: RunId): readonly ApprovalRow[];
  listDecided(since: number, limit: number): DecidedRows;
}

// A run whose rows were not written yet shows as a started one without a name.
const runRows = `
  SELECT run, coalesce(title, '') AS title, CASE WHEN imported_at IS NOT NULL THEN 'imported' WHEN damage IS NOT NULL THEN 'quarantined'
           ELSE coalesce(status, 'running') END AS status, stop_reason AS stopReason,
         coalesce(repo, '') AS repo, coalesce(created_at, 0) AS createdAt, count, pinned
  FROM runs WHERE kind = 'root'`;

// A list is asked for again and again, so what stands beside its rows is grouped once and not looked up run by run.
const listedRows = `
  SELECT row.*, coalesce(root.updated_at, 0) AS updatedAt, coalesce(team.agents, '') AS agents, land.landed
  FROM (${runRows}) AS row JOIN runs AS root ON root.run = row.run
  LEFT JOIN (
    SELECT child.root, group_concat(CASE child.status
        WHEN 'running' THEN 'w' WHEN 'submitting' THEN 'w' WHEN 'landing' THEN 'w' WHEN 'waiting' THEN 'n'
        WHEN 'awaiting_review' THEN 'r' WHEN 'completed' THEN 'd' WHEN 'failed' THEN 'f' WHEN 'cancelled' THEN 's'
        ELSE 'q' END, '' ORDER BY child.rowid) AS agents
    FROM runs AS child JOIN runs AS parent ON parent.run = child.root
    WHERE child.kind = 'child' AND parent.status <> 'stopped' GROUP BY child.root
  ) AS team ON team.root = row.run
  LEFT JOIN (SELECT run, new_oid AS landed, max(rowid) FROM landings WHERE status = 'landed' GROUP BY run) AS land
    ON land.run = row.run
  ORDER BY row.createdAt DESC, root.rowid DESC`;

interface Stored {
  readonly pinned: 0 | 1;
}
type StoredRunRow = Omit<RunRow, "pinned"> & Stored;
type StoredListedRow = Omit<ListedRunRow, "pinned"> & Stored;

function withPin<Row extends Stored>(row: Row): Omit<Row, "pinned"> & { readonly pinned: boolean } {
  return { ...row, pinned: row.pinned === 1 };
}

/** `findRun` answers `RUN_NOT_FOUND` or `RUN_AMBIGUOUS`; runs come newest first, open approvals oldest first. */
export function createQueries(reader: Connection): Queries {
  const exact = reader.prepare<[string], StoredRunRow>(`${runRows} AND run = ?`);
  const byPrefix = reader.prepare<[string, string], StoredRunRow>(
    `${runRows} AND substr(run, 1, length(?)) = ? ORDER BY created_at DESC`,
  );
  const all = reader.prepare<[], StoredListedRow>(listedRows);
  const approvals = reader.prepare<[RunId | null, RunId | null], ApprovalRow>(
    `SELECT id, run, kind, agent, coalesce(summary, '') AS summary, coalesce(requested_at, 0) AS since FROM approvals
     WHERE status = 'open' AND run NOT IN (SELECT run FROM runs WHERE imported_at IS NOT NULL) AND (? IS NULL OR run = ?) ORDER BY requested_at, rowid`,
  );
  return {
    listDecided: createDecided(reader),
    findRun(text) {
      const row = exact.get(text);
      if (row) return succeed(withPin(row));
      const found = text === "" ? [] : byPrefix.all(text, text);
      const [first, second] = found;
      if (first && !second) return succeed(withPin(first));
      if (!first)
        return fail({ code: "RUN_NOT_FOUND", message: `There is no run "${text}". \`coppice runs\` lists them.` });
      const names = found.slice(0, shownCandidates).map((each) => each.run);
      const rest = found.length > names.length ? ` and ${found.length - names.length} more` : "";
      return fail({
        code: "RUN_AMBIGUOUS",
        message: `"${text}" is the start of ${found.length} runs: ${names.join(", ")}${rest}. Give more of the id; \`coppice runs\` lists them.`,
      });
    },
    listRuns: () => all.all().map(withPin),
    listApprovals: (run) => approvals.all(run ?? null, run ?? null),
  };
}
