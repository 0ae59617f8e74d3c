// Finds words in all runs: an index beside the journal, in a file of its own that can be thrown away at any time and is
// built anew from the journal. Takes in what is new when somebody searches, a little at a time, so that a commit never
// waits for it. It never holds what the journal does not.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunId } from "../../shared/contract/ids.ts";
import { searchTextsOf } from "../domain/projections/searchTexts.ts";
import type { RunEvent } from "../domain/events.ts";
import type { FoundText, FoundTexts } from "../engine/ports/store.ts";
import { codeOf } from "./failure.ts";
import type { Connection } from "./openDatabase.ts";
import { openIndex } from "./openDatabase.ts";

/** Changes with what is taken in and how: another number builds anew. */
const formVersion = 1;
/** How long one search may take in what is new, ms. */
const catchUpMs = 50;
const eventsAtATime = 200;

const schema = `
CREATE TABLE seen (run TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT;
CREATE TABLE texts (
  id INTEGER PRIMARY KEY, run TEXT NOT NULL, kind TEXT NOT NULL, agent TEXT NOT NULL,
  n INTEGER NOT NULL, at INTEGER NOT NULL, place TEXT NOT NULL
) STRICT;
CREATE INDEX texts_by_run ON texts (run);
CREATE VIRTUAL TABLE words USING fts5(text, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');
PRAGMA user_version = ${formVersion};
`;

export interface Search {
  find(text: string, limit: number): FoundTexts;
  close(): void;
}

type ReadJournal = (root: RunId, after?: number, limit?: number) => readonly RunEvent[];

interface RunCount {
  readonly run: RunId;
  readonly count: number;
}

/** `reader` and `readJournal` read the journal in `folder`. Opens nothing before somebody searches. */
export function createSearch(folder: string, reader: Connection, readJournal: ReadJournal): Search {
  let index: Index | null = null;
  const runs = reader.prepare<[], RunCount>("SELECT run, count FROM runs WHERE kind = 'root' ORDER BY created_at DESC");

  const attempt = (text: string, limit: number): FoundTexts => {
    index ??= openSound(folder);
    const behindCount = catchUp(index, runs.all(), readJournal);
    return { ...findIn(index.db, text, limit), behindCount };
  };
  return {
    find(text, limit) {
      try {
        return attempt(text, limit);
      } catch (error) {
        if (!isDamaged(error)) throw error;
        // Nothing is lost with it: the journal says all of it again.
        index?.db.close();
        index = null;
        rmSync(join(folder, "search"), { recursive: true, force: true });
        return attempt(text, limit);
      }
    },
    close: () => index?.db.close(),
  };
}

interface Index {
  readonly db: Connection;
  readonly take: (run: RunId, after: number, events: readonly RunEvent[]) => void;
  readonly drop: (run: RunId) => void;
  readonly seen: () => ReadonlyMap<RunId, number>;
}

function openSound(folder: string): Index {
  const place = join(folder, "search");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const db = openIndex(join(place, "index.db"));
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version !== formVersion) {
    db.transaction(() => {
      db.exec("DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS texts; DROP TABLE IF EXISTS seen;");
      db.exec(schema);
    }).immediate();
  }
  return prepareIndex(db);
}

function prepareIndex(db: Connection): Index {
  const seen = db.prepare<[], { readonly run: RunId; readonly n: number }>("SELECT run, n FROM seen");
  const seenOf = db.prepare<[RunId], number>("SELECT n FROM seen WHERE run = ?").pluck();
  const note = db.prepare<[RunId, number]>(
    "INSERT INTO seen (run, n) VALUES (?, ?) ON CONFLICT DO UPDATE SET n = excluded.n",
  );
  const addText = db.prepare<[RunId, string, string, number, number, string]>(
    "INSERT INTO texts (run, kind, agent, n, at, place) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const addWords = db.prepare<[number | bigint, string]>("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const dropWords = db.prepare<[RunId]>("DELETE FROM words WHERE rowid IN (SELECT id FROM texts WHERE run = ?)");
  const dropTexts = db.prepare<[RunId]>("DELETE FROM texts WHERE run = ?");
  const dropSeen = db.prepare<[RunId]>("DELETE FROM seen WHERE run = ?");
  const take = db.transaction((run: RunId, after: number, events: readonly RunEvent[]) => {
    // Another process may have taken these in meanwhile.
    if ((seenOf.get(run) ?? 0) !== after) return;
    for (const event of events) {
      for (const { kind, where, text } of searchTextsOf(event)) {
        const { lastInsertRowid } = addText.run(run, kind, event.agent, event.n, event.at, where);
        addWords.run(lastInsertRowid, text);
      }
    }
    note.run(run, events.at(-1)?.n ?? after);
  });
  const drop = db.transaction((run: RunId) => {
    dropWords.run(run);
    dropTexts.run(run);
    dropSeen.run(run);
  });
  return {
    db,
    take: (run, after, events) => take.immediate(run, after, events),
    drop: (run) => drop.immediate(run),
    seen: () => new Map(seen.all().map(({ run, n }) => [run, n])),
  };
}

/** Takes in what is new, newest runs first, as far as it gets. Answers with how many events are left. */
function catchUp(index: Index, runs: readonly RunCount[], readJournal: ReadJournal): number {
  const end = performance.now() + catchUpMs;
  const seen = index.seen();
  const known = new Set(runs.map(({ run }) => run));
  for (const run of seen.keys()) if (!known.has(run)) index.drop(run);
  let behindCount = 0;
  for (const { run, count } of runs) {
    let n = seen.get(run) ?? 0;
    while (n < count && performance.now() < end) {
      const events = readJournal(run, n, eventsAtATime);
      index.take(run, n, events);
      n = events.at(-1)?.n ?? count;
    }
    behindCount += Math.max(0, count - n);
  }
  return behindCount;
}

interface FoundRow extends Omit<FoundText, "where"> {
  readonly place: string;
}

function findIn(db: Connection, text: string, limit: number): Pick<FoundTexts, "texts" | "isCut"> {
  const query = queryOf(text);
  if (query === "") return { texts: [], isCut: false };
  const rows = db
    .prepare<[string, number], FoundRow>(
      `SELECT texts.run, texts.kind, texts.agent, texts.n, texts.at, texts.place,
              snippet(words, 0, char(2), char(3), '…', 14) AS excerpt
       FROM words JOIN texts ON texts.id = words.rowid
       WHERE words MATCH ? ORDER BY texts.kind <> 'title', bm25(words), texts.at DESC LIMIT ?`,
    )
    .all(query, limit + 1);
  return {
    texts: rows.slice(0, limit).map(({ place, ...row }) => ({ ...row, where: place })),
    isCut: rows.length > limit,
  };
}

/** Every word, in any order, each as the beginning of one. What FTS5 would read as an operator is a word like any other. */
function queryOf(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word.replaceAll('"', '""')}"*`)
    .join(" ");
}

function isDamaged(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB";
}
