// The key that goes with others: Cmd on a Mac, Ctrl elsewhere.

import type { KeyboardEvent } from "react";

export const isMac = navigator.userAgent.includes("Mac");

/** How Mod+Enter is written on this machine. */
export const modEnter = isMac ? "⌘↵" : "Ctrl ↵";

/** Both count everywhere: a keyboard may be another machine's. */
export function isModEnter({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">): boolean {
  return key === "Enter" && (ctrlKey || metaKey);
}
