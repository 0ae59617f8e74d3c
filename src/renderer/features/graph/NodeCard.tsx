// One subagent as a card. Drawn again only when what it shows has changed: every prop is a primitive, or an object that
// snapshots share while it stays as it is.

import { memo } from "react";

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import type { Shape } from "../../ui/Mark.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { useNow } from "../../ui/useNow.ts";
import { describeTime, describeUsage, ordinalOf, shorten } from "../subagents.ts";
import type { Box } from "./geometry.ts";

export interface NodeCardProps extends Box {
  readonly isReached: boolean;
  readonly isSelected: boolean;
  readonly subagent: SubagentSnapshot;
  readonly shape: Shape;
  readonly word: string;
  readonly says: string;
  readonly replacedBy: number;
  /** Epoch ms that is shown; `null` for now. */
  readonly moment: number | null;
  /** Why it stands where it does, in sentences; empty where nothing is to be said. */
  readonly reasons: string;
  readonly onChoose: (id: SubagentId) => void;
}

export const NodeCard = memo(function NodeCard(props: NodeCardProps) {
  const { subagent, shape, word, says, replacedBy, moment, isReached, isSelected, reasons, onChoose } = props;
  const { id, role, title, model, replaces, startedAt, endedAt } = subagent;
  return (
    <>
      {replaces !== undefined && (
        <div
          className="node-sheet"
          aria-hidden="true"
          style={{ left: props.x + 6, top: props.y - 14, width: props.width - 12 }}
        >
          replaces {ordinalOf(replaces)}
        </div>
      )}
      {/* The graph around it walks and selects by key for all of its cards. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        className="node"
        role="option"
        aria-selected={isSelected}
        tabIndex={isReached ? 0 : -1}
        data-agent={id}
        data-standing={shape}
        data-begun={startedAt !== null}
        style={{ left: props.x, top: props.y, width: props.width, height: props.height }}
        onClick={() => onChoose(id)}
      >
        <span className="node-top">
          <RoleName role={role} />
          <span className="node-ordinal">
            {ordinalOf(id)}
            {replacedBy > 0 && `, now ${replacedBy}`}
          </span>
          <Mark shape={shape} word={word} />
        </span>
        <span className="node-title">{title}</span>
        {says !== "" && <span className="node-says one">{shorten(says)}</span>}
        <span className="node-figures fig">
          <span>
            {endedAt === null && moment === null ? (
              <Running subagent={subagent} />
            ) : (
              describeTime(subagent, moment ?? endedAt ?? 0)
            )}
          </span>
          {startedAt !== null && describeUsage(subagent).map((figure) => <span key={figure}>{figure}</span>)}
          <span className="node-model one">{model}</span>
        </span>
        {reasons !== "" && <span className="heard">{reasons}</span>}
      </div>
    </>
  );
});

/** The only part of a card that changes by itself. */
function Running({ subagent }: { readonly subagent: SubagentSnapshot }) {
  return describeTime(subagent, useNow(1_000));
}
