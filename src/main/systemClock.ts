// The machine's own clock and timers: what every part that waits is given outside tests.

import type { Clock } from "./engine/ports/clock.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    // A longer delay than the timer can hold would fire at once.
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
