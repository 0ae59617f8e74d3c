// What people and the shells ask of the rows: the run list, runs by id, open approvals. Reads only.

import type { RunId } from "../../shared/contract/ids.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { ApprovalRow, RunRow } from "../engine/ports/store.ts";
import type { Connection } from "./openDatabase.ts";

/** How many candidates an ambiguous prefix names. */
const shownCandidates = 5;

export interface Queries {
  findRun(text: string): Result<RunRow>;
  listRuns(): readonly RunRow[];
  listApprovals(run?: RunId): readonly ApprovalRow[];
}

// A run whose rows were not written yet shows as a started one without a name.
const runRows = `
  SELECT run, coalesce(title, '') AS title, coalesce(status, 'running') AS status, stop_reason AS stopReason,
         coalesce(repo, '') AS repo, coalesce(created_at, 0) AS createdAt, count, pinned
  FROM runs WHERE kind = 'root'`;

interface StoredRunRow extends Omit<RunRow, "pinned"> {
  readonly pinned: 0 | 1;
}

function toRunRow(row: StoredRunRow): RunRow {
  return { ...row, pinned: row.pinned === 1 };
}

/** `findRun` answers `RUN_NOT_FOUND` or `RUN_AMBIGUOUS`; runs come newest first, open approvals oldest first. */
export function createQueries(reader: Connection): Queries {
  const exact = reader.prepare<[string], StoredRunRow>(`${runRows} AND run = ?`);
  const byPrefix = reader.prepare<[string, string], StoredRunRow>(
    `${runRows} AND substr(run, 1, length(?)) = ? ORDER BY created_at DESC`,
  );
  const all = reader.prepare<[], StoredRunRow>(`${runRows} ORDER BY created_at DESC, rowid DESC`);
  const approvals = reader.prepare<[RunId | null, RunId | null], ApprovalRow>(
    `SELECT id, run, kind, agent, coalesce(summary, '') AS summary, coalesce(requested_at, 0) AS since FROM approvals
     WHERE status = 'open' AND (? IS NULL OR run = ?) ORDER BY requested_at, rowid`,
  );
  return {
    findRun(text) {
      const row = exact.get(text);
      if (row) return succeed(toRunRow(row));
      const found = text === "" ? [] : byPrefix.all(text, text);
      const [first, second] = found;
      if (first && !second) return succeed(toRunRow(first));
      if (!first)
        return fail({ code: "RUN_NOT_FOUND", message: `There is no run "${text}". \`coppice runs\` lists them.` });
      const names = found.slice(0, shownCandidates).map((each) => each.run);
      const rest = found.length > names.length ? ` and ${found.length - names.length} more` : "";
      return fail({
        code: "RUN_AMBIGUOUS",
        message: `"${text}" is the start of ${found.length} runs: ${names.join(", ")}${rest}. Give more of the id; \`coppice runs\` lists them.`,
      });
    },
    listRuns: () => all.all().map(toRunRow),
    listApprovals: (run) => approvals.all(run ?? null, run ?? null),
  };
}
