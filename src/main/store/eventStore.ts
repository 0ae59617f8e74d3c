// Appends to the journal: fences, events, heads, rows and taken requests of one request, all or nothing. A group of
// requests shares one transaction; each has its own savepoint, so that a stale one rejects only itself.

import type { BootId, RunId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RunEvent } from "../domain/events.ts";
import type { AppendRequest, AppendResult, NewEvent } from "../engine/ports/store.ts";
import { isRefusal, StoreError, toFailure } from "./failure.ts";
import { eventHash } from "./hashChain.ts";
import type { ChainedEvent } from "./hashChain.ts";
import type { Connection } from "./openDatabase.ts";
import type { Payload, Payloads } from "./payloads.ts";
import { createTaker } from "./requests.ts";
import { createRowWriter } from "./rowChanges.ts";
import { createStreams } from "./streams.ts";
import type { Stream } from "./streams.ts";

export interface EventStore {
  /** Answers each request in its place, after the commit. Never throws: when the group as a whole cannot be stored, every answer is `STORE_UNAVAILABLE`. */
  commitGroup(requests: readonly AppendRequest[]): readonly AppendResult[];
}

interface Prepared {
  readonly request: AppendRequest;
  readonly payloads: readonly Payload[];
}

/** What a request is checked for and turned into before any lock is held. */
function prepare(request: AppendRequest, boot: BootId, payloads: Payloads): Prepared {
  if (request.boot !== boot) {
    throw new StoreError({
      code: "STALE_LEASE",
      message: `Boot ${request.boot} did not open this store. Nothing was written to run ${request.root}.`,
    });
  }
  return { request, payloads: request.events.map((event) => payloads.prepare(event.data)) };
}

function createEventWriter(db: Connection) {
  const insert = db.prepare<[ChainedEvent & { readonly hash: string }]>(
    `INSERT INTO events (root, n, run, agent, seq, type, version, at, epoch, key, command, payload_hash, prev_hash, hash)
     VALUES (@root, @n, @run, @agent, @seq, @type, @version, @at, @epoch, @key, @command, @payload_hash, @prev_hash, @hash)`,
  );
  /** Writes one event at the head of its stream and moves the head. */
  return (event: NewEvent, root: RunId, n: number, stream: Stream, payload: Payload): RunEvent => {
    const { run, agent, type, version, at, command } = event;
    const place = { run, seq: stream.seq + 1, n, root, epoch: stream.epoch, prev_hash: stream.hash };
    const chained = {
      ...place,
      agent,
      type,
      version,
      at,
      key: event.key ?? null,
      command: command ?? null,
      payload_hash: payload.hash,
    };
    const hash = eventHash(chained);
    const pos = Number(insert.run({ ...chained, hash }).lastInsertRowid);
    stream.seq = place.seq;
    stream.hash = hash;
    // What is acknowledged is what a reader of the disk would see, not the object that was handed in.
    const data = JSON.parse(payload.text) as Json;
    const facts = { n, pos, run, root, agent, seq: place.seq, at, type, version, hash, data };
    return { ...facts, ...(command === undefined ? {} : { command }) } as unknown as RunEvent;
  };
}

/** Returns a function that stores one prepared request in the current transaction. It throws `StoreError` or SQLite's error; the caller rolls back. */
function createAppend(db: Connection, payloads: Payloads): (prepared: Prepared) => readonly RunEvent[] {
  const streams = createStreams(db);
  const writeEvent = createEventWriter(db);
  const writeRow = createRowWriter(db);
  const take = createTaker(db);
  return ({ request, payloads: prepared }) => {
    const { root, events } = request;
    const open = streams.open(request);
    let n = streams.countOf(root);
    const written: RunEvent[] = [];
    for (const [index, event] of events.entries()) {
      const [stream, payload] = [open.get(event.run), prepared[index]];
      if (!stream || !payload)
        throw new StoreError({
          code: "INVALID_APPEND",
          message: `Event ${event.type} is for run ${event.run}, which the request neither fences nor starts.`,
        });
      if (stream.seq === 0 && event.run !== root) stream.hash = streams.handoffOf(event.run, written);
      payloads.insert(payload);
      n += 1;
      written.push(writeEvent(event, root, n, stream, payload));
    }
    streams.saveHeads(root, open.values(), n);
    for (const change of request.rows) writeRow(change);
    for (const { payload, text } of request.erases ?? []) payloads.erase(payload, text);
    for (const each of request.takes ?? []) take(root, each.request, each.answer);
    return written;
  };
}

/** `boot` is the boot that owns the leases of this process. `acknowledge` is told the last event of each group that is on disk. */
export function createEventStore(
  db: Connection,
  boot: BootId,
  payloads: Payloads,
  acknowledge: (event: RunEvent) => void = () => undefined,
): EventStore {
  const append = createAppend(db, payloads);

  const prepareSafely = (request: AppendRequest): Result<Prepared> => {
    try {
      return succeed(prepare(request, boot, payloads));
    } catch (error) {
      return fail(toFailure(error));
    }
  };
  /** One request between savepoints. Throws only when the transaction itself is lost or cannot go on. */
  const appendAlone = (prepared: Result<Prepared>): AppendResult => {
    if (!prepared.ok) return prepared;
    db.exec("SAVEPOINT request");
    try {
      const events = append(prepared.value);
      db.exec("RELEASE request");
      return succeed(events);
    } catch (error) {
      if (!db.inTransaction || !isRefusal(error)) throw error;
      db.exec("ROLLBACK TO request");
      db.exec("RELEASE request");
      return fail(toFailure(error));
    }
  };
  const commit = db.transaction((group: readonly Result<Prepared>[]) => group.map(appendAlone));

  return {
    commitGroup(requests) {
      const group = requests.map(prepareSafely);
      try {
        const results = commit.immediate(group);
        const last = results.findLast((result) => result.ok && result.value.length > 0);
        const event = last?.ok === true ? last.value.at(-1) : undefined;
        if (event) acknowledge(event);
        return results;
      } catch (error) {
        // A damaged file is as good as none to a writer: one code tells the engine to stop.
        const failure = fail({ ...toFailure(error), code: "STORE_UNAVAILABLE" });
        return group.map((prepared) => (prepared.ok ? failure : prepared));
      }
    },
  };
}
