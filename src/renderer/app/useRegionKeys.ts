// F6 and Shift+F6 go from region to region. A region is marked `data-region`; the element in it that Tab would reach takes the focus.

import { useEffect } from "react";

export function useRegionKeys(): void {
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "F6") return;
  event.preventDefault();
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const step = event.shiftKey ? -1 : 1;
  const next = regions.at((at + step) % regions.length);
  (next?.querySelector<HTMLElement>('[tabindex="0"]') ?? next)?.focus();
}
