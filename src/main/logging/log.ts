// What happened that a person may want to look up later, one JSON line each: refusals, crashes of a page, what could not
// be done. Never holds a key, a token, or anything that an agent or a repository says.

import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

import { destination, pino } from "pino";

/** Numbers, names and addresses without query; never contents. */
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  /** `event` is past tense, such as `request.refused`. */
  note(event: string, facts?: LogFacts): void;
  close(): void;
}

/** A file that has grown larger is set aside when it is opened, in place of the one set aside before. */
const maxFileBytes = 2 * 1024 * 1024;

/** A page that does nothing but fail must not fill a disk: so many lines of one event a minute, then their number. */
const maxPerMinute = 60;
const minuteMs = 60_000;

/** Opens `logs/coppice.log` in the data folder. Throws where it cannot be written. */
export function openLog(home: string, now: () => number = Date.now): Log {
  const folder = join(home, "logs");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "coppice.log");
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxFileBytes) renameSync(file, `${file}.1`);
  const lines = destination({ dest: file, sync: true, mode: 0o600 });
  const logger = pino({ base: { pid: process.pid } }, lines);
  const isDue = createLimit(now, (event, skippedCount) => logger.info({ event, skippedCount }));
  return {
    note(event, facts = {}) {
      if (isDue(event)) logger.info({ event, ...facts });
    },
    close: () => lines.end(),
  };
}

/** A log that keeps nothing. */
export const noLog: Log = { note: () => {}, close: () => {} };

function createLimit(now: () => number, onSkipped: (event: string, count: number) => void) {
  const seen = new Map<string, { since: number; count: number }>();
  return (event: string): boolean => {
    const known = seen.get(event);
    if (known === undefined || now() - known.since >= minuteMs) {
      if (known !== undefined && known.count > maxPerMinute) onSkipped(event, known.count - maxPerMinute);
      seen.set(event, { since: now(), count: 1 });
      return true;
    }
    known.count += 1;
    return known.count <= maxPerMinute;
  };
}
