// Keeps the places of a run's graph from one snapshot to the next, so that nothing ever moves.

import { useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { layoutGraph } from "./layout.ts";
import type { GraphLayout } from "./layout.ts";

/** The layout of `snapshot`, the same object while no subagent has come. Another run begins anew. */
export function useGraphLayout({ run, subagents }: RunSnapshot): GraphLayout {
  const [kept, setKept] = useState<{ readonly run: RunId; readonly layout: GraphLayout }>(() => ({
    run,
    layout: layoutGraph(subagents),
  }));
  const layout = layoutGraph(subagents, kept.run === run ? kept.layout : undefined);
  if (layout !== kept.layout || run !== kept.run) setKept({ run, layout });
  return layout;
}
