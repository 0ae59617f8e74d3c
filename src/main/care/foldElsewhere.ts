// I17: a fold is the same wherever it is done. Folds every run once more in a process with another time zone and locale,
// and compares.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import type { RunId } from "../../shared/contract/ids.ts";
import type { CheckResult } from "../store/check.ts";
import { openReader } from "../store/openDatabase.ts";
import { foldHashes } from "./foldHashes.ts";

const limitMs = 5 * 60_000;

/** Days begin at another time there, and its `i` has another capital. */
const elsewhere = { TZ: "Pacific/Apia", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" };

/** What each run folds to over there. Rejects when the process fails. */
export async function foldInOtherProcess(folder: string): Promise<ReadonlyMap<RunId, string>> {
  const name = import.meta.url.endsWith(".ts") ? "foldEntry.ts" : "foldEntry.js";
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL(name, import.meta.url)), folder],
    // The application's own binary is started as Node.
    { env: { ...elsewhere, ELECTRON_RUN_AS_NODE: "1" }, timeout: limitMs, maxBuffer: 64 * 1024 * 1024 },
  );
  return new Map(JSON.parse(stdout) as readonly (readonly [RunId, string])[]);
}

/** The invariant, held against what was folded elsewhere. A run that has grown meanwhile is not compared. */
export async function checkFolds(folder: string, fold = foldInOtherProcess): Promise<CheckResult> {
  const result = { id: "I17", title: "A fold is the same in another time zone, locale and process" };
  try {
    const there = await fold(folder);
    const here = hashesHere(folder);
    const differing = [...there].filter(([run, hash]) => here.get(run) !== hash).map(([run]) => run);
    const again = differing.length === 0 ? there : await fold(folder);
    const details = differing
      .filter((run) => again.get(run) !== here.get(run))
      .map((run) => `Run ${run} folds to something else in another process`);
    return { ...result, ok: details.length === 0, details };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...result, ok: false, details: [`The other process failed: ${reason.slice(0, 500)}`] };
  }
}

function hashesHere(folder: string): ReadonlyMap<RunId, string> {
  const db = openReader(folder);
  try {
    return foldHashes(db, folder);
  } finally {
    db.close();
  }
}
