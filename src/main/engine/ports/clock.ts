// Time as a port, so that tests can turn the hands themselves.

export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Ms since some start; never goes back, and does not count sleep. */
  monotonic(): number;
  /** Calls back once after `ms`. Returns the way to call it off. */
  after(ms: number, callback: () => void): () => void;
}

/** Resolves after `ms`, or at once when the signal aborts. Never rejects: an abort is not an error. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      callOff();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const callOff = clock.after(ms, end);
    signal.addEventListener("abort", end, { once: true });
  });
}
