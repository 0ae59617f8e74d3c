// The review by keyboard: j and k walk the hunks, h and l the files, a accepts, x rejects, m marks a file as viewed.

import { useEffect } from "react";

import type { Hunks } from "./useHunks.ts";

export function useReviewKeys(hunks: Hunks, canDecide: boolean): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event, hunks, canDecide);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [hunks, canDecide]);
}

function onKeyDown(event: KeyboardEvent, hunks: Hunks, canDecide: boolean): void {
  const { path, number, decide, stepFile, stepHunk, toggleViewed } = hunks;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || path === null) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null) return;
  const commands: Readonly<Record<string, () => void>> = {
    j: () => stepHunk(1),
    k: () => stepHunk(-1),
    l: () => stepFile(1),
    h: () => stepFile(-1),
    m: () => toggleViewed(path),
    ...(canDecide ? { a: () => decide({ path, number }, true), x: () => decide({ path, number }, false) } : {}),
  };
  const command = commands[event.key];
  if (command === undefined) return;
  event.preventDefault();
  command();
}
