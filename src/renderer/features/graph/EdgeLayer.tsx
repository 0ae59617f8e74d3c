// The lines between the cards. Says nothing to a screen reader: a card's dependencies are in the tree.

import { memo } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { EdgeLine } from "./edges.ts";

export interface EdgeLayerProps {
  readonly lines: readonly EdgeLine[];
  readonly selected: AgentId | null;
  /** Whether there is room for words on lines that are not lit. */
  readonly isRoomy: boolean;
}

export const EdgeLayer = memo(function EdgeLayer({ lines, selected, isRoomy }: EdgeLayerProps) {
  const isLit = ({ from, to }: EdgeLine) => selected !== null && (from === selected || to === selected);
  // What is lit lies over what is not.
  const ordered = lines.toSorted((a, b) => Number(isLit(a)) - Number(isLit(b)));
  return (
    <svg className="edges" aria-hidden="true">
      {ordered.map((line) => (
        <g key={`${line.from} ${line.to}`} className="edge" data-kind={line.kind} data-lit={isLit(line)}>
          <path className="edge-line" d={line.path} />
          {line.kind === "broke" ? (
            <path className="edge-cross" d={crossAt(line.middle)} />
          ) : (
            <path className="edge-tip" d={`M${line.tip.x} ${line.tip.y}l-7-3.5v7z`} />
          )}
          {line.label !== "" && (isRoomy || isLit(line)) && (
            <text x={line.middle.x} y={labelY(line)}>
              {line.label}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
});

/** On a slope the word sits on the line, on a level line above it. */
function labelY({ tip, middle, kind }: EdgeLine): number {
  return kind === "broke" || Math.abs(tip.y - middle.y) < 12 ? middle.y - 8 : middle.y + 3.5;
}

function crossAt({ x, y }: { readonly x: number; readonly y: number }): string {
  return `M${x - 3.5} ${y - 3.5}l7 7M${x + 3.5} ${y - 3.5}l-7 7`;
}
