// The graph by keyboard: arrows walk the cards, Enter selects or takes a group apart, and the window follows the focus.

import { useCallback, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import { boxOf } from "./geometry.ts";
import type { Geometry, Size } from "./geometry.ts";
import { groupKey } from "./groups.ts";
import type { Cards } from "./useCards.ts";
import type { ViewportHandle } from "./useViewport.ts";
import { fitInto, reveal, zoomBy } from "./viewport.ts";
import { stepFrom } from "./walk.ts";

interface GraphKeysOptions {
  readonly root: RefObject<HTMLElement | null>;
  readonly cards: Cards;
  readonly geometry: Geometry;
  readonly extent: Size;
  readonly selected: AgentId | null;
  readonly onSelect: (agent: AgentId) => void;
  readonly move: ViewportHandle["move"];
}

export interface GraphKeys {
  /** Key of the card that Tab reaches: where the keyboard was, else the selected one, else the first. */
  readonly reached: string | null;
  readonly choose: (agent: AgentId) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

export function useGraphKeys({ root, cards, geometry, extent, selected, onSelect, move }: GraphKeysOptions): GraphKeys {
  const [walked, setWalked] = useState<string | null>(null);
  const stopOf = (key: string | null | undefined) => cards.stops.find((stop) => stop.key === key);
  const reached = (stopOf(walked) ?? stopOf(selected) ?? cards.stops[0])?.key ?? null;
  const choose = useCallback(
    (agent: AgentId) => {
      setWalked(agent);
      onSelect(agent);
    },
    [onSelect],
  );

  function focusOn(key: string): void {
    setWalked(key);
    const place = stopOf(key)?.place;
    if (place !== undefined) move((viewport, size) => reveal(viewport, boxOf(place, geometry), size));
    const focus = () =>
      root.current?.querySelector<HTMLElement>(`[data-agent="${key}"]`)?.focus({ preventScroll: true });
    // A card that has only just come out of its group is there after the next frame.
    if (place !== undefined || key === "lead") focus();
    else requestAnimationFrame(focus);
  }
  function press(key: string): boolean {
    const group = cards.groups.find(({ wave }) => groupKey(wave) === key);
    // The lead is a button, which answers by itself.
    if (key === "lead") return false;
    if (group === undefined) choose(key as AgentId);
    else {
      cards.fold(group.wave, "opened");
      focusOn(group.members[0]?.id ?? "lead");
    }
    return true;
  }
  function walk({ key, target }: KeyboardEvent<HTMLElement>): boolean {
    const here = target instanceof HTMLElement ? target.dataset["agent"] : undefined;
    if (here === undefined) return false;
    if (key === "Enter" || key === " ") return press(here);
    const next = stepFrom(cards.stops, here, key);
    if (next !== null) focusOn(next);
    return next !== null;
  }
  function zoom(factor: number): void {
    move((viewport, { width, height }) => zoomBy(viewport, factor, { x: width / 2, y: height / 2 }));
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const commands: Readonly<Record<string, () => void>> = {
      "+": () => zoom(1.25),
      "=": () => zoom(1.25),
      "-": () => zoom(0.8),
      "0": () => move(() => ({ x: 0, y: 0, zoom: 1 })),
      f: () => move((_, size) => fitInto(extent, size)),
    };
    const command = commands[event.key.toLowerCase()];
    if (command !== undefined) command();
    else if (!walk(event)) return;
    event.preventDefault();
  }
  return { reached, choose, onKeyDown };
}
