// Runs one piece of long work on the data folder in a thread of its own, so that neither a window nor the journal waits
// for it. The thread ends with its work.

import { Worker } from "node:worker_threads";

import type { TellProgress } from "../../shared/contract/progress.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { CareKind, CareReply, CareResults, CareStep, CareTasks } from "./careTask.ts";

/** The longest that a journal may take to be copied, checked or read through. */
const limitMs = 30 * 60_000;

/** Beside this file lies the source of the thread, or in the bundle its built form. */
function findWorker(): URL {
  const name = import.meta.url.endsWith(".ts") ? "careWorker.ts" : "careWorker.js";
  return new URL(name, import.meta.url);
}

/** The answer of the work, or why it could not be. `tell` hears how far it is, where that can be counted. Aborting ends the thread where it stands: what it was writing is left without its name. Code `CARE_FAILED` when the thread itself failed or took half an hour. */
export async function runCare<K extends CareKind>(
  kind: K,
  task: CareTasks[K],
  { signal, tell }: { readonly signal?: AbortSignal; readonly tell?: TellProgress } = {},
): Promise<Result<CareResults[K]>> {
  const worker = new Worker(findWorker(), { workerData: { kind, ...task }, execArgv: [], name: "care" });
  const ended = Promise.withResolvers<CareReply>();
  const end = (message: string): void =>
    ended.resolve({
      kind: "failed",
      failure: { code: "CARE_FAILED", message: `The ${kind} ${message}. Nothing was changed.` },
    });
  const onAbort = () => end("was given up");
  const limit = setTimeout(() => end("took more than half an hour"), limitMs);
  worker.on("message", (posted: CareReply | CareStep) => {
    if (posted.kind === "progress") tell?.(posted.progress);
    else ended.resolve(posted);
  });
  worker.once("error", (error) => end(`failed (${error instanceof Error ? error.message : String(error)})`));
  worker.once("exit", () => end("ended without an answer"));
  signal?.addEventListener("abort", onAbort);
  const reply = await ended.promise;
  clearTimeout(limit);
  signal?.removeEventListener("abort", onAbort);
  await worker.terminate();
  // The reply to a task carries what `CareResults` says it does.
  return reply.kind === "done" ? succeed(reply.value as CareResults[K]) : fail(reply.failure);
}
