// How diffs are shown: in one column or two, white space counted or not. Kept for the next review.

import { useCallback, useState } from "react";

import type { ViewMode } from "./diffLines.ts";
import { keepText } from "../../ui/keep.ts";

export interface DiffView {
  readonly mode: ViewMode;
  readonly hidesSpace: boolean;
}

const name = "coppice.diff";

export function useView(): readonly [DiffView, (change: Partial<DiffView>) => void] {
  const [view, setView] = useState(readView);
  const change = useCallback((more: Partial<DiffView>) => {
    setView((before) => {
      const after = { ...before, ...more };
      keepText(localStorage, name, `${after.mode} ${after.hidesSpace ? "without space" : "all"}`);
      return after;
    });
  }, []);
  return [view, change];
}

function readView(): DiffView {
  const kept = localStorage.getItem(name) ?? "";
  return { mode: kept.startsWith("split") ? "split" : "unified", hidesSpace: kept.endsWith("without space") };
}
