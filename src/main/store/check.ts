// What `coppice doctor` proves about the journal, one result an invariant. Reads only, through a connection of its own;
// repairs nothing. The numbers are those of the list of invariants in the documentation.

import { findBreaks, findGaps, memberOf } from "./chainCheck.ts";
import { findLostEnd } from "./ackMark.ts";
import { checkRows } from "./checkRows.ts";
import type { ExpectedRows } from "./checkRows.ts";
import { toFailure } from "./failure.ts";
import { openReader } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";
import { readPayload } from "./payloads.ts";

export interface CheckResult {
  /** `I1`, `I2`, … */
  readonly id: string;
  /** The invariant, as a sentence. */
  readonly title: string;
  readonly ok: boolean;
  /** One sentence for each violation: where, and what was found. At most 20, then a count of the rest. */
  readonly details: readonly string[];
}

export interface CheckOptions {
  readonly folder: string;
  /** Folds a merged journal into the rows it must have led to. Without it I16 is left out. */
  readonly expectedRows?: ExpectedRows;
  /** Called once each invariant has been looked for. */
  readonly onRule?: () => void;
}

const shownDetails = 20;

/** One invariant, looked for. At most 20 details are kept. */
export function runCheck(id: string, title: string, find: () => readonly string[], onRule?: () => void): CheckResult {
  let found: readonly string[];
  try {
    found = find();
  } catch (error) {
    // What cannot be read is a violation too: a damaged page, a payload that is gone.
    found = [toFailure(error).message];
  }
  onRule?.();
  const rest = found.length - shownDetails;
  const details = rest > 0 ? [...found.slice(0, shownDetails), `${rest} more`] : found;
  return { id, title, ok: found.length === 0, details };
}

function findEpochsGoingBack(db: Connection): readonly string[] {
  const falls = db.prepare<[], { run: string; seq: number; epoch: number; before: number }>(
    `SELECT run, seq, epoch, before FROM (SELECT run, seq, epoch, lag(epoch) OVER (PARTITION BY run ORDER BY seq) AS before FROM events)
     WHERE epoch < before`,
  );
  const behind = db.prepare<[], { run: string; epoch: number; last: number }>(
    "SELECT leases.run, leases.epoch, max(events.epoch) AS last FROM leases JOIN events ON events.run = leases.run GROUP BY leases.run HAVING last > leases.epoch",
  );
  return [
    ...falls
      .all()
      .map((each) => `Event ${each.seq} of stream ${each.run} has epoch ${each.epoch} after ${each.before}`),
    ...behind
      .all()
      .map((each) => `The lease of run ${each.run} is at epoch ${each.epoch}, behind an event of epoch ${each.last}`),
  ];
}

interface EffectEvent {
  readonly root: string;
  readonly run: string;
  readonly n: number;
  readonly type: string;
  readonly hash: string;
  readonly bytes: string | null;
}

function findEffectFaults(db: Connection, folder: string): readonly string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const events = db.prepare<[], EffectEvent>(
    `SELECT root, run, n, type, payload_hash AS hash, bytes FROM events JOIN payloads ON payloads.hash = payload_hash
     WHERE type IN ('tool.dispatched', 'tool.settled') ORDER BY root, n`,
  );
  for (const event of events.iterate()) {
    const call = String(memberOf(readPayload(folder, event.hash, event.bytes), "call"));
    const place = (type: string): string => `${type} ${event.run} ${call}`;
    const where = `Call ${call} of run ${event.root}, event ${event.n},`;
    if (seen.has(place(event.type))) found.push(`${where} is a second ${event.type}`);
    if (event.type === "tool.settled" && !seen.has(place("tool.dispatched")))
      found.push(`${where} settles what was never dispatched`);
    seen.add(place(event.type));
  }
  return found;
}

/** A run that has stopped is held by nobody and has nothing under way. */
function findLeftovers(db: Connection): readonly string[] {
  const held = db.prepare<[], { run: string; owner: string }>(
    `SELECT leases.run, leases.owner FROM leases JOIN runs ON runs.run = leases.run JOIN runs AS root ON root.run = runs.root
     JOIN boots ON boots.boot = leases.owner WHERE root.status = 'stopped' AND boots.ended_at IS NOT NULL`,
  );
  const open = db.prepare<[], { run: string; call: string }>(
    `SELECT effects.run, effects.call FROM effects JOIN runs ON runs.run = effects.run
     WHERE runs.status = 'stopped' AND runs.imported_at IS NULL AND effects.status = 'dispatched'`,
  );
  return [
    ...held
      .all()
      .map(({ run, owner }) => `Run ${run} has stopped and its lease is still that of ${owner}, which has ended`),
    ...open.all().map(({ run, call }) => `Run ${run} has stopped and its call ${call} was never settled`),
  ];
}

/** What SQLite finds wrong with the file itself, also where no event and no row of a run stands. */
function findDamage(db: Connection): readonly string[] {
  const answers = db.prepare<[], string>(`PRAGMA integrity_check(${shownDetails})`).pluck().all();
  return answers.filter((answer) => answer !== "ok").map((answer) => `The file is damaged: ${answer}`);
}

/** Checks the journal in `folder`. Throws `StoreError` when it cannot be opened at all. Takes time in proportion to the file. */
export function checkStore({ folder, expectedRows, onRule }: CheckOptions): readonly CheckResult[] {
  const db = openReader(folder);
  const prove = (id: string, title: string, find: () => readonly string[]) => runCheck(id, title, find, onRule);
  try {
    const results = [
      prove("I1", "Events are numbered without gaps", () => findGaps(db)),
      prove("I2", "The hash chain holds and ends at the noted heads", () => findBreaks(db, folder)),
      prove("I3", "Lease epochs never go back", () => findEpochsGoingBack(db)),
      prove("I5", "Each effect is dispatched and settled at most once, in this order", () =>
        findEffectFaults(db, folder),
      ),
    ];
    const ends = [
      prove("I19", "A run that has stopped is held by nobody and has nothing under way", () => findLeftovers(db)),
      prove("I20", "What was acknowledged is there", () => [...findLostEnd(db, folder), ...findDamage(db)]),
    ];
    if (!expectedRows) return [...results, ...ends];
    return [
      ...results,
      prove("I16", "The rows are what the events say", () => checkRows(db, folder, expectedRows)),
      ...ends,
    ];
  } finally {
    db.close();
  }
}
