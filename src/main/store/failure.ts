// Turns what goes wrong in the store into a code and a sentence. Never guesses: what SQLite and the system did not
// name stays `STORE_UNAVAILABLE`, because going on without the journal is worse than stopping.

import type { Failure } from "../../shared/lib/result.ts";

/** An error of the store with the code that people and programs go by. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: string;
  readonly retryable: boolean;
  readonly details: unknown;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.code = failure.code;
    this.retryable = failure.retryable ?? false;
    this.details = failure.details;
  }
}

const diskSentence = "The system could not read or write the journal. Check the disk.";

/** Words for the result codes that a person can do something about, by the start of SQLite's own name. */
const sentences: readonly (readonly [prefix: string, code: string, sentence: string])[] = [
  [
    "SQLITE_FULL",
    "STORE_UNAVAILABLE",
    "The disk is full: nothing more can be written to the journal. Free some space and resume.",
  ],
  [
    "SQLITE_BUSY",
    "STORE_UNAVAILABLE",
    "Another process has held the journal's write lock for 5 s. Close it or try again.",
  ],
  ["SQLITE_READONLY", "STORE_UNAVAILABLE", "The journal cannot be written. Check the permissions of the data folder."],
  ["SQLITE_IOERR", "STORE_UNAVAILABLE", diskSentence],
  ["SQLITE_CANTOPEN", "STORE_UNAVAILABLE", "The journal cannot be opened. Check the permissions of the data folder."],
  [
    "SQLITE_CORRUPT",
    "STORE_CORRUPT",
    "The journal is damaged. Nothing was changed: coppice backup --restore puts the newest backup in its place and keeps what is there.",
  ],
  [
    "SQLITE_NOTADB",
    "STORE_CORRUPT",
    "The file is not a journal. Nothing was changed: move it away, or restore a backup with coppice backup --restore.",
  ],
  ["SQLITE_CONSTRAINT", "INVALID_APPEND", "A row of the request breaks a rule of its table."],
];

/** The error code that a library or the system put on an error, else an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** True for a refusal that concerns one request only: everything else in its group may still be committed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof StoreError
    ? error.code !== "STORE_UNAVAILABLE"
    : codeOf(error).startsWith("SQLITE_CONSTRAINT") || error instanceof TypeError;
}

/** What the system could not read says nothing of what is there: it may be whole. `words`: the system's. */
export function unreadFailure(words: string): Failure {
  return { code: "STORE_UNAVAILABLE", message: `${diskSentence} (${words})` };
}

/** Whether an error says that the store could not be read just now, and nothing of what is in it. One that nobody foresaw is none of these. */
export function isUnavailable(error: unknown): boolean {
  return codeOf(error) !== "" && toFailure(error).code === "STORE_UNAVAILABLE";
}

/** Whether a check of the file found no damage, but a page that it could not read: SQLite tells that among the damages, with its own error, whose low byte is then `SQLITE_IOERR` (https://sqlite.org/rescode.html). */
export function isUnread(found: string): boolean {
  const code = /error code=(\d+)/.exec(found)?.[1];
  return code !== undefined && (Number(code) & 0xff) === 10;
}

/** Any error as data. An error of the system (`ENOSPC`, `EACCES`, …) and one that nobody foresaw are `STORE_UNAVAILABLE`. */
export function toFailure(error: unknown): Failure {
  if (error instanceof StoreError) {
    const { code, message, retryable, details } = error;
    return { code, message, retryable, ...(details === undefined ? {} : { details }) };
  }
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof TypeError)
    return { code: "INVALID_APPEND", message: `The store cannot hold this value: ${reason}` };
  const name = codeOf(error);
  if ((name === "SQLITE_CONSTRAINT_CHECK" || name === "SQLITE_CONSTRAINT_TRIGGER") && reason.includes("reserved")) {
    return { code: "BUDGET_GUARD", message: `The reservation does not fit the budget: ${reason}` };
  }
  for (const [prefix, code, sentence] of sentences) {
    if (name.startsWith(prefix))
      return { code, message: `${sentence} (${reason})`, retryable: prefix === "SQLITE_BUSY" };
  }
  return { code: "STORE_UNAVAILABLE", message: `The store failed: ${reason}` };
}
