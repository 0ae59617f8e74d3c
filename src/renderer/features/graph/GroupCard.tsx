// What has finished of one wave, put together: a sheet over the cells of its members, a dot for each where its card would be.

import { memo } from "react";

import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { formatCount } from "../../ui/formats.ts";
import { ordinalOf } from "../subagents.ts";
import { boxOf } from "./geometry.ts";
import type { Geometry } from "./geometry.ts";
import { describeGroup, groupKey } from "./groups.ts";
import type { Group } from "./groups.ts";
import type { GraphLayout } from "./layout.ts";

export interface GroupCardProps {
  readonly group: Group;
  readonly layout: GraphLayout;
  readonly geometry: Geometry;
  readonly isReached: boolean;
  readonly isSelected: boolean;
  readonly onOpen: (wave: number) => void;
}

/** States of a dot, in the order in which they are drawn. */
const endings = ["completed", "cancelled", "failed"] as const;

export const GroupCard = memo(function GroupCard(props: GroupCardProps) {
  const { group, layout, geometry, isReached, isSelected, onOpen } = props;
  const { wave, members } = group;
  const boxes = members.flatMap((member) => {
    const place = layout.places.get(member.id);
    return place === undefined ? [] : [{ member, ...boxOf(place, geometry) }];
  });
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - left;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - top;
  const tokens = members.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  return (
    // The graph around it walks and opens by key for all of its cards.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className="node-group"
      role="option"
      aria-selected={isSelected}
      tabIndex={isReached ? 0 : -1}
      data-agent={groupKey(wave)}
      title="Open"
      style={{ left, top, width, height }}
      onClick={() => onOpen(wave)}
    >
      <svg aria-hidden="true">
        {endings.map((ending) => (
          <path
            key={ending}
            data-ending={ending}
            d={dotsOf(
              boxes.filter(({ member }) => member.status === ending),
              left,
              top,
            )}
          />
        ))}
      </svg>
      <span className="node-group-words">
        <b>
          {ordinalOf(members[0]?.id ?? "lead")} to {ordinalOf(members.at(-1)?.id ?? "lead")}
        </b>{" "}
        {describeGroup(members)}, <span className="fig">{formatCount(tokens)} tokens</span>
      </span>
    </div>
  );
});

interface DotBox {
  readonly member: SubagentSnapshot;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A stroke without length is a dot of its own width: one path for all of a kind. */
function dotsOf(boxes: readonly DotBox[], left: number, top: number): string {
  return boxes
    .map(({ x, y, width, height }) => `M${Math.round(x + width / 2 - left)} ${Math.round(y + height / 2 - top)}h.01`)
    .join("");
}
