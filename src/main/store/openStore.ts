// The store as the rest of the product sees it: `StorePort` over the store's thread. Holds no data of its own;
// what it hands out is frozen, because a structured clone arrives thawed.

import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { AppendRequest, AppendResult, StorePort } from "../engine/ports/store.ts";
import { toFailure } from "./failure.ts";
import { prepareFolder } from "./folder.ts";
import { createLeaseKeeper } from "./leaseKeeper.ts";
import type { LeaseKeeper } from "./leaseKeeper.ts";
import { startThread } from "./thread.ts";
import type { Thread } from "./thread.ts";

export interface StoreOptions {
  /** The data folder (`COPPICE_HOME`), absolute; made with mode 0700 when missing. */
  readonly folder: string;
  /** The thread's file, where it does not lie beside this one. */
  readonly workerUrl?: URL;
  /** For a journal that is damaged: what can be read is, everything else is refused as `STORE_CORRUPT`, and nothing is written. */
  readonly isReadOnly?: boolean;
}

/** Beside this file lies the source of the thread, or in the bundle its built form. */
function findWorker(): URL {
  const name = import.meta.url.endsWith(".ts") ? "worker.ts" : "storeWorker.js";
  return new URL(name, import.meta.url);
}

/** Opens the journal in `folder`, made or migrated when needed. Codes: `STORE_UNAVAILABLE` (folder, disk, lock), `STORE_TOO_NEW`, `STORE_FOREIGN`, `STORE_CORRUPT`; the file is untouched under the last three. The caller closes the store. */
export async function openStore({
  folder,
  workerUrl = findWorker(),
  isReadOnly = false,
}: StoreOptions): Promise<Result<StorePort>> {
  try {
    prepareFolder(folder);
  } catch (error) {
    return fail(toFailure(error));
  }
  const started = await startThread(workerUrl, { folder, isReadOnly });
  return started.ok ? succeed(createStore(started.value)) : started;
}

async function append(thread: Thread, keeper: LeaseKeeper, request: AppendRequest): Promise<AppendResult> {
  const since = keeper.now();
  let result: AppendResult;
  try {
    result = await thread.call("append", request);
  } catch (error) {
    return fail(toFailure(error));
  }
  const started = request.starts.map((start) => start.run);
  if (result.ok) keeper.hold(request.root, started, since);
  else if (result.error.code === "STALE_LEASE") void keeper.renewNow();
  return deepFreeze(result);
}

/** Listeners for commits of other processes. While there are any, the thread polls and the process stays alive. */
function createForeignCommits(thread: Thread): StorePort["onForeignCommit"] {
  const listeners = new Set<() => void>();
  const setWatch = (isOn: boolean): void => {
    thread.keepAlive(isOn);
    // A store that is closed or dead has no commits to tell of; its calls say so themselves.
    thread.call("watch", isOn).catch(() => undefined);
  };
  thread.onForeignCommit(() => {
    for (const listener of listeners) listener();
  });
  return (listener) => {
    listeners.add(listener);
    if (listeners.size === 1) setWatch(true);
    return () => {
      if (listeners.delete(listener) && listeners.size === 0) setWatch(false);
    };
  };
}

function createStore(thread: Thread): StorePort {
  const keeper = createLeaseKeeper(() => thread.call("renew"));
  return {
    boot: thread.boot,
    append: (request) => append(thread, keeper, request),
    async acquire(root) {
      const since = keeper.now();
      try {
        const result = await thread.call("acquire", root);
        const runs = result.ok ? result.value.map((lease) => lease.run) : [];
        keeper.hold(root, runs, since);
        return deepFreeze(result);
      } catch (error) {
        return fail(toFailure(error));
      }
    },
    async release(root) {
      keeper.drop(root);
      await thread.call("release", root);
    },
    isHeld: (root) => keeper.isHeld(root),
    listAbandoned: async () => deepFreeze(await thread.call("listAbandoned")),
    onLeaseLost: (listener) => keeper.onLost(listener),
    readJournal: async (root, after, limit) => deepFreeze(await thread.call("readJournal", root, after, limit)),
    findRun: async (text) => deepFreeze(await thread.call("findRun", text)),
    listRuns: async () => deepFreeze(await thread.call("listRuns")),
    listApprovals: async (run) => deepFreeze(await thread.call("listApprovals", run)),
    listDecided: async (since, limit) => deepFreeze(await thread.call("listDecided", since, limit)),
    listAtWork: async () => deepFreeze(await thread.call("listAtWork")),
    holderOf: (run) => thread.call("holderOf", run),
    putRequest: (run, kind, body) => thread.call("putRequest", run, kind, body),
    withdrawRequest: (id) => thread.call("withdrawRequest", id),
    findRequest: (id) => thread.call("findRequest", id),
    openRequests: (run) => thread.call("openRequests", run),
    onForeignCommit: createForeignCommits(thread),
    verifyRun: (root) => thread.call("verifyRun", root),
    setPinned: (root, pinned) => thread.call("setPinned", root, pinned),
    deleteRun: (root) => thread.call("deleteRun", root),
    sweepPayloads: () => thread.call("sweepPayloads"),
    diskUse: () => thread.call("diskUse"),
    compact: () => thread.call("compact"),
    repair: () => thread.call("repair"),
    importRun: (run) => thread.call("importRun", run),
    search: async (text, limit) => deepFreeze(await thread.call("search", text, limit)),
    async close() {
      keeper.stop();
      await thread.close();
    },
  };
}
