// Keeps drafts of reviews in the browser's storage, the newest of them, so that they outlive a reload and a restart.

import { keepText } from "../../ui/keep.ts";
import { isEmpty, readDraft } from "./draft.ts";
import type { ReviewDraft } from "./draft.ts";

const prefix = "coppice.review.";
const maxKept = 40;
/** Larger drafts (many long edits) live only as long as the page. */
const maxChars = 500_000;

export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export function loadDraft(storage: DraftStorage, name: string): ReviewDraft {
  const kept = storage.getItem(prefix + name);
  return readDraft(kept === null ? null : kept.slice(kept.indexOf(" ") + 1));
}

/** `at`: now, epoch ms. A storage that is full or forbidden keeps nothing, and the draft lives as long as the page. */
export function keepDraft(storage: DraftStorage, name: string, draft: ReviewDraft, at: number): void {
  const text = JSON.stringify(draft);
  if (isEmpty(draft) || text.length > maxChars) return storage.removeItem(prefix + name);
  const isNew = storage.getItem(prefix + name) === null;
  keepText(storage, prefix + name, `${at} ${text}`);
  // Only one more draft can be one too many.
  if (isNew) for (const old of keptNames(storage).slice(maxKept)) storage.removeItem(old);
}

/** Newest first. */
function keptNames(storage: DraftStorage): readonly string[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
  const keptAt = (name: string) => Number.parseInt(storage.getItem(name) ?? "0", 10);
  return names.filter((name) => name.startsWith(prefix)).toSorted((left, right) => keptAt(right) - keptAt(left));
}
