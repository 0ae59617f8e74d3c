// The draft of one review, kept in the browser's storage with every change.

import { useEffect, useState } from "react";

import type { ReviewDraft } from "./draft.ts";
import { keepDraft, loadDraft } from "./draftStore.ts";

export type ChangeDraft = (change: (draft: ReviewDraft) => ReviewDraft) => void;

/** `name`: of the change set, unique over all runs. */
export function useDraft(name: string): readonly [ReviewDraft, ChangeDraft] {
  const [draft, change] = useState(() => loadDraft(localStorage, name));
  useEffect(() => keepDraft(localStorage, name, draft, Date.now()), [name, draft]);
  return [draft, change];
}
