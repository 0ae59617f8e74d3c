// What was begun and not sent, by run and agent, over reloads and restarts. The newest fifty are kept.

import { keepText } from "../../ui/keep.ts";

/** `commandId`: under which this very text was last sent, so that sending it again after no answer came does it once. */
export interface Draft {
  readonly text: string;
  readonly commandId: string | null;
}

type Kept = Readonly<Record<string, Draft & { readonly at: number }>>;

const storageKey = "coppice.drafts";
const maxKept = 50;

/** The draft under `name`; an empty one where there is none, or where the storage cannot be read. */
export function recallDraft(storage: Storage, name: string): Draft {
  return readAll(storage)[name] ?? { text: "", commandId: null };
}

/** An empty draft is forgotten. A storage that is full or closed keeps nothing, and writing goes on. */
export function keepDraft(storage: Storage, name: string, draft: Draft, now: number): void {
  const { [name]: _before, ...others } = readAll(storage);
  const all: Kept = draft.text === "" ? others : { ...others, [name]: { ...draft, at: now } };
  const newest = Object.entries(all)
    .toSorted(([, left], [, right]) => right.at - left.at)
    .slice(0, maxKept);
  keepText(storage, storageKey, JSON.stringify(Object.fromEntries(newest)));
}

function readAll(storage: Storage): Kept {
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, Kept[string]] => isKept(entry[1])),
    );
  } catch {
    // Another version, or another hand, wrote it: begin afresh.
    return {};
  }
}

function isKept(value: unknown): value is Kept[string] {
  if (typeof value !== "object" || value === null || !("text" in value) || !("at" in value)) return false;
  const { commandId } = value as { readonly commandId?: unknown };
  return (
    typeof value.text === "string" &&
    typeof value.at === "number" &&
    (commandId === null || typeof commandId === "string")
  );
}
