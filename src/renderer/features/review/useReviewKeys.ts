// The review by keyboard: j and k walk the hunks, h and l the files, a accepts, x rejects, c comments, e edits, m marks a file as
// viewed, s sets the sides beside each other. Silent while something is typed.

import { useCallback, useEffect, useRef } from "react";

import { setViewed } from "./draft.ts";
import type { ChangeDraft } from "./useDraft.ts";
import type { ReviewPlace } from "./useReviewPlace.ts";
import type { DiffView } from "./useView.ts";

/** What the keys do in the file that is shown. */
export interface FileKeys {
  readonly decide: (isAccepted: boolean) => void;
  readonly comment: () => void;
  readonly edit: () => void;
}

/** The file that is shown says what its keys do; `null` when it goes. */
export type OfferKeys = (keys: FileKeys | null) => void;

export interface ReviewKeys {
  readonly place: ReviewPlace;
  readonly view: DiffView;
  readonly onView: (change: Partial<DiffView>) => void;
  readonly change: ChangeDraft;
  readonly canDecide: boolean;
  readonly canComment: boolean;
}

export function useReviewKeys(keys: ReviewKeys): OfferKeys {
  const ofFile = useRef<FileKeys | null>(null);
  const { place, view, onView, change, canDecide, canComment } = keys;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const acts = actsOf({ place, view, onView, change, canDecide, canComment }, ofFile.current);
      const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [place, view, onView, change, canDecide, canComment]);
  return useCallback((offered) => {
    ofFile.current = offered;
  }, []);
}

function isTyping(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return true;
  return event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null;
}

function actsOf(
  { place, view, onView, change, canDecide, canComment }: ReviewKeys,
  file: FileKeys | null,
): Readonly<Record<string, () => void>> {
  const { path, stepHunk, stepFile } = place;
  return {
    j: () => stepHunk(1),
    k: () => stepHunk(-1),
    l: () => stepFile(1),
    h: () => stepFile(-1),
    s: () => onView({ mode: view.mode === "split" ? "unified" : "split" }),
    ...(path === null ? {} : { m: () => change((draft) => setViewed(draft, path, !draft.viewed.includes(path))) }),
    ...(canComment && file !== null ? { c: file.comment } : {}),
    ...(canDecide && file !== null ? { a: () => file.decide(true), x: () => file.decide(false), e: file.edit } : {}),
  };
}
