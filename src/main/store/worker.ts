// The store's thread: owns the one write connection and a read-only one beside it. Answers each call by its id.
// Nothing here may wait for anything but SQLite.

import { parentPort, workerData } from "node:worker_threads";

import { openMark } from "./ackMark.ts";
import { createAppendQueue } from "./appendQueue.ts";
import { createImporter } from "./archive.ts";
import { endBoot, registerBoot } from "./boots.ts";
import { verifyRun } from "./chainCheck.ts";
import { watchCommits } from "./commitWatch.ts";
import { createEventStore } from "./eventStore.ts";
import { toFailure } from "./failure.ts";
import { createJournal } from "./journal.ts";
import { createAtWork } from "./atWork.ts";
import { createLeases } from "./leases.ts";
import { openReader, openWriter } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";
import { holdOpen } from "./openLock.ts";
import { createPayloads } from "./payloads.ts";
import { identifyThisProcess } from "./processIdentity.ts";
import type { Call, Reply, StoreCalls, WorkerInput } from "./protocol.ts";
import { createQueries } from "./queries.ts";
import { createRepair } from "./repair.ts";
import { createRequests } from "./requests.ts";
import { createRetention } from "./retention.ts";
import { createSearch } from "./searchIndex.ts";

/** Quiet time after which the WAL is copied into the file. */
const idleMs = 500;

const { folder } = workerData as WorkerInput;

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
  const writer = openWriter(folder);
  const here = identifyThisProcess();
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
    verifyRun: (root) => verifyRun(reader, folder, root),
    readJournal,
    search: search.find,
    importRun: createImporter(writer, folder),
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
  parentPort?.on("message", (call: Call) => {
    if (call.name === "append") {
      queue.push(call.args[0], (value) => reply({ kind: "value", id: call.id, value }));
      return;
    }
    try {
      queue.flush();
      // The name and its arguments belong together by the type of `Call`, which a lookup by name forgets.
      const act = calls[call.name] as (...args: readonly unknown[]) => unknown;
      reply({ kind: "value", id: call.id, value: act(...call.args) });
    } catch (error) {
      reply({ kind: "failure", id: call.id, failure: toFailure(error) });
    }
  });
  reply({ kind: "opened", boot });
}

try {
  serve();
} catch (error) {
  reply({ kind: "refused", failure: toFailure(error) });
}
