// What the application asks of this window (a menu, a link, a notification), carried out once each.

import { useEffect, useRef } from "react";

import type { WindowWish } from "../../shared/contract/window.ts";
import { useTopic } from "../client/Client.tsx";

/** Hands each wish to `carryOut`, in order. */
export function useWishes(carryOut: (wish: WindowWish) => void): void {
  const { snapshot } = useTopic("window");
  const doneN = useRef(0);
  useEffect(() => {
    for (const wish of snapshot?.asked ?? []) {
      if (wish.n <= doneN.current) continue;
      doneN.current = wish.n;
      carryOut(wish);
    }
  }, [snapshot, carryOut]);
}
