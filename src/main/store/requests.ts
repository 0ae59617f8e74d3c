// Requests from processes that do not drive a run: put without a lease, then taken or withdrawn, exactly one of the two.
// Taking happens in the transaction of the events that answer it, so `take` only ever runs inside an append.

import type { RunId } from "../../shared/contract/ids.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { ForeignRequest, ForeignRequestState } from "../engine/ports/store.ts";
import { StoreError } from "./failure.ts";
import type { Connection } from "./openDatabase.ts";

export interface Requests {
  put(run: RunId, kind: string, body: Json): number;
  withdraw(id: number): boolean;
  find(id: number): ForeignRequestState;
  open(run: RunId): readonly ForeignRequest[];
}

interface RequestRow {
  readonly id: number;
  readonly run: RunId;
  readonly kind: string;
  readonly body: string;
  readonly createdAt: number;
}

interface StateRow {
  readonly state: "open" | "taken" | "withdrawn";
  readonly answer: string | null;
}

/** `reader` may lag behind nothing: it sees each commit of `writer` at its next query. */
export function createRequests(writer: Connection, reader: Connection): Requests {
  const insert = writer.prepare<[RunId, string, string, number]>(
    "INSERT INTO requests (run, kind, body, created_at) VALUES (?, ?, ?, ?)",
  );
  const findRun = writer.prepare<[RunId], number>("SELECT 1 FROM runs WHERE run = ?").pluck();
  const withdraw = writer.prepare<[number, number]>(
    "UPDATE requests SET state = 'withdrawn', decided_at = ? WHERE id = ? AND state = 'open'",
  );
  const find = reader.prepare<[number], StateRow>("SELECT state, answer FROM requests WHERE id = ?");
  const open = reader.prepare<[RunId], RequestRow>(
    "SELECT id, run, kind, body, created_at AS createdAt FROM requests WHERE run = ? AND state = 'open' ORDER BY id",
  );
  const put = writer.transaction((run: RunId, kind: string, body: Json) => {
    if (findRun.get(run) === undefined)
      throw new StoreError({ code: "RUN_NOT_FOUND", message: `There is no run ${run}. \`coppice runs\` lists them.` });
    return Number(insert.run(run, kind, canonicalJson(body), Date.now()).lastInsertRowid);
  });
  const giveUp = writer.transaction((id: number) => withdraw.run(Date.now(), id).changes === 1);
  return {
    put: (run, kind, body) => put.immediate(run, kind, body),
    withdraw: (id) => giveUp.immediate(id),
    find(id) {
      const row = find.get(id);
      if (!row) throw new StoreError({ code: "REQUEST_NOT_FOUND", message: `There is no request ${id}.` });
      return row.state === "taken"
        ? { state: row.state, answer: JSON.parse(row.answer ?? "null") as Json }
        : { state: row.state };
    },
    open: (run) => open.all(run).map((row) => ({ ...row, body: JSON.parse(row.body) as Json })),
  };
}

/** Returns a function that takes an open request of `root` or its children in the current transaction. It throws `REQUEST_WITHDRAWN` for one that is not open any more. */
export function createTaker(db: Connection): (root: RunId, request: number, answer: Json) => void {
  const take = db.prepare<[string, number, number, RunId]>(
    "UPDATE requests SET state = 'taken', answer = ?, decided_at = ? WHERE id = ? AND state = 'open' AND run IN (SELECT run FROM runs WHERE root = ?)",
  );
  return (root, request, answer) => {
    if (take.run(canonicalJson(answer), Date.now(), request, root).changes === 1) return;
    throw new StoreError({
      code: "REQUEST_WITHDRAWN",
      message: `Request ${request} to run ${root} is no longer open: it was withdrawn or answered. Nothing was written.`,
    });
  };
}
