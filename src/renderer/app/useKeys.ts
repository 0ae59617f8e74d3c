// Hears keys for the whole window. An action of the table is carried out; where a part of the screen hears its own usual
// keys, a person's other ones are passed on to it as those, so that it need not know of them.

import { useLayoutEffect } from "react";

import { actionEntries, type ActionEntry, keysOf } from "./actions.ts";
import { isMac } from "../ui/modKey.ts";
import { matchKeys, readKeys, worksInFields } from "./keys.ts";

/** What an action does right now, by its id; one that is not in it cannot be done now. */
export type Runners = Readonly<Record<string, (digit: number | null) => void>>;

export type OwnKeys = Readonly<Record<string, string>>;

export function useKeys(runners: Runners, own: OwnKeys): void {
  // Before the page is painted: whoever sees it can use its keys.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event, runners, own);
    // Before the parts of the screen: what they must not hear is kept from them.
    window.addEventListener("keydown", listener, true);
    return () => window.removeEventListener("keydown", listener, true);
  }, [runners, own]);
}

function hear(event: KeyboardEvent, runners: Runners, own: OwnKeys): void {
  // Events of our own making have been translated already.
  if (!event.isTrusted || event.isComposing || event.defaultPrevented) return;
  const target = event.target instanceof Element ? event.target : document.body;
  // A dialog has the keyboard to itself; the palette and the sheet close by their own keys.
  if (target.closest("dialog") !== null || document.querySelector("dialog:modal") !== null) return;
  // New keys are being taken down: they mean nothing yet.
  if (target.closest("[data-takes-keys]") !== null) return;
  const isWriting = target.closest("input, textarea, select, [contenteditable=true]") !== null;
  if (!isWriting && translate(event, target, own)) return;
  for (const entry of actionEntries) {
    const keys = keysOf(entry, own);
    const runner = runners[entry.id];
    if (entry.isLocal === true || runner === undefined) continue;
    if (isWriting && (entry.isQuietInFields === true || !worksInFields(keys))) continue;
    const match = matchKeys(keys, event, isMac);
    if (match === null) continue;
    event.preventDefault();
    event.stopPropagation();
    runner(match.digit);
    return;
  }
}

/** Passes a person's own keys on as the usual ones, and keeps back usual ones that they have given up. Answers whether it did either. */
function translate(event: KeyboardEvent, target: Element, own: OwnKeys): boolean {
  const here = actionEntries.filter(({ within }) => within !== undefined && target.closest(within) !== null);
  const isOwn = (entry: ActionEntry) => keysOf(entry, own) !== entry.keys;
  const meant = here.find((entry) => isOwn(entry) && matchKeys(keysOf(entry, own), event, isMac) !== null);
  if (meant === undefined) {
    const usual = here.filter((entry) => matchKeys(entry.keys, event, isMac) !== null);
    if (usual.length === 0 || !usual.every(isOwn)) return false;
    event.stopPropagation();
    return true;
  }
  event.preventDefault();
  event.stopPropagation();
  target.dispatchEvent(usualEvent(meant.keys));
  return true;
}

function usualEvent(text: string): KeyboardEvent {
  const keys = readKeys(text);
  const key = keys?.key === "Space" ? " " : (keys?.key ?? "");
  return new KeyboardEvent("keydown", {
    key,
    shiftKey: keys?.shift === true,
    altKey: keys?.alt === true,
    ctrlKey: keys?.mod === true && !isMac,
    metaKey: keys?.mod === true && isMac,
    bubbles: true,
    cancelable: true,
  });
}
