// Which of the two side panels are shown. Kept for this window's next opening; a panel that goes away gives its focus to the
// middle.

import { useCallback, useState } from "react";
import { keepText } from "../ui/keep.ts";

export type PanelSide = "left" | "right";
export type Panels = Readonly<Record<PanelSide, boolean>>;

const storageKey = "coppice.panels";

export function usePanels(): readonly [shown: Panels, toggle: (side: PanelSide) => void] {
  const [panels, setPanels] = useState<Panels>(() => recall(localStorage.getItem(storageKey)));
  const toggle = useCallback((side: PanelSide) => {
    setPanels((before) => {
      const after = { ...before, [side]: !before[side] };
      keepText(localStorage, storageKey, JSON.stringify(after));
      return after;
    });
    const panel = side === "left" ? ".rail" : ".inspector";
    if (document.activeElement?.closest(panel) != null) document.querySelector<HTMLElement>("main")?.focus();
  }, []);
  return [panels, toggle];
}

function recall(text: string | null): Panels {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    const isShown = (side: PanelSide) =>
      typeof kept !== "object" || kept === null || !(side in kept) || (kept as Record<string, unknown>)[side] !== false;
    return { left: isShown("left"), right: isShown("right") };
  } catch {
    // Another version, or another hand, wrote it: both are shown.
    return { left: true, right: true };
  }
}
