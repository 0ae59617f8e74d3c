// Text that its place cuts off is told whole where the pointer rests on it. Once for the window: places come and go, and a
// text fits at one width and not at another. What carries a title of its own, or a card that has one beside it, keeps that.

import { useEffect } from "react";

/** Whose titles are ours: they are measured anew each time. */
const mark = "data-cut";
/** As far up as a text's own box may stand above what is pointed at. */
const depth = 4;

export function useCutText(): void {
  useEffect(() => {
    const listening = new AbortController();
    const over = ({ target }: Event): void => {
      if (target instanceof HTMLElement) tellWhole(target);
    };
    document.addEventListener("pointerover", over, { passive: true, signal: listening.signal });
    return () => listening.abort();
  }, []);
}

function tellWhole(pointed: HTMLElement): void {
  let element: HTMLElement | null = pointed;
  for (let level = 0; level < depth && element !== null; level += 1, element = element.parentElement) {
    if (element.hasAttribute(mark)) {
      element.removeAttribute(mark);
      element.removeAttribute("title");
    }
    if (element.hasAttribute("title") || element.matches('[data-detail]:not([data-detail="near"]) .node')) return;
    if (!isCut(element)) continue;
    element.setAttribute(mark, "");
    element.title = (element.textContent ?? "").trim();
    return;
  }
}

function isCut(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth) return true;
  return webkitLineClamp !== "none" && element.scrollHeight > element.clientHeight + 1;
}
