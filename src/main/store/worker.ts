// The store's thread: owns the one write connection and a read-only one beside it. Answers each call by its id.
// Nothing here may wait for anything but SQLite.

import { existsSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

import { openMark } from "./ackMark.ts";
import { createAppendQueue } from "./appendQueue.ts";
import { createImporter } from "./archive.ts";
import { endBoot, registerBoot, requireSound } from "./boots.ts";
import { watchCommits } from "./commitWatch.ts";
import { createEventStore } from "./eventStore.ts";
import { toFailure } from "./failure.ts";
import { createJournal } from "./journal.ts";
import { createAtWork } from "./atWork.ts";
import { createLeases } from "./leases.ts";
import { journalPath, openReader, openWriter } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";
import { holdOpen } from "./openLock.ts";
import { createPayloads } from "./payloads.ts";
import { identifyThisProcess } from "./processIdentity.ts";
import type { ProcessIdentity } from "./processIdentity.ts";
import type { Call, Reply, StoreCalls, WorkerInput } from "./protocol.ts";
import { createProof } from "./quarantine.ts";
import { createQueries } from "./queries.ts";
import { createRepair } from "./repair.ts";
import { createRequests } from "./requests.ts";
import { createRetention } from "./retention.ts";
import { createSafeCalls } from "./safeCalls.ts";
import { createSearch } from "./searchIndex.ts";

/** Quiet time after which the WAL is copied into the file. */
const idleMs = 500;

const { folder, isReadOnly } = workerData as WorkerInput;

function reply(message: Reply): void {
  parentPort?.postMessage(message);
}

/** Returns a function that restarts the wait for a quiet moment to checkpoint in. */
function checkpointWhenIdle(db: Connection): () => void {
  let timer: NodeJS.Timeout | null = null;
  return () => {
    timer ??= setTimeout(() => {
      // PASSIVE never waits for anyone; what it cannot copy now it copies next time.
      if (db.open) db.pragma("wal_checkpoint(PASSIVE)");
    }, idleMs).unref();
    timer.refresh();
  };
}

function serve(): void {
  const lock = holdOpen(folder);
  const here = identifyThisProcess();
  if (existsSync(journalPath(folder))) lookFirst(here);
  const writer = openWriter(folder);
  const mark = openMark(folder);
  const boot = registerBoot(writer, here);
  const reader = openReader(folder);
  const queue = createAppendQueue(
    createEventStore(writer, boot, createPayloads(writer, folder), mark.note),
    checkpointWhenIdle(writer),
  );
  const leases = createLeases(writer, boot, here);
  const requests = createRequests(writer, reader);
  const watch = watchCommits(writer, () => reply({ kind: "foreignCommit" }));
  const readJournal = createJournal(reader, folder);
  const search = createSearch(folder, reader, readJournal);
  const calls: Omit<StoreCalls, "append"> = {
    ...createQueries(reader),
    ...createRetention(writer, folder, boot, (run) => leases.holderOf(run)),
    verifyRun: createProof(writer, reader, folder),
    readJournal,
    search: search.find,
    importRun: createImporter(writer, folder, () => leases.findDriven()),
    compact() {
      // Both: a page that was moved leaves its old content behind, in the file as in the log.
      writer.exec("VACUUM");
      writer.pragma("wal_checkpoint(TRUNCATE)");
    },
    repair: createRepair(writer, folder, (run) => leases.holderOf(run)),
    acquire: (root) => leases.acquire(root),
    release: (root) => leases.release(root),
    renew: () => leases.renew(),
    holderOf: (run) => leases.holderOf(run),
    listAbandoned: () => leases.abandoned(),
    listAtWork: createAtWork(reader, boot),
    putRequest: (run, kind, body) => requests.put(run, kind, body),
    withdrawRequest: (id) => requests.withdraw(id),
    findRequest: (id) => requests.find(id),
    openRequests: (run) => requests.open(run),
    watch,
    close() {
      watch(false);
      endBoot(writer, boot);
      search.close();
      reader.close();
      writer.close();
      mark.close();
      lock.close();
    },
  };
  listen((call) => {
    if (call.name !== "append") {
      queue.flush();
      return answer(call, calls);
    }
    queue.push(call.args[0], (value) => reply({ kind: "value", id: call.id, value }));
  });
  reply({ kind: "opened", boot });
}

function lookFirst(here: ProcessIdentity): void {
  const db = openReader(folder);
  try {
    requireSound(db, here);
  } finally {
    db.close();
  }
}

/** A damaged journal, read only. */
function serveSafely(): void {
  const { boot, calls } = createSafeCalls(openReader(folder), folder);
  listen((call) => answer(call, calls));
  reply({ kind: "opened", boot });
}

function listen(take: (call: Call) => void): void {
  parentPort?.on("message", (call: Call) => {
    try {
      take(call);
    } catch (error) {
      reply({ kind: "failure", id: call.id, failure: toFailure(error) });
    }
  });
}

function answer(call: Call, calls: Partial<StoreCalls>): void {
  // The name and its arguments belong together by the type of `Call`, which a lookup by name forgets.
  const act = calls[call.name] as (...args: readonly unknown[]) => unknown;
  reply({ kind: "value", id: call.id, value: act(...call.args) });
}

try {
  if (isReadOnly) serveSafely();
  else serve();
} catch (error) {
  reply({ kind: "refused", failure: toFailure(error) });
}
