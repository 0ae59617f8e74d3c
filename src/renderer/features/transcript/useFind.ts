// The search within one transcript: what is looked for, which entries hold it, and which of them is looked at.

import { useCallback, useEffect, useMemo, useState } from "react";

import { entriesWith } from "./entries.ts";
import type { Entry } from "./entries.ts";

export interface Find {
  readonly isOpen: boolean;
  readonly words: string;
  /** Indices of entries, in order. */
  readonly matches: readonly number[];
  /** Place in `matches` that is looked at; `-1` for none. */
  readonly place: number;
  readonly open: () => void;
  readonly close: () => void;
  readonly setWords: (words: string) => void;
  /** To the next match, or the one before; past either end it goes on at the other. */
  readonly step: (by: 1 | -1) => void;
}

/** `onShow` brings an entry into sight. */
export function useFind(entries: readonly Entry[], onShow: (index: number) => void): Find {
  const [isOpen, setIsOpen] = useState(false);
  const [words, setWords] = useState("");
  const matches = useMemo(() => (isOpen ? entriesWith(entries, words) : []), [isOpen, entries, words]);
  // By its key: entries that are read later change no place that somebody looks at.
  const [key, setKey] = useState<string | null>(null);
  const place = matches.findIndex((index) => entries[index]?.key === key);
  const look = useCallback(
    (index: number | undefined): void => {
      setKey(index === undefined ? null : (entries[index]?.key ?? null));
      if (index !== undefined) onShow(index);
    },
    [entries, onShow],
  );
  const search = useCallback(
    (next: string) => {
      setWords(next);
      look(entriesWith(entries, next)[0]);
    },
    [entries, look],
  );
  // Found only when more had been read.
  const [first] = matches;
  if (isOpen && key === null && first !== undefined) setKey(entries[first]?.key ?? null);
  useOpenKey(setIsOpen);
  return {
    isOpen,
    words,
    matches,
    place,
    open: useCallback(() => setIsOpen(true), []),
    close: useCallback(() => setIsOpen(false), []),
    setWords: search,
    step: (by) => look(matches.at((place + by) % Math.max(1, matches.length))),
  };
}

/** Mod+F, wherever on the page the focus is: the browser's own search sees only what is in the page. */
function useOpenKey(setIsOpen: (isOpen: boolean) => void): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "f" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setIsOpen(true);
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [setIsOpen]);
}
