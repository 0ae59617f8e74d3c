// The lead: who it is, what it waits for or does, what it has used; and the graph's own buttons at its end.

import type { ReactNode } from "react";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { describeLead, describeLeadUsage } from "../subagents.ts";

export interface LeadBarProps {
  readonly snapshot: RunSnapshot;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function LeadBar({ snapshot, isSelected, onChoose, children }: LeadBarProps) {
  const { shape, word, says } = describeLead(snapshot);
  return (
    <div className="graph-lead">
      <button type="button" className="graph-lead-name" data-agent="lead" aria-pressed={isSelected} onClick={onChoose}>
        <RoleName role="lead" />
        <Mark shape={shape} word={word} />
        {says !== "" && <span className="graph-lead-says one">{says}</span>}
      </button>
      <span className="graph-lead-figures fig">
        {describeLeadUsage(snapshot).map((figure) => (
          <span key={figure}>{figure}</span>
        ))}
        <span className="one">{snapshot.lead.model}</span>
      </span>
      <span className="graph-tools">{children}</span>
    </div>
  );
}
