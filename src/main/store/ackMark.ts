// Notes beside the journal which event was acknowledged last: not in the database, so that a journal that has lost its
// end can be told from one that never had more. It is a lower bound, and not waited for.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

import type { RunEvent } from "../domain/events.ts";
import { codeOf } from "./failure.ts";
import type { Connection } from "./openDatabase.ts";

interface Mark {
  readonly pos: number;
  readonly root: string;
  readonly hash: string;
}

/** Longer than any mark: a shorter one never leaves the end of a longer one behind. */
const markBytes = 256;

export const markName = "journal.mark";

/** Where the mark of the journal in `folder` lies. */
export function markPath(folder: string): string {
  return join(folder, markName);
}

export interface AckMark {
  note(event: RunEvent): void;
  close(): void;
}

/** Throws the system's error when the file cannot be made. */
export function openMark(folder: string): AckMark {
  const handle = openSync(markPath(folder), "a+", 0o600);
  closeSync(handle);
  const place = openSync(markPath(folder), "r+");
  return {
    note({ pos, root, hash }) {
      writeSync(place, JSON.stringify({ pos, root, hash } satisfies Mark).padEnd(markBytes), 0);
    },
    close: () => closeSync(place),
  };
}

/** One sentence when the event that was acknowledged last is not in the journal, and its run was not deleted. */
export function findLostEnd(db: Connection, folder: string): readonly string[] {
  const mark = readMark(folder);
  if (mark === null) return [];
  const event = db.prepare<[number], string>("SELECT hash FROM events WHERE pos = ?").pluck().get(mark.pos);
  if (event === mark.hash) return [];
  const isDeleted = db.prepare<[string], number>("SELECT 1 FROM tombstones WHERE root = ?").pluck().get(mark.root);
  if (event === undefined && isDeleted !== undefined) return [];
  return [`The event at place ${mark.pos}, of run ${mark.root}, was acknowledged and is not in the journal`];
}

/** `null`: nothing was acknowledged yet, or the mark itself is unreadable and proves nothing. */
function readMark(folder: string): Mark | null {
  try {
    const text = readFileSync(markPath(folder), "utf8").trim();
    return text === "" ? null : (JSON.parse(text) as Mark);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}
