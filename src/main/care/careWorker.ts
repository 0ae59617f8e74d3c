// The thread that does one piece of long work on the data folder: through read-only connections of its own, beside
// whoever is at work on the journal. Answers once.

import { parentPort, workerData } from "node:worker_threads";

import { WorkbenchError } from "../../shared/contract/errors.ts";
import { counted, countSteps, type TellProgress } from "../../shared/contract/progress.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { archivedCounts, archivedEvents, archivedPayloads } from "../store/archive.ts";
import { backUp } from "../store/backup.ts";
import { toFailure } from "../store/failure.ts";
import { openReader } from "../store/openDatabase.ts";
import type { CareReply, CareResults, CareStep, CareTask, CareTasks } from "./careTask.ts";
import { checkJournal, numberOf, ruleCount } from "./checkJournal.ts";
import { checkFolds } from "./foldElsewhere.ts";
import { extractBundle, readArchive } from "./readArchive.ts";
import { withoutSecrets } from "./secrets.ts";
import { writeArchive } from "./writeArchive.ts";

const tell: TellProgress = (progress) => parentPort?.postMessage({ kind: "progress", progress } satisfies CareStep);

async function exportRun(task: CareTasks["export"]): Promise<CareResults["export"]> {
  const { folder, run, title, file, app, at, bundle } = task;
  const db = openReader(folder);
  try {
    // One moment of the journal for events and payloads, whatever is written meanwhile.
    db.exec("BEGIN");
    const counts = archivedCounts(db, run);
    const events = counted(archivedEvents(db, run), counts.events, "event", tell);
    const texts = counted(archivedPayloads(db, folder, run), counts.payloads, "text", tell);
    const payloads = withoutSecrets(texts);
    return await writeArchive(file, { app, run, title, exportedAt: at, events, payloads, bundle });
  } finally {
    db.close();
  }
}

async function check(folder: string): Promise<CareResults["check"]> {
  const step = countSteps(ruleCount, "rule", tell);
  const results = [...checkJournal(folder, step), await checkFolds(folder)];
  step();
  return results.toSorted((left, right) => numberOf(left) - numberOf(right));
}

function carryOut(task: CareTask): Promise<CareReply & { readonly kind: "done" }> {
  const done = async (value: Promise<CareResults[CareTask["kind"]]>) => ({ kind: "done", value: await value }) as const;
  switch (task.kind) {
    case "export":
      return done(exportRun(task));
    case "readArchive":
      return done(readArchive(task.file, tell));
    case "extractBundle":
      return done(extractBundle(task.file, task.to));
    case "backup":
      return done(backUp(task.folder, task.at, tell));
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
