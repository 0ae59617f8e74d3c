// The repository whose runs are listed: one for the whole window, kept for its next opening.

import { useSyncExternalStore } from "react";

import { keepText } from "../../ui/keep.ts";

const storageKey = "coppice.repository";
const listeners = new Set<() => void>();
let chosen: string | null | undefined;

function current(): string | null {
  if (chosen === undefined) chosen = localStorage.getItem(storageKey) || null;
  return chosen;
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Lists the runs of the repository at `path`; of all repositories for `null`, or where a run does not know its own. */
export function chooseRepository(path: string | null): void {
  const next = path || null;
  if (next === current()) return;
  chosen = next;
  keepText(localStorage, storageKey, next ?? "");
  for (const listener of listeners) listener();
}

/** Its folder, as runs name it; `null`: all of them. */
export function useChosenRepository(): string | null {
  return useSyncExternalStore(follow, current);
}
