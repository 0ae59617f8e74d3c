// Whether the first steps are over in this window: done, or skipped. They can be opened again by name.

import { keepText } from "../ui/keep.ts";

const storageKey = "coppice.welcome";

export function isWelcomeOver(): boolean {
  return localStorage.getItem(storageKey) === "over";
}

/** The first steps are not shown unasked again. */
export function endWelcome(): void {
  keepText(localStorage, storageKey, "over");
}
