// A beat of the clock that many hear at once: one timer for each pace, on the multiples of it, however many listen.

type Listener = (now: number) => void;

const paces = new Map<number, Set<Listener>>();

/** Calls back with the time (epoch ms) at every multiple of `everyMs`, with all who listen at that pace in one turn. Returns what ends it. */
export function onBeat(everyMs: number, listener: Listener): () => void {
  const listeners = paces.get(everyMs) ?? new Set();
  paces.set(everyMs, listeners);
  listeners.add(listener);
  if (listeners.size === 1) beat(everyMs, listeners);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && paces.get(everyMs) === listeners) paces.delete(everyMs);
  };
}

/** Ends by itself once nobody listens. */
function beat(everyMs: number, listeners: ReadonlySet<Listener>): void {
  setTimeout(
    () => {
      if (paces.get(everyMs) !== listeners) return;
      const now = Date.now();
      for (const listener of listeners) listener(now);
      beat(everyMs, listeners);
    },
    everyMs - (Date.now() % everyMs),
  );
}
