// What was decided in all runs since a moment, newest first, and what became of it: from rows and events alone, so that no
// journal is read and folded for it. Reads only.

import type { DecidedRow, DecidedRows } from "../engine/ports/store.ts";
import type { Connection } from "./openDatabase.ts";

/** A member of a payload that is JSON here; of one that was erased, or lies in a file, nothing is known. */
const member = (payload: string, name: string) =>
  `CASE WHEN json_valid(${payload}.bytes) THEN json_extract(${payload}.bytes, '$.${name}') END`;

/**
 * Each run is gone through once, by the events of its own. What was decided and is open again, since its landing is held,
 * is not decided. A fork tells its origin's decisions once more, and those of an imported run were made elsewhere: neither
 * counts.
 */
const decided = `
  WITH busy AS (
    SELECT DISTINCT approvals.run FROM approvals JOIN runs AS root ON root.run = approvals.run
    WHERE approvals.status = 'decided' AND approvals.decided_at >= @since AND root.imported_at IS NULL
  ), asked AS (
    SELECT ${member("payload", "approval")} AS approval, ${member("payload", "changeset")} AS changeset
    FROM busy CROSS JOIN events AS event ON event.root = busy.run AND event.type = 'approval.requested'
    JOIN payloads AS payload ON payload.hash = event.payload_hash
  ), said AS (
    SELECT event.root AS run, event.n, event.at, ${member("payload", "decision")} AS decision,
           ${member("payload", "by")} AS by, ${member("payload", "scope")} AS scope,
           coalesce(${member("payload", "approval")},
             (SELECT id FROM approvals WHERE run = event.root AND decided_at = event.at LIMIT 1)) AS approval
    FROM busy CROSS JOIN events AS event ON event.root = busy.run AND event.type = 'approval.decided' AND event.at >= @since
    JOIN payloads AS payload ON payload.hash = event.payload_hash
    WHERE event.n > coalesce((SELECT max(n) FROM events AS forked WHERE forked.root = busy.run AND forked.type = 'run.forked'), 0)
  )
  SELECT row.id AS approval, row.run, row.kind, row.agent, coalesce(handoff.role, 'lead') AS role,
         coalesce(row.summary, '') AS summary, said.n, said.at, coalesce(said.decision, row.decision, '') AS decision,
         coalesce(said.by, '') AS by, coalesce(said.scope, 'once') AS scope, asked.changeset,
         (SELECT new_oid FROM landings WHERE changeset = row.run || '/' || asked.changeset AND status = 'landed'
          ORDER BY rowid DESC LIMIT 1) AS landed,
         count(*) OVER () AS total
  FROM said JOIN approvals AS row ON row.id = said.approval AND row.status = 'decided' AND row.decided_at = said.at
  LEFT JOIN asked ON asked.approval = row.id
  LEFT JOIN handoffs AS handoff ON handoff.run = row.run AND handoff.subagent = row.agent
  ORDER BY said.at DESC, said.n DESC LIMIT @limit`;

/** `since`: epoch ms. Of the decisions at one approval the newest counts. */
export function createDecided(reader: Connection): (since: number, limit: number) => DecidedRows {
  const select = reader.prepare<
    [{ readonly since: number; readonly limit: number }],
    DecidedRow & { readonly total: number }
  >(decided);
  return (since, limit) => {
    const rows = select.all({ since, limit });
    return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
  };
}
