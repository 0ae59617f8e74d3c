// Tells of everything that changes in the store: commits of this process with their events, in the turn in which they
// are acknowledged, and that another process has committed something. Changes nothing in what the store answers.

import type { RunId } from "../../shared/contract/ids.ts";
import type { Failure } from "../../shared/lib/result.ts";
import type { RunEvent } from "../domain/events.ts";
import type { StorePort } from "../engine/ports/store.ts";

/** `run` null: something, somewhere, by another process. `events` empty: not the journal has changed, but who drives the run, or whether it is there. */
export interface StoreChange {
  readonly run: RunId | null;
  readonly events: readonly RunEvent[];
}

export interface CommitFeed {
  /** The store whose changes are told. What goes past it is not. */
  readonly store: StorePort;
  /** Calls back synchronously with each change. Other processes are watched while anyone listens. Returns the unsubscribe. */
  onChange(listener: (change: StoreChange) => void): () => void;
  /** Why nothing can be written now: the last write failed, or the store is only read. `null` while all is well. */
  trouble(): Failure | null;
}

/** `standing`: what is wrong with the store for as long as it is open. */
export function createCommitFeed(store: StorePort, standing: Failure | null = null): CommitFeed {
  const listeners = new Set<(change: StoreChange) => void>();
  let unwatch = () => {};
  let failed: Failure | null = null;
  const tell = (run: RunId | null, events: readonly RunEvent[] = []) => {
    for (const listener of listeners) listener({ run, events });
  };
  const noteWrite = (error: Failure | null) => {
    const trouble = error !== null && isTrouble(error) ? error : null;
    const isNews = trouble?.message !== failed?.message;
    failed = trouble;
    if (isNews) tell(null);
  };
  return {
    store: tellingStore(store, tell, noteWrite),
    trouble: () => standing ?? failed,
    onChange(listener) {
      listeners.add(listener);
      if (listeners.size === 1) unwatch = store.onForeignCommit(() => tell(null));
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) unwatch();
      };
    },
  };
}

/** A write that failed for the store's own sake, not for what was asked of it. */
function isTrouble({ code }: Failure): boolean {
  return code === "STORE_UNAVAILABLE" || code === "STORE_CORRUPT";
}

function tellingStore(
  store: StorePort,
  tell: (run: RunId, events?: readonly RunEvent[]) => void,
  noteWrite: (error: Failure | null) => void,
): StorePort {
  return {
    ...store,
    async append(request) {
      const appended = await store.append(request);
      if (appended.ok && appended.value.length > 0) tell(request.root, appended.value);
      noteWrite(appended.ok ? null : appended.error);
      return appended;
    },
    async acquire(root) {
      const taken = await store.acquire(root);
      if (taken.ok) tell(root);
      return taken;
    },
    async release(root) {
      await store.release(root);
      tell(root);
    },
    async verifyRun(root) {
      // A proof sets a damaged run aside, or lets a mended one be.
      const found = await store.verifyRun(root);
      tell(root);
      return found;
    },
    async setPinned(root, pinned) {
      const set = await store.setPinned(root, pinned);
      if (set.ok) tell(root);
      return set;
    },
    async importRun(run) {
      const imported = await store.importRun(run);
      if (imported.ok) tell(imported.value);
      return imported;
    },
    async deleteRun(root) {
      const removed = await store.deleteRun(root);
      if (removed.ok) tell(root);
      return removed;
    },
  };
}
