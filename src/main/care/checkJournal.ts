// What `coppice doctor` proves about the journal: the store's own invariants, those of each run's events, and that no
// payload holds a secret. Reads only, through a connection of its own; each invariant is one result, in order.

import type { RunId } from "../../shared/contract/ids.ts";
import { builtInRoles } from "../agents/roles.ts";
import type { InvariantId } from "../domain/invariants/fault.ts";
import { findFaults, invariantTitles } from "../domain/invariants/faults.ts";
import { rowChangesOf } from "../domain/projections/tables.ts";
import type { RunEvent } from "../domain/events.ts";
import { archivedPayloads } from "../store/archive.ts";
import { type CheckResult, checkStore, runCheck } from "../store/check.ts";
import { createJournal } from "../store/journal.ts";
import { type Connection, openReader } from "../store/openDatabase.ts";
import { erasedText } from "./secrets.ts";

/** I1 to I20. */
export const ruleCount = 20;

/** All that the journal in `folder` can be proved by, I1 to I20 but I17, which needs another process; `onRule` is called after each. Throws `StoreError` when it cannot be opened at all. Takes time in proportion to the file. */
export function checkJournal(folder: string, onRule?: () => void): readonly CheckResult[] {
  const db = openReader(folder);
  try {
    const results = [
      ...checkStore({ folder, expectedRows: rowChangesOf, ...(onRule === undefined ? {} : { onRule }) }),
      ...checkRuns(db, folder, onRule),
      runCheck("I18", "No payload holds a secret in clear", () => findSecrets(db, folder), onRule),
    ];
    return results.toSorted((left, right) => numberOf(left) - numberOf(right));
  } finally {
    db.close();
  }
}

/** In the order of their numbers: I2 before I10. */
export function numberOf({ id }: CheckResult): number {
  return Number(id.slice(1));
}

/** The runs of the file, oldest first. */
export function rootsOf(db: Connection): readonly RunId[] {
  return db.prepare<[], RunId>("SELECT run FROM runs WHERE kind = 'root' ORDER BY rowid").pluck().all();
}

/** The invariants of runs, from one walk through each journal. A journal that cannot be read fails the first. */
function checkRuns(db: Connection, folder: string, onRule?: () => void): readonly CheckResult[] {
  const read = createJournal(db, folder);
  const found = new Map<InvariantId, string[]>();
  const note = (id: InvariantId, sentence: string) => void found.set(id, [...(found.get(id) ?? []), sentence]);
  for (const root of rootsOf(db)) {
    let journal: readonly RunEvent[];
    try {
      journal = read(root);
    } catch (error) {
      note("I4", `Run ${root} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    for (const { id, sentence } of findFaults(journal, builtInRoles)) note(id, `Run ${root}: ${sentence}`);
  }
  return (Object.keys(invariantTitles) as InvariantId[]).map((id) =>
    runCheck(id, invariantTitles[id], () => found.get(id) ?? [], onRule),
  );
}

function findSecrets(db: Connection, folder: string): readonly string[] {
  return rootsOf(db).flatMap((root) => {
    const ordinals = secretsOf(db, folder, root).flatMap(({ events }) => events);
    return ordinals.map((n) => `Event ${n} of run ${root} holds a secret in clear`);
  });
}

/** A payload that holds a secret. */
export interface HeldSecret {
  readonly hash: string;
  /** What may stand in its place. */
  readonly text: string;
  /** Ordinals of the events whose data it is. */
  readonly events: readonly number[];
}

/** The payloads of a run that hold a secret. What is gone holds none, and what is no JSON any more is damaged: both are for I2 to say. */
export function secretsOf(db: Connection, folder: string, root: RunId): readonly HeldSecret[] {
  const where = db
    .prepare<[RunId, string], number>("SELECT n FROM events WHERE root = ? AND payload_hash = ? ORDER BY n")
    .pluck();
  const found: HeldSecret[] = [];
  for (const { hash, text } of archivedPayloads(db, folder, root, true)) {
    const erased = findErased(text);
    if (erased !== null) found.push({ hash, text: erased, events: where.all(root, hash) });
  }
  return found;
}

function findErased(text: string): string | null {
  try {
    return erasedText(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
