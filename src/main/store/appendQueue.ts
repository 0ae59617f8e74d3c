// Gathers appends into groups: a barrier is committed as soon as the thread is free, with everything that came before
// it; trails wait up to 250 ms for company. Order of arrival is order of commit.

import type { AppendRequest, AppendResult } from "../engine/ports/store.ts";
import type { EventStore } from "./eventStore.ts";

/** Requests that share one transaction at most. */
export const largestGroup = 64;
const trailDelayMs = 250;

type Acknowledge = (result: AppendResult) => void;

export interface AppendQueue {
  push(request: AppendRequest, acknowledge: Acknowledge): void;
  /** Commits everything that waits, now. */
  flush(): void;
}

/** `onIdle` is called after a flush that left nothing to do. */
export function createAppendQueue(store: EventStore, onIdle: () => void): AppendQueue {
  let waiting: { readonly request: AppendRequest; readonly acknowledge: Acknowledge }[] = [];
  let soon: NodeJS.Immediate | null = null;
  let later: NodeJS.Timeout | null = null;

  const flush = (): void => {
    if (soon) clearImmediate(soon);
    if (later) clearTimeout(later);
    soon = null;
    later = null;
    if (waiting.length === 0) return;
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += largestGroup) {
      const group = all.slice(start, start + largestGroup);
      const results = store.commitGroup(group.map((each) => each.request));
      for (const [index, result] of results.entries()) group[index]?.acknowledge(result);
    }
    onIdle();
  };

  return {
    push(request, acknowledge) {
      waiting.push({ request, acknowledge });
      // An immediate runs after the messages that have already arrived: they share the commit.
      if (request.durability === "barrier" || waiting.length >= largestGroup) soon ??= setImmediate(flush);
      else later ??= setTimeout(flush, trailDelayMs);
    },
    flush,
  };
}
