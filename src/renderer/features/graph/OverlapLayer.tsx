// What joins two cards that touch the same files, or would conflict. Says nothing to a screen reader: it is among a card's reasons.

import { Blend, Zap } from "lucide-react";
import { memo } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { OverlapLine } from "./overlaps.ts";

export interface OverlapLayerProps {
  readonly lines: readonly OverlapLine[];
  readonly selected: AgentId | null;
}

export const OverlapLayer = memo(function OverlapLayer({ lines, selected }: OverlapLayerProps) {
  return (
    <div className="overlaps" aria-hidden="true">
      <svg className="edges">
        {lines.map(({ agents, drawn, isNear, isClash }) => (
          <path
            key={agents.join(" ")}
            className="overlap"
            data-clash={isClash}
            data-lit={isLit(agents, selected)}
            data-near={isNear}
            d={drawn}
          />
        ))}
      </svg>
      {lines
        .filter(({ isNear, isClash }) => isNear || isClash)
        .map(({ agents, path, fileCount, x, y, isClash }) => (
          <span key={agents.join(" ")} className="overlap-words" data-clash={isClash} style={{ left: x, top: y }}>
            {isClash ? <Zap size={11} /> : <Blend size={11} />}
            <span className="one">
              {isClash ? "would conflict in" : "both touch"} {path.split("/").at(-1)}
              {fileCount > 1 && ` and ${fileCount - 1} more`}
            </span>
          </span>
        ))}
    </div>
  );
});

function isLit(agents: readonly AgentId[], selected: AgentId | null): boolean {
  return selected !== null && agents.includes(selected);
}
