// Where a part of the screen that scrolls stands, and what of a list of lines is in sight.

import { useLayoutEffect, useState } from "react";
import type { RefObject } from "react";

export interface Scrolled {
  readonly top: number;
  readonly height: number;
}

/** Px. How far it is scrolled sideways goes into the style property `--x`, so that nothing is drawn anew for it. */
export function useScrolled(scroller: RefObject<HTMLDivElement | null>): Scrolled {
  const [scrolled, setScrolled] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const look = () => {
      const { scrollTop: top, clientHeight: height } = box;
      box.style.setProperty("--x", `${box.scrollLeft}px`);
      setScrolled((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    look();
    box.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => {
      box.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [scroller]);
  return scrolled;
}
