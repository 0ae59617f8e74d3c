// A process of its own that folds every run of a data folder and says what it got: started in another time zone and
// locale, so that whoever compares knows whether a fold depends on either. Prints one line of JSON.

import type { RunId } from "../../shared/contract/ids.ts";
import { openReader } from "../store/openDatabase.ts";
import { foldHashes } from "./foldHashes.ts";

const folder = process.argv[2] ?? "";
const db = openReader(folder);
try {
  const hashes: readonly (readonly [RunId, string])[] = [...foldHashes(db, folder)];
  process.stdout.write(JSON.stringify(hashes));
} finally {
  db.close();
}
