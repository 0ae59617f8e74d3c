// The comparison of two runs with its graphs: each walks and selects for itself, and leads into its run.

import { useCallback, useState } from "react";

import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../shared/contract/snapshots.ts";
import { CompareScreen } from "../features/compare/CompareScreen.tsx";
import { RunGraph } from "../features/graph/RunGraph.tsx";
import { fresh, type Place } from "./place.ts";
import type { Go } from "./usePlace.ts";

export interface ComparePlaceProps {
  readonly place: Place;
  readonly go: Go;
}

export function ComparePlace({ place: { run, beside }, go }: ComparePlaceProps) {
  const choose = useCallback((first: RunId, second: RunId) => go({ run: first, beside: second }), [go]);
  const open = useCallback((chosen: RunId) => go({ ...fresh, run: chosen }, "push"), [go]);
  return <CompareScreen run={run} beside={beside} onChoose={choose} onOpen={open} picture={picture} />;
}

function picture(snapshot: RunSnapshot) {
  return <Picture key={snapshot.run} snapshot={snapshot} />;
}

function Picture({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const [selected, setSelected] = useState<AgentId>("lead");
  return <RunGraph snapshot={snapshot} selected={selected} onSelect={setSelected} opensWhole />;
}
