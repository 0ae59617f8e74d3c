// Looks after the data folder for as long as an entry stays: proves the runs that are not finished, so that a damaged one
// is set aside before anybody counts on it, and backs up once a day, while no run is driven here.

import type { Clock } from "../engine/ports/clock.ts";
import type { StorePort } from "../engine/ports/store.ts";
import type { History } from "./history.ts";

const betweenLooksMs = 60 * 60_000;

export interface UpkeepParts {
  readonly store: StorePort;
  readonly history: History;
  readonly clock: Clock;
  /** Whether a run is driven in this process. */
  readonly isBusy: () => boolean;
}

/** Begins at once. Returns what ends it; work that is under way goes on to its end. */
export function startUpkeep({ store, history, clock, isBusy }: UpkeepParts): () => void {
  let cancel = () => undefined as void;
  let isOver = false;
  async function look(): Promise<void> {
    // What fails is kept by the history and shown with the backups; it is tried again an hour later.
    if (!isBusy()) await history.backUpWhenDue().catch(() => null);
    if (!isOver) cancel = clock.after(betweenLooksMs, () => void look());
  }
  async function prove(): Promise<void> {
    for (const { run, status } of await store.listRuns()) {
      if (isOver) return;
      // What the disk does not let be read of one run is asked again when it is driven; the others are proved all the same.
      if (status !== "stopped" && status !== "imported") await store.verifyRun(run).catch(() => null);
    }
  }
  // A store that is closed meanwhile has nothing more to prove.
  void prove().catch(() => undefined);
  void look();
  return () => {
    isOver = true;
    cancel();
  };
}
