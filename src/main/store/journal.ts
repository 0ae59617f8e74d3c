// Reads the merged journal of a run: rows joined with their payloads, in today's shapes. Reads only.

import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import type { RunEvent } from "../domain/events.ts";
import { StoreError } from "./failure.ts";
import { modernize } from "./modernize.ts";
import type { Connection } from "./openDatabase.ts";
import { readPayload } from "./payloads.ts";

interface EventRow {
  readonly pos: number;
  readonly root: RunId;
  readonly n: number;
  readonly run: RunId;
  readonly agent: AgentId;
  readonly seq: number;
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly command: string | null;
  readonly hash: string;
  readonly payloadHash: string;
  readonly stored: string | null;
  readonly bytes: string | null;
}

const everything = -1;

/** Returns a function that reads events of `root` after ordinal `after`, at most `limit` of them, in ordinal order. It throws `PAYLOAD_MISSING` when the data of an event is gone. */
export function createJournal(
  reader: Connection,
  folder: string,
): (root: RunId, after?: number, limit?: number) => readonly RunEvent[] {
  const select = reader.prepare<[RunId, number, number], EventRow>(
    `SELECT pos, root, n, run, agent, seq, type, version, at, command, events.hash AS hash,
            payload_hash AS payloadHash, payloads.hash AS stored, payloads.bytes AS bytes
     FROM events LEFT JOIN payloads ON payloads.hash = payload_hash WHERE root = ? AND n > ? ORDER BY n LIMIT ?`,
  );
  return (root, after = 0, limit = everything) => select.all(root, after, limit).map((row) => toEvent(row, folder));
}

function toEvent(row: EventRow, folder: string): RunEvent {
  const { stored, bytes, payloadHash, command, ...facts } = row;
  if (stored === null) {
    throw new StoreError({
      code: "PAYLOAD_MISSING",
      message: `The data of event ${row.n} of run ${row.root} is gone. \`coppice doctor\` says more.`,
    });
  }
  const data = modernize(row.type, row.version, readPayload(folder, payloadHash, bytes));
  // Only appends write events, and they take no type or data that `RunEvent` does not know.
  return { ...facts, data, ...(command === null ? {} : { command }) } as unknown as RunEvent;
}
