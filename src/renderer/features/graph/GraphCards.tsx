// The cards at their places, in one list of which the keyboard reaches one.

import { useCallback } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RadarPicture, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { RunView } from "../subagents.ts";
import { GroupCard } from "./GroupCard.tsx";
import { NodeCard } from "./NodeCard.tsx";
import { boxOf } from "./geometry.ts";
import type { Geometry } from "./geometry.ts";
import { groupKey } from "./groups.ts";
import type { GraphLayout, Place } from "./layout.ts";
import { reasonsOf } from "./reasons.ts";
import type { Cards } from "./useCards.ts";

export interface GraphCardsProps {
  readonly snapshot: RunSnapshot;
  readonly cards: Cards;
  readonly view: RunView;
  readonly layout: GraphLayout;
  readonly geometry: Geometry;
  readonly selected: AgentId | null;
  /** Key of the card that Tab reaches. */
  readonly reached: string | null;
  readonly moment: number | null;
  readonly radar: RadarPicture | undefined;
  readonly onChoose: (agent: AgentId) => void;
}

export function GraphCards(props: GraphCardsProps) {
  const { snapshot, cards, view, layout, geometry, selected, reached, moment, radar, onChoose } = props;
  const { fold } = cards;
  const openGroup = useCallback((wave: number) => fold(wave, "opened"), [fold]);
  if (cards.stops.length === 0) return null;
  return (
    <>
      {cards.ghosts.map((place) => (
        <Ghost key={`${place.column}:${place.row}`} place={place} geometry={geometry} />
      ))}
      <div role="listbox" aria-label="Subagents, in waves from left to right">
        {cards.groups.map((group) => (
          <GroupCard
            key={group.wave}
            group={group}
            layout={layout}
            geometry={geometry}
            isReached={reached === groupKey(group.wave)}
            isSelected={group.members.some(({ id }) => id === selected)}
            onOpen={openGroup}
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
              moment={moment}
              isReached={reached === subagent.id}
              isSelected={selected === subagent.id}
              reasons={reasonsOf(subagent, snapshot, view, radar).join(". ")}
              onChoose={onChoose}
            />
          );
        })}
      </div>
    </>
  );
}

function Ghost({ place, geometry }: { readonly place: Place; readonly geometry: Geometry }) {
  const { x, y, width, height } = boxOf(place, geometry);
  return <div className="node-ghost" style={{ left: x, top: y, width, height }} />;
}
