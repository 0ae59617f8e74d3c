// A run as it is carried from one store to another: its events and payloads as they are on disk, with their hashes.
// Reading one out changes nothing; bringing one in proves it first, in the transaction that stores it.

import { agentOfStream } from "../domain/state.ts";
import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { ArchivedEvent, ArchivedPayload, ArchivedRun } from "../engine/ports/store.ts";
import { rowChangesOf } from "../domain/projections/tables.ts";
import { verifyRun } from "./chainCheck.ts";
import { isRefusal, StoreError, toFailure } from "./failure.ts";
import { createJournal } from "./journal.ts";
import type { Connection } from "./openDatabase.ts";
import { createPayloads, findText, readText } from "./payloads.ts";
import { createRowWriter } from "./rowChanges.ts";

const columns =
  "root, n, run, agent, seq, type, version, at, epoch, key, command, payload_hash, prev_hash, hash" as const;

interface StoredPayload {
  readonly hash: string;
  readonly bytes: string | null;
  readonly erasedAt: number | null;
}

/** The events of a run in ordinal order, as they are on disk. */
export function archivedEvents(reader: Connection, root: RunId): IterableIterator<ArchivedEvent> {
  return reader
    .prepare<[RunId], ArchivedEvent>(`SELECT ${columns} FROM events WHERE root = ? ORDER BY n`)
    .iterate(root);
}

/** How many events a run has, and how many payloads they name. */
export function archivedCounts(
  reader: Connection,
  root: RunId,
): { readonly events: number; readonly payloads: number } {
  const counts = reader.prepare<[RunId], { events: number; payloads: number }>(
    "SELECT count(*) AS events, count(DISTINCT payload_hash) AS payloads FROM events WHERE root = ?",
  );
  return counts.get(root) ?? { events: 0, payloads: 0 };
}

/** The payloads that its events name, each once. Throws `PAYLOAD_MISSING`; with `mayLack` one that is gone is left out. */
export function* archivedPayloads(
  reader: Connection,
  folder: string,
  root: RunId,
  mayLack = false,
): Generator<ArchivedPayload> {
  const payloads = reader.prepare<[RunId], StoredPayload>(
    `SELECT hash, bytes, erased_at AS erasedAt FROM payloads
     WHERE hash IN (SELECT payload_hash FROM events WHERE root = ?) ORDER BY hash`,
  );
  for (const { hash, bytes, erasedAt } of payloads.iterate(root)) {
    const text = mayLack ? findText(folder, hash, bytes) : readText(folder, hash, bytes);
    if (text !== null) yield { hash, text, isErased: erasedAt !== null };
  }
}

/** More events are proved and stored in a time for which whoever drives a run could neither write nor renew its lease. */
const mostBesideWork = 5_000;

/** Returns a function that brings a run in. Codes `ARCHIVE_DAMAGED` (with what is wrong), `RUN_EXISTS`, `STORE_TOO_NEW`, and `NOT_ALLOWED_NOW` for a large one while a run is driven (`findDriven`); nothing is stored then. The same run brought in again is no mistake. */
export function createImporter(
  db: Connection,
  folder: string,
  findDriven: () => RunId | null,
): (run: ArchivedRun) => Result<RunId> {
  const headOf = db.prepare<[RunId], string>("SELECT head_hash FROM runs WHERE run = ? AND kind = 'root'").pluck();
  const store = createWriter(db, folder);
  const bring = db.transaction((run: ArchivedRun): RunId => {
    store(run);
    const problems = verifyRun(db, folder, run.root);
    const [first] = problems;
    if (first !== undefined)
      throw damaged(`${first}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""}`);
    return run.root;
  });
  return (run) => {
    const standing = headOf.get(run.root);
    if (standing !== undefined) {
      const isSame = run.events.some((event) => event.run === run.root && event.hash === standing);
      return isSame && run.events.findLast((event) => event.run === run.root)?.hash === standing
        ? succeed(run.root)
        : fail({
            code: "RUN_EXISTS",
            message: `Another state of run ${run.root} is here already. Delete it first, or import into another data folder (COPPICE_HOME).`,
          });
    }
    const driven = run.events.length > mostBesideWork ? findDriven() : null;
    if (driven !== null)
      return fail({
        code: "NOT_ALLOWED_NOW",
        message: `${run.root} has ${run.events.length} events, and taking them in would keep ${driven} from its journal for too long. Import it once no run is driven.`,
        retryable: true,
      });
    try {
      return succeed(bring.immediate(run));
    } catch (error) {
      if (error instanceof StoreError || isRefusal(error)) return fail(toArchiveFailure(error));
      throw error;
    }
  };
}

function damaged(what: string): StoreError {
  return new StoreError({ code: "ARCHIVE_DAMAGED", message: `The archive is damaged: ${what}. Nothing was imported.` });
}

/** What a table refuses is a fault of the archive, not of the store. */
function toArchiveFailure(error: unknown) {
  const failure = toFailure(error);
  return failure.code === "INVALID_APPEND" || failure.code === "PAYLOAD_MISSING"
    ? toFailure(damaged(failure.message))
    : failure;
}

/** Returns a function that writes a whole run, unproved, in the current transaction. */
function createWriter(db: Connection, folder: string): (run: ArchivedRun) => void {
  const payloads = createPayloads(db, folder);
  const writeRow = createRowWriter(db);
  const read = createJournal(db, folder);
  const insertRun = db.prepare<[RunId, RunId, AgentId, string, number, string, number, number]>(
    `INSERT INTO runs (run, root, agent, kind, head_seq, head_hash, count, imported_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertEvent = db.prepare<[ArchivedEvent]>(
    `INSERT INTO events (${columns}) VALUES (${columns.replaceAll(/\w+/g, "@$&")})`,
  );
  const unbury = db.prepare<[RunId]>("DELETE FROM tombstones WHERE root = ?");
  return ({ root, events, payloads: carried }) => {
    // It was deleted here once: what comes back is proved to be a whole journal, and can be deleted again.
    unbury.run(root);
    const at = Date.now();
    const heads = new Map<RunId, ArchivedEvent>();
    for (const event of events) heads.set(event.run, event);
    if (!heads.has(root)) throw damaged(`it has no events of ${root}`);
    for (const [run, head] of heads) {
      const agent = agentOfStream(root, run);
      if (agent === null || head.root !== root) throw damaged(`it holds a stream ${run} that is none of ${root}`);
      insertRun.run(
        run,
        root,
        agent,
        run === root ? "root" : "child",
        head.seq,
        head.hash,
        run === root ? events.length : 0,
        at,
      );
    }
    for (const payload of carried) payloads.bringIn(payload, at);
    for (const event of events) {
      if (event.agent !== agentOfStream(root, event.run))
        throw damaged(`event ${event.n} is in the stream of another agent`);
      insertEvent.run(event);
    }
    for (const change of rowsOf(() => rowChangesOf(read(root)))) writeRow(change);
  };
}

/** Events that no run can consist of do not fold. */
function rowsOf<T>(fold: () => T): T {
  try {
    return fold();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw damaged(
      `its events do not follow from each other (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}
