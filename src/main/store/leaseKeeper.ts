// Keeps the leases of this process alive, and says when one is lost. It judges by a monotonic clock of its own:
// a renewal that is not confirmed counts as none, whatever the wall clock or the other thread says.

import type { RunId } from "../../shared/contract/ids.ts";
import type { Lease } from "../engine/ports/store.ts";

export const renewEveryMs = 5_000;
export const lostAfterMs = 10_000;
const tickMs = 1_000;

export interface LeaseKeeper {
  /** The keeper's clock. Read it before asking for a lease, and hand it to `hold`. */
  now(): number;
  /** Notes leases that this process holds, asked for at `since`. `runs` belong to `root`. */
  hold(root: RunId, runs: readonly RunId[], since: number): void;
  /** Whether the lease of `run` was confirmed within the last 10 s by the keeper's own clock: asked right before an act that must not follow a take-over. */
  isHeld(run: RunId): boolean;
  /** Forgets the leases of `root` without a word. */
  drop(root: RunId): void;
  /** Looks at the clock: renews what is due and gives up what is overdue. The keeper's own timer calls it each second. */
  tick(): Promise<void>;
  /** Renews at once: something hinted that a lease is gone. */
  renewNow(): Promise<void>;
  onLost(listener: (run: RunId) => void): () => void;
  stop(): void;
}

/** `renew` returns the leases that this process still has. `now` is monotonic, in ms. */
export function createLeaseKeeper(
  renew: () => Promise<readonly Lease[]>,
  now: () => number = () => performance.now(),
): LeaseKeeper {
  const held = new Map<RunId, { readonly root: RunId; readonly confirmedAt: number }>();
  const listeners = new Set<(run: RunId) => void>();
  let timer: NodeJS.Timeout | null = null;
  let askedAt: number | null = null;
  let renewing: Promise<void> | null = null;

  const lose = (run: RunId): void => {
    if (!held.delete(run)) return;
    for (const listener of listeners) listener(run);
  };

  const askOnce = async (): Promise<void> => {
    const at = now();
    askedAt = at;
    const before = [...held.keys()];
    try {
      const still = new Set((await renew()).map((lease) => lease.run));
      for (const run of before) {
        const entry = held.get(run);
        if (entry && still.has(run)) held.set(run, { root: entry.root, confirmedAt: Math.max(at, entry.confirmedAt) });
        else lose(run);
      }
    } catch {
      // Not renewed is what the clock says next: nothing is confirmed, and after 10 s the leases are given up.
    }
  };
  const ask = (): Promise<void> => {
    renewing ??= askOnce().finally(() => (renewing = null));
    return renewing;
  };

  const tick = async (): Promise<void> => {
    const at = now();
    for (const [run, { confirmedAt }] of held) if (at - confirmedAt >= lostAfterMs) lose(run);
    const isDue = held.size > 0 && (askedAt === null || at - askedAt >= renewEveryMs);
    if (isDue) await ask();
  };

  const stop = (): void => {
    if (timer) clearInterval(timer);
    timer = null;
  };

  return {
    now,
    hold(root, runs, since) {
      if (runs.length === 0) return;
      for (const run of runs) held.set(run, { root, confirmedAt: since });
      timer ??= setInterval(() => void tick(), tickMs).unref();
    },
    isHeld(run) {
      const entry = held.get(run);
      return entry !== undefined && now() - entry.confirmedAt < lostAfterMs;
    },
    drop(root) {
      for (const [run, entry] of held) if (entry.root === root) held.delete(run);
    },
    tick,
    renewNow: ask,
    onLost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop,
  };
}
