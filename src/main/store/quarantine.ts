// Proves a run's journal and notes what was found beside it: a damaged run is set aside, whoever asks, until it proves
// whole again. The other runs are not concerned.

import type { RunId } from "../../shared/contract/ids.ts";
import { verifyRun } from "./chainCheck.ts";
import type { Connection } from "./openDatabase.ts";

/** Returns a function that answers with what is wrong with one run, a sentence each, and notes the first. */
export function createProof(db: Connection, reader: Connection, folder: string): (root: RunId) => readonly string[] {
  const note = db.prepare<[string | null, RunId, string | null]>(
    "UPDATE runs SET damage = ? WHERE run = ? AND kind = 'root' AND damage IS NOT ?",
  );
  return (root) => {
    const problems = verifyRun(reader, folder, root);
    const [first = null] = problems;
    note.run(first, root, first);
    return problems;
  };
}
