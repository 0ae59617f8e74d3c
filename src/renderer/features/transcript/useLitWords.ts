// Lights the words that are looked for in what is drawn of a list. The page itself is not changed: the ranges are told to
// the browser, and the colours are those of `::highlight(found)`.

import { useEffect } from "react";
import type { RefObject } from "react";

/** Most places that are lit: more than anybody can see at once. */
const maxRanges = 2_000;

/** After every drawing; lights nothing for no words. */
export function useLitWords(scroller: RefObject<HTMLElement | null>, words: string): void {
  useEffect(() => {
    const { highlights } = CSS as { readonly highlights?: HighlightRegistry };
    const wanted = words.trim().toLowerCase();
    if (highlights === undefined || scroller.current === null || wanted === "") return undefined;
    highlights.set("found", new Highlight(...rangesOf(scroller.current, wanted)));
    return () => void highlights.delete("found");
  });
}

function rangesOf(root: HTMLElement, wanted: string): readonly Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < maxRanges; node = walker.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? "";
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      // A letter may be another number of units in lower case.
      if (at + wanted.length > (node.textContent?.length ?? 0)) break;
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
