// What every run of a store folds to, as a hash: equal hashes, equal states.

import type { RunId } from "../../shared/contract/ids.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import { fold } from "../domain/evolve.ts";
import { snapshotOf } from "../domain/projections/snapshot.ts";
import { sha256 } from "../store/hashChain.ts";
import { createJournal } from "../store/journal.ts";
import type { Connection } from "../store/openDatabase.ts";

/** Hash of the state and of the snapshot that each run's journal leads to. A run whose journal cannot be read has an empty one. */
export function foldHashes(db: Connection, folder: string): ReadonlyMap<RunId, string> {
  const read = createJournal(db, folder);
  const roots = db.prepare<[], RunId>("SELECT run FROM runs WHERE kind = 'root' ORDER BY rowid").pluck().all();
  return new Map(roots.map((root) => [root, hashOf(() => read(root))]));
}

function hashOf(read: () => ReturnType<ReturnType<typeof createJournal>>): string {
  try {
    const state = fold(read());
    return state === null ? "" : sha256(canonicalJson([state, snapshotOf(state)]));
  } catch {
    // That it cannot be read, or does not fold, is told by other invariants.
    return "";
  }
}
