// The place in the window's address, so that a reload and a bookmark keep it.

import { useCallback, useMemo, useSyncExternalStore } from "react";

import { readPlace, writePlace } from "./place.ts";
import type { Place } from "./place.ts";

/** Changes parts of the place. `push`: going back leads to where it was; without, the address is replaced. */
export type Go = (changes: Partial<Place>, push?: "push") => void;

const changed = "coppice-place";

export function usePlace(): readonly [place: Place, go: Go] {
  const search = useSyncExternalStore(listen, () => window.location.search);
  const place = useMemo(() => readPlace(search), [search]);
  const go = useCallback<Go>((changes, push) => {
    const address = writePlace({ ...readPlace(window.location.search), ...changes });
    if (address === window.location.search) return;
    if (push === undefined) window.history.replaceState(null, "", address);
    else window.history.pushState(null, "", address);
    window.dispatchEvent(new Event(changed));
  }, []);
  return [place, go];
}

function listen(onChange: () => void): () => void {
  window.addEventListener("popstate", onChange);
  window.addEventListener(changed, onChange);
  return () => {
    window.removeEventListener("popstate", onChange);
    window.removeEventListener(changed, onChange);
  };
}
