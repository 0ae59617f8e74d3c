// The graph of a run: the lead's line along the top, waves of subagents hanging from it.
// Use: <RunGraph snapshot={snapshot} selected={agent} onSelect={select} />, in a box with a height; needs styles/agents.css,
// graph.css and cards.css. `moment` while replaying, `tools` for what stands beside its buttons. Reads no store.

import { Maximize, Minus, Plus } from "lucide-react";
import { memo, useCallback, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RadarPicture, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { viewRun } from "../subagents.ts";
import { EdgeLayer } from "./EdgeLayer.tsx";
import { GraphCards } from "./GraphCards.tsx";
import { LeadBar } from "./LeadBar.tsx";
import { NodePeek } from "./NodePeek.tsx";
import { RadarNote } from "./RadarNote.tsx";
import { OverlapLayer } from "./OverlapLayer.tsx";
import { WaveHeads } from "./WaveHeads.tsx";
import { drawEdges, edgesOf } from "./edges.ts";
import { detailOf, extentOf, measureFor } from "./geometry.ts";
import type { Size } from "./geometry.ts";
import { joinsOf, overlapLines } from "./overlaps.ts";
import { useCards } from "./useCards.ts";
import { useGraphKeys } from "./useGraphKeys.ts";
import { useGraphLayout } from "./useGraphLayout.ts";
import { useViewport } from "./useViewport.ts";
import { fitInto, openOnto, zoomBy } from "./viewport.ts";

export interface RunGraphProps {
  readonly snapshot: RunSnapshot;
  readonly selected: AgentId | null;
  readonly onSelect: (agent: AgentId) => void;
  /** Epoch ms of the moment that is replayed; left out while live. */
  readonly moment?: number;
  /** What would conflict now; left out where nothing would, and for the past. */
  readonly radar?: RadarPicture | undefined;
  readonly tools?: ReactNode;
  /** It is opened whole, however small that makes it; else where things happen. */
  readonly opensWhole?: boolean;
}

/** Gap between waves in px from which lines carry words that are not lit. */
const roomyGap = 84;
/** Before the box has been measured. */
const likelyRoom: Size = { width: 900, height: 460 };

export function RunGraph(props: RunGraphProps) {
  const { snapshot, selected, onSelect, moment, radar, tools, opensWhole = false } = props;
  const { subagents } = snapshot;
  const root = useRef<HTMLElement>(null);
  const layout = useGraphLayout(snapshot);
  const view = viewRun(snapshot);
  const cards = useCards(snapshot, layout);
  const [measured, setMeasured] = useState(likelyRoom);
  const geometry = useMemo(() => measureFor(measured), [measured]);
  const extent = useMemo(() => extentOf(layout, geometry), [layout, geometry]);
  const openView = useCallback(
    (room: Size) => (opensWhole && extent.width > 0 ? fitInto(extent, room) : openOnto(extent, room, subagents.length)),
    [opensWhole, extent, subagents.length],
  );
  const { stage, room, detail, move } = useViewport(root, extent, openView);
  if (room.width > 0 && room !== measured) setMeasured(room);
  const keys = useGraphKeys({ root, cards, geometry, extent, selected, onSelect, move });

  const { hidden } = cards;
  const edges = useMemo(() => edgesOf(subagents, view.byId), [subagents, view]);
  const lines = useMemo(
    () =>
      drawEdges(
        edges.filter(({ from, to }) => !hidden.has(from) && !hidden.has(to)),
        layout,
        geometry,
      ),
    [edges, hidden, layout, geometry],
  );
  const overlaps = useMemo(
    () => overlapLines(joinsOf(snapshot, radar), layout, geometry, hidden),
    [snapshot, radar, layout, geometry, hidden],
  );
  const fit = useCallback(() => move((_, size) => fitInto(extent, size)), [move, extent]);
  const zoom = useCallback(
    (factor: number) =>
      move((viewport, { width, height }) => zoomBy(viewport, factor, { x: width / 2, y: height / 2 })),
    [move],
  );

  return (
    // The keys are those of the cards inside, wherever in here the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="graph"
      aria-label="Graph"
      ref={root}
      data-detail={detail}
      data-height={detailOf(geometry)}
      onKeyDown={keys.onKeyDown}
    >
      <LeadBar snapshot={snapshot} isSelected={selected === "lead"} onChoose={() => onSelect("lead")}>
        <ZoomButtons onZoom={zoom} onFit={fit} />
        {tools}
      </LeadBar>
      <WaveHeads snapshot={snapshot} layout={layout} geometry={geometry} cards={cards} />
      <div className="graph-stage" ref={stage}>
        <div className="graph-layer" style={{ width: extent.width, height: extent.height }}>
          <EdgeLayer lines={lines} selected={selected} isRoomy={geometry.gap >= roomyGap} />
          <OverlapLayer lines={overlaps} selected={selected} />
          <GraphCards
            snapshot={snapshot}
            cards={cards}
            view={view}
            layout={layout}
            geometry={geometry}
            selected={selected}
            reached={keys.reached}
            moment={moment ?? null}
            radar={radar}
            onChoose={keys.choose}
          />
        </div>
        <NodePeek snapshot={snapshot} view={view} radar={radar} detail={detail} stage={stage} />
        <RadarNote radar={radar} onSelect={onSelect} />
        {subagents.length === 0 && <p className="graph-empty">{emptyWords(snapshot)}</p>}
      </div>
    </section>
  );
}

function emptyWords({ status }: RunSnapshot): string {
  return status === "stopped" || status === "imported"
    ? "No subagents: the lead sent nobody."
    : "No subagents yet. Each one that the lead sends hangs from its line.";
}

interface ZoomButtonsProps {
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

const ZoomButtons = memo(function ZoomButtons({ onZoom, onFit }: ZoomButtonsProps) {
  return (
    <>
      <button type="button" className="btn bare" aria-label="Zoom out" title="Zoom out (−)" onClick={() => onZoom(0.8)}>
        <Minus size={14} aria-hidden="true" />
      </button>
      <button type="button" className="btn bare" aria-label="Zoom in" title="Zoom in (+)" onClick={() => onZoom(1.25)}>
        <Plus size={14} aria-hidden="true" />
      </button>
      <button type="button" className="btn bare" aria-label="Fit the graph" title="Fit (F)" onClick={onFit}>
        <Maximize size={14} aria-hidden="true" />
      </button>
    </>
  );
});
