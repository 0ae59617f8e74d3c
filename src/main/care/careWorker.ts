// The thread that does one piece of long work on the data folder: through read-only connections of its own, beside
// whoever is at work on the journal. Answers once.

import { parentPort, workerData } from "node:worker_threads";

import { WorkbenchError } from "../../shared/contract/errors.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { archivedEvents, archivedPayloads } from "../store/archive.ts";
import { backUp } from "../store/backup.ts";
import { toFailure } from "../store/failure.ts";
import { openReader } from "../store/openDatabase.ts";
import type { CareReply, CareResults, CareTask, CareTasks } from "./careTask.ts";
import { checkJournal, numberOf } from "./checkJournal.ts";
import { checkFolds } from "./foldElsewhere.ts";
import { extractBundle, readArchive } from "./readArchive.ts";
import { withoutSecrets } from "./secrets.ts";
import { writeArchive } from "./writeArchive.ts";

async function exportRun(task: CareTasks["export"]): Promise<CareResults["export"]> {
  const { folder, run, title, file, app, at, bundle } = task;
  const db = openReader(folder);
  try {
    // One moment of the journal for events and payloads, whatever is written meanwhile.
    db.exec("BEGIN");
    const events = archivedEvents(db, run);
    const payloads = withoutSecrets(archivedPayloads(db, folder, run));
    return await writeArchive(file, { app, run, title, exportedAt: at, events, payloads, bundle });
  } finally {
    db.close();
  }
}

async function check(folder: string): Promise<CareResults["check"]> {
  const results = [...checkJournal(folder), await checkFolds(folder)];
  return results.toSorted((left, right) => numberOf(left) - numberOf(right));
}

function carryOut(task: CareTask): Promise<CareReply & { readonly kind: "done" }> {
  const done = async (value: Promise<CareResults[CareTask["kind"]]>) => ({ kind: "done", value: await value }) as const;
  switch (task.kind) {
    case "export":
      return done(exportRun(task));
    case "readArchive":
      return done(readArchive(task.file));
    case "extractBundle":
      return done(extractBundle(task.file, task.to));
    case "backup":
      return done(backUp(task.folder, task.at));
    case "check":
      return done(check(task.folder));
  }
}

function failureOf(error: unknown): Failure {
  return error instanceof WorkbenchError ? { code: error.code, message: error.message } : toFailure(error);
}

const task = workerData as CareTask;
const reply: CareReply = await carryOut(task).catch((error: unknown) => ({
  kind: "failed",
  failure: failureOf(error),
}));
parentPort?.postMessage(reply);
