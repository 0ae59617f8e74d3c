// The regions of the window, between which one goes by key. A region is marked `data-region`; the element in it that Tab
// would reach takes the focus.

/** Gives the focus to the next region (`1`) or the one before (`-1`), around the window. */
export function focusRegion(step: 1 | -1): void {
  // One that is hidden has no box.
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(
    (region) => region.getClientRects().length > 0,
  );
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  // From nowhere, back leads to the last.
  const next = regions.at(at === -1 && step === -1 ? -1 : (at + step) % regions.length);
  (next?.querySelector<HTMLElement>('[tabindex="0"]') ?? next)?.focus();
}
