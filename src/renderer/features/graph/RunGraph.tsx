// The graph of a run: the lead's line along the top, waves of subagents hanging from it.
// Use: <RunGraph snapshot={snapshot} selected={agent} onSelect={select} />, in a box with a height; needs styles/graph.css
// and styles/agents.css. `moment` while replaying, `tools` for what stands beside its buttons. Reads no store.

import { Maximize, Minus, Plus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { viewRun } from "../subagents.ts";
import { EdgeLayer } from "./EdgeLayer.tsx";
import { GroupCard } from "./GroupCard.tsx";
import { LeadBar } from "./LeadBar.tsx";
import { NodeCard } from "./NodeCard.tsx";
import { WaveHeads } from "./WaveHeads.tsx";
import { drawEdges, edgesOf } from "./edges.ts";
import { boxOf, detailOf, extentOf, measureFor } from "./geometry.ts";
import type { Geometry } from "./geometry.ts";
import { groupFinished, groupKey } from "./groups.ts";
import type { Group } from "./groups.ts";
import type { GraphLayout, Place } from "./layout.ts";
import { useGraphLayout } from "./useGraphLayout.ts";
import { useViewport } from "./useViewport.ts";
import { fitInto, openOnto, reveal, zoomBy } from "./viewport.ts";
import { readingOrder, stepFrom } from "./walk.ts";

export interface RunGraphProps {
  readonly snapshot: RunSnapshot;
  readonly selected: AgentId | null;
  readonly onSelect: (agent: AgentId) => void;
  /** Epoch ms of the moment that is replayed; left out while live. */
  readonly moment?: number;
  readonly tools?: ReactNode;
}

/** From this many nodes on, what has finished is put together. */
const groupFromCount = 200;
/** Gap between waves in px from which lines carry words that are not lit. */
const roomyGap = 84;

export function RunGraph({ snapshot, selected, onSelect, moment, tools }: RunGraphProps) {
  const { subagents } = snapshot;
  const root = useRef<HTMLElement>(null);
  const layout = useGraphLayout(snapshot);
  const view = useMemo(() => viewRun(snapshot), [snapshot]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const groups = useMemo(() => groupFinished(subagents, layout, opened, groupFromCount), [subagents, layout, opened]);
  const [roomHeld, setRoomHeld] = useState({ width: 900, height: 460 });
  const geometry = useMemo(() => measureFor(roomHeld), [roomHeld]);
  const extent = useMemo(() => extentOf(layout, geometry), [layout, geometry]);
  const { stage, room, detail, move } = useViewport(root, extent, (size) => openOnto(extent, size, subagents.length));
  if (room.width > 0 && room !== roomHeld) setRoomHeld(room);

  const cards = useCards(snapshot, layout, groups);
  const [reached, setReached] = useState<string | null>(null);
  const stop = cards.stops.some(({ key }) => key === reached)
    ? reached
    : (cards.keys.get(selected ?? "") ?? cards.stops[0]?.key);
  const lines = useMemo(
    () =>
      drawEdges(
        edgesOf(subagents, view.byId).filter(({ from, to }) => !cards.hidden.has(from) && !cards.hidden.has(to)),
        layout,
        geometry,
      ),
    [subagents, view, layout, geometry, cards],
  );
  const choose = useCallback(
    (agent: AgentId) => {
      setReached(agent);
      onSelect(agent);
    },
    [onSelect],
  );
  const open = useCallback((wave: number) => setOpened((before) => new Set([...before, wave])), []);

  function walk(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const middle = { x: room.width / 2, y: room.height / 2 };
    const commands: Readonly<Record<string, () => void>> = {
      "+": () => move((viewport) => zoomBy(viewport, 1.25, middle)),
      "=": () => move((viewport) => zoomBy(viewport, 1.25, middle)),
      "-": () => move((viewport) => zoomBy(viewport, 0.8, middle)),
      "0": () => move(() => ({ x: 0, y: 0, zoom: 1 })),
      f: () => move((_, size) => fitInto(extent, size)),
    };
    const command = commands[event.key.toLowerCase()];
    if (command !== undefined) command();
    else if (!walkTo(event)) return;
    event.preventDefault();
  }

  function walkTo({ key, target }: KeyboardEvent<HTMLElement>): boolean {
    const here = target instanceof HTMLElement ? (target.dataset["agent"] ?? null) : null;
    if (here === null) return false;
    if ((key === "Enter" || key === " ") && here !== "lead") {
      const group = groups.find(({ wave }) => groupKey(wave) === here);
      if (group === undefined) onSelect(here as AgentId);
      else {
        open(group.wave);
        focusOn(group.members[0]?.id ?? "lead");
      }
      return true;
    }
    const next = stepFrom(cards.stops, here, key);
    if (next !== null) focusOn(next);
    return next !== null;
  }

  function focusOn(key: string): void {
    setReached(key);
    const place = cards.stops.find((each) => each.key === key)?.place;
    if (place !== undefined) move((viewport, size) => reveal(viewport, boxOf(place, geometry), size));
    // A card that has only just come out of its group is there after the next frame.
    const focus = () =>
      root.current?.querySelector<HTMLElement>(`[data-agent="${key}"]`)?.focus({ preventScroll: true });
    if (cards.stops.some((each) => each.key === key) || key === "lead") focus();
    else requestAnimationFrame(focus);
  }

  return (
    <section
      className="graph"
      aria-label="Graph"
      ref={root}
      data-detail={detail}
      data-height={detailOf(geometry)}
      onKeyDown={walk}
    >
      <LeadBar snapshot={snapshot} isSelected={selected === "lead"} onChoose={() => onSelect("lead")}>
        <ZoomButtons
          onZoom={(factor) =>
            move((viewport, size) => zoomBy(viewport, factor, { x: size.width / 2, y: size.height / 2 }))
          }
          onFit={() => move((_, size) => fitInto(extent, size))}
        />
        {tools}
      </LeadBar>
      <WaveHeads snapshot={snapshot} layout={layout} geometry={geometry} />
      <div className="graph-stage" ref={stage}>
        <div className="graph-layer" style={{ width: extent.width, height: extent.height }}>
          <EdgeLayer lines={lines} selected={selected} isRoomy={geometry.gap >= roomyGap} />
          {cards.ghosts.map((place) => (
            <Ghost key={`${place.column}:${place.row}`} place={place} geometry={geometry} />
          ))}
          <div role="listbox" aria-label="Subagents, in waves from left to right" className="graph-cards">
            {groups.map((group) => (
              <GroupCard
                key={group.wave}
                group={group}
                layout={layout}
                geometry={geometry}
                isReached={stop === groupKey(group.wave)}
                isSelected={group.members.some(({ id }) => id === selected)}
                onOpen={open}
              />
            ))}
            {cards.shown.map((subagent) => {
              const account = view.accounts.get(subagent.id);
              const place = layout.places.get(subagent.id);
              if (account === undefined || place === undefined) return null;
              return (
                <NodeCard
                  key={subagent.id}
                  subagent={subagent}
                  {...account}
                  {...boxOf(place, geometry)}
                  moment={moment ?? null}
                  isReached={stop === subagent.id}
                  isSelected={selected === subagent.id}
                  onChoose={choose}
                />
              );
            })}
          </div>
        </div>
        {subagents.length === 0 && (
          <p className="graph-empty">No subagents yet. Each one that the lead spawns hangs from its line.</p>
        )}
      </div>
    </section>
  );
}

function useCards(snapshot: RunSnapshot, layout: GraphLayout, groups: readonly Group[]) {
  return useMemo(() => {
    const { subagents } = snapshot;
    const hidden = new Set<string>(groups.flatMap(({ members }) => members.map(({ id }) => id)));
    const shown = subagents.filter(({ id }) => !hidden.has(id));
    const keys = new Map<string, string>(shown.map(({ id }) => [id, id]));
    for (const { wave, members } of groups) keys.set(members[0]?.id ?? "", groupKey(wave));
    const present = new Set<string>(subagents.map(({ id }) => id));
    // At an earlier moment, the places of those that did not exist yet stay free.
    const ghosts = [...layout.places].filter(([id]) => !present.has(id)).map(([, place]) => place);
    return { hidden, shown, keys, ghosts, stops: readingOrder(layout, keys) };
  }, [snapshot, layout, groups]);
}

function Ghost({ place, geometry }: { readonly place: Place; readonly geometry: Geometry }) {
  const { x, y, width, height } = boxOf(place, geometry);
  return <div className="node-ghost" style={{ left: x, top: y, width, height }} />;
}

interface ZoomButtonsProps {
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

function ZoomButtons({ onZoom, onFit }: ZoomButtonsProps) {
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
}
