// Keeps a bounded piece of a long list in the page and what is looked at in its place, whatever is added or taken away around it.

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";

import { clampStart, windowSize, windowStep } from "./window.ts";

export interface EntryWindow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Around all that is scrolled: as it grows and shrinks, what is looked at stays where it is. */
  readonly content: RefObject<HTMLDivElement | null>;
  /** First entry in the page. */
  readonly start: number;
  readonly end: number;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  /** Brings the entry at `index` into sight, below the upper edge. */
  readonly show: (index: number) => void;
}

/** Px from an end at which more is brought into the page, and within which the end counts as reached. */
const nearPx = 600;
const endPx = 12;
/** Of what is shown on purpose, what stands above it stays in sight by so much. */
const showPx = 48;

/** `readMore` is called when the last entry comes near and more may follow. Entries carry `data-entry`. */
export function useEntryWindow(count: number, readMore: (() => void) | null): EntryWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // The first entry, or `end`: taken along when something is added there, until one scrolls away from it.
  const [wanted, setWanted] = useState<number | "end">(0);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const anchor = useRef<{ readonly key: string; readonly top: number } | null>(null);
  const lastTop = useRef(0);
  const start = clampStart(wanted === "end" ? count : wanted, count);
  const end = Math.min(count, start + windowSize);

  const look = useCallback(() => {
    const box = scroller.current;
    if (box === null) return;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    const isLast = end >= count;
    // What is added moves the end away from whoever stands there; away from the end leads only a scroll upwards.
    const isFollowing = wanted === "end" && box.scrollTop >= lastTop.current - 1;
    const isThere = isLast && readMore === null && (below <= endPx || isFollowing);
    lastTop.current = box.scrollTop;
    setIsAtEnd(isThere);
    anchor.current = anchorIn(box);
    // Whoever has not scrolled reads from the beginning; whoever was brought to the end stays there.
    if (isThere) setWanted((before) => (box.scrollTop > 0 ? "end" : before));
    else if (wanted === "end" && readMore === null) setWanted(start);
    else if (below < nearPx && !isLast) setWanted(clampStart(start + windowStep, count));
    else if (below < nearPx && readMore !== null) readMore();
    else if (box.scrollTop < nearPx && start > 0) setWanted(clampStart(start - windowStep, count));
  }, [wanted, start, end, count, readMore]);

  const toEnd = useCallback(() => setWanted("end"), []);
  const shown = useRef<number | null>(null);
  const [showCount, setShowCount] = useState(0);
  const show = useCallback((index: number) => {
    shown.current = index;
    setWanted(Math.max(0, index - windowStep));
    // Drawn again also where the window stays as it is.
    setShowCount((count) => count + 1);
  }, []);

  /** Whatever was added or taken away, what was looked at stands where it stood. */
  const settle = useCallback(() => {
    const box = scroller.current;
    if (box === null) return;
    const index = shown.current;
    const target = index === null ? undefined : box.querySelectorAll<HTMLElement>("[data-entry]")[index - start];
    if (target !== undefined) {
      shown.current = null;
      box.scrollTop = target.offsetTop - showPx;
      anchor.current = anchorIn(box);
    } else if (wanted === "end") {
      box.scrollTop = box.scrollHeight;
      readMore?.();
    } else {
      const held = anchor.current;
      const element = held === null ? null : box.querySelector<HTMLElement>(`[data-entry="${held.key}"]`);
      if (held !== null && element !== null) box.scrollTop += element.offsetTop - box.scrollTop - held.top;
    }
    lastTop.current = box.scrollTop;
  }, [wanted, start, readMore]);
  useLayoutEffect(settle, [settle, end, count, showCount]);
  useResized(scroller, content, settle);

  useEffect(() => {
    const box = scroller.current;
    look();
    box?.addEventListener("scroll", look, { passive: true });
    return () => box?.removeEventListener("scroll", look);
  }, [look]);
  return { scroller, content, start, end, isAtEnd, toEnd, show };
}

/** Calls `act` whenever one of the two has another size, before that is painted. */
function useResized(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, act: () => void): void {
  useEffect(() => {
    const observer = new ResizeObserver(act);
    for (const { current } of [box, content]) if (current !== null) observer.observe(current);
    return () => observer.disconnect();
  }, [box, content, act]);
}

/** The first entry in sight, and how far below the upper edge it begins. */
function anchorIn(box: HTMLElement): { readonly key: string; readonly top: number } | null {
  for (const element of box.querySelectorAll<HTMLElement>("[data-entry]")) {
    const top = element.offsetTop - box.scrollTop;
    if (top + element.offsetHeight > 0) return { key: element.dataset["entry"] ?? "", top };
  }
  return null;
}
