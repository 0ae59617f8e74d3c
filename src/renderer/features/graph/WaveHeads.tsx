// The lead's line with a bud over each wave: when it opened and who is in it. Stays at the top however the graph is panned.

import { ChevronsDownUp, ChevronsUpDown } from "lucide-react";
import { memo } from "react";

import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { formatTime } from "../../ui/formats.ts";
import { waveX } from "./geometry.ts";
import type { Geometry } from "./geometry.ts";
import type { GraphLayout } from "./layout.ts";
import type { Cards } from "./useCards.ts";
import { describeMembers } from "./waveWords.ts";

export interface WaveHeadsProps {
  readonly snapshot: RunSnapshot;
  readonly layout: GraphLayout;
  readonly geometry: Geometry;
  readonly cards: Cards;
}

export const WaveHeads = memo(function WaveHeads({ snapshot: { subagents }, layout, geometry, cards }: WaveHeadsProps) {
  const present = new Map<string, SubagentSnapshot>(subagents.map((subagent) => [subagent.id, subagent]));
  const heads = layout.waves
    .map(({ members }, index) => ({
      index,
      x: waveX(layout, index, geometry),
      width:
        (index + 1 < layout.waves.length ? waveX(layout, index + 1, geometry) : Infinity) -
        waveX(layout, index, geometry),
      members: members.flatMap((id) => present.get(id) ?? []),
    }))
    .filter(({ members }) => members.length > 0);
  const last = heads.at(-1);
  return (
    <div className="waves">
      {last && (
        <i className="waves-line" style={{ width: `calc(var(--x) + ${last.x + 7.5}px * var(--zoom) - 23px)` }} />
      )}
      {heads.map(({ index, x, width, members }) => (
        <p
          key={index}
          className="wave"
          style={{
            left: `calc(var(--x) + ${x}px * var(--zoom))`,
            ...(width < Infinity && { width: `calc(${width}px * var(--zoom) - 6px)` }),
          }}
        >
          <b>Wave {index + 1}</b> <span className="fig">{formatTime(openedAt(members)).slice(0, 5)}</span>{" "}
          <span className="one">{describeMembers(members)}</span>
          <WaveFold index={index} cards={cards} />
        </p>
      ))}
    </div>
  );
});

/** Puts what has finished of a wave together, or takes it apart again. Positions stay: a sheet lies over its cells. */
function WaveFold({ index, cards }: { readonly index: number; readonly cards: Cards }) {
  const count = cards.foldable.get(index);
  if (count === undefined) return null;
  const isClosed = cards.groups.some(({ wave }) => wave === index);
  const label = isClosed
    ? `Show the ${count} finished of wave ${index + 1}`
    : `Put the ${count} finished of wave ${index + 1} together`;
  const Sign = isClosed ? ChevronsUpDown : ChevronsDownUp;
  return (
    <button
      type="button"
      className="btn bare wave-fold"
      aria-label={label}
      title={label}
      aria-expanded={!isClosed}
      onClick={() => cards.fold(index, isClosed ? "opened" : "closed")}
    >
      <Sign size={11} aria-hidden="true" />
    </button>
  );
}

/** When the first of them began; while none has, when the first was created. */
function openedAt(members: readonly SubagentSnapshot[]): number {
  const started = members.flatMap(({ startedAt }) => startedAt ?? []);
  return Math.min(...(started.length > 0 ? started : members.map(({ createdAt }) => createdAt)));
}
