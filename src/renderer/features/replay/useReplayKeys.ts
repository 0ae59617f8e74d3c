// The replay by keyboard, wherever on the run's screen the focus is, except where the same key means something else.

import { useEffect } from "react";

import type { Replay } from "./useReplay.ts";

/** Things that take Space and arrows for themselves. */
const takers = "input, textarea, select, button, a, summary, dialog, [role=option], [role=treeitem], [role=tab]";

export function useReplayKeys(replay: Replay): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event, replay);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [replay]);
}

function onKeyDown(event: KeyboardEvent, { seek, step, toMark, togglePlay }: Replay): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.closest(takers) !== null) return;
  const commands: Readonly<Record<string, () => void>> = {
    " ": togglePlay,
    ArrowLeft: () => (event.shiftKey ? toMark(-1) : step(-1)),
    ArrowRight: () => (event.shiftKey ? toMark(1) : step(1)),
    Home: () => seek(1),
    End: () => seek(null),
  };
  const command = commands[event.key];
  if (command === undefined) return;
  event.preventDefault();
  command();
}
