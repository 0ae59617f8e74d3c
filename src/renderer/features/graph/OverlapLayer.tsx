// What joins two cards that touch the same files, would conflict, or may not run side by side. Says nothing to a screen reader: it is among a card's reasons.

import { Blend, Scale, Zap } from "lucide-react";
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
        {lines.map(({ agents, drawn, isNear, kind }) => (
          <path
            key={`${kind} ${agents.join(" ")}`}
            className="overlap"
            data-kind={kind}
            data-lit={isLit(agents, selected)}
            data-near={isNear}
            d={drawn}
          />
        ))}
      </svg>
      {lines
        .filter(({ isNear, kind }) => isNear || kind === "clash")
        .map(({ agents, path, fileCount, x, y, kind }) => (
          <span
            key={`${kind} ${agents.join(" ")}`}
            className="overlap-words"
            data-kind={kind}
            style={{ left: x, top: y }}
          >
            {icons[kind]}
            <span className="one">
              {kind === "rule" ? path : `${verbs[kind]} ${path.split("/").at(-1) ?? ""}`}
              {fileCount > 1 && ` and ${fileCount - 1} more`}
            </span>
          </span>
        ))}
    </div>
  );
});

const icons = { overlap: <Blend size={11} />, clash: <Zap size={11} />, rule: <Scale size={11} /> } as const;
const verbs = { overlap: "both touch", clash: "would conflict in" } as const;

function isLit(agents: readonly AgentId[], selected: AgentId | null): boolean {
  return selected !== null && agents.includes(selected);
}
