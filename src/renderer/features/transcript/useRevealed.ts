// What somebody wants to see of a transcript, brought into sight once for each wish; entries that come later move nothing.

import { useEffect, useRef } from "react";

import { entryAt, lastOrdinal } from "./entries.ts";
import type { Entry } from "./entries.ts";

/** What happened at ordinal `n`; a new object for each time that it is wanted. */
export interface Reveal {
  readonly n: number;
}

/** Key of the entry that is revealed; `unread` while it has not been read yet, `null` for none. `canRead`: more can be read. */
export function useRevealed(
  entries: readonly Entry[],
  reveal: Reveal | null,
  canRead: boolean,
  show: (index: number) => void,
): string | null {
  const done = useRef<Reveal | null>(null);
  const isRead = reveal !== null && entries.length > 0 && (!canRead || lastOrdinal(entries) >= reveal.n);
  const index = isRead ? entryAt(entries, reveal.n) : -1;
  useEffect(() => {
    if (index < 0 || done.current === reveal) return;
    done.current = reveal;
    show(index);
  }, [reveal, index, show]);
  if (reveal === null) return null;
  return isRead ? (entries[index]?.key ?? null) : "unread";
}
