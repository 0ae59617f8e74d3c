// Which run is looked at. It stands in the address (`#run/ID`), so that a reload and a bookmark keep it.

import { useCallback, useSyncExternalStore } from "react";

import type { RunId } from "../../shared/contract/ids.ts";
import { isTopic } from "../../shared/contract/topics.ts";

export function useSelectedRun(): readonly [selected: RunId | null, select: (run: RunId) => void] {
  const hash = useSyncExternalStore(listen, () => window.location.hash);
  const select = useCallback((run: RunId) => {
    // Replaced, not pushed: walking the list with the arrow keys is no history worth going back through.
    window.history.replaceState(null, "", `#run/${run}`);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  }, []);
  const topic = hash.slice(1);
  return [isTopic(topic) && topic !== "runs" ? (topic.slice("run/".length) as RunId) : null, select];
}

function listen(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}
