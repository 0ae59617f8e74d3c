// Opposite verdicts of the run that nobody has settled, as of the moment that is shown, where nobody is asked about them now.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { ConflictItem } from "../../../shared/contract/runPages.ts";
import { countOf } from "../../ui/formats.ts";
import { VerdictSides } from "../VerdictSides.tsx";

export interface ConflictsProps {
  readonly conflicts: readonly ConflictItem[];
  /** The run has stopped over them. */
  readonly isStopped: boolean;
  readonly onSelect: (agent: AgentId) => void;
}

export function Conflicts({ conflicts, isStopped, onSelect }: ConflictsProps) {
  if (conflicts.length === 0) return null;
  return (
    <section className="passage" aria-label="Opposite verdicts">
      <h3>
        Opposite verdicts <span className="push fig">{countOf(conflicts.length, "open one")}</span>
      </h3>
      {conflicts.map((conflict) => (
        <VerdictSides key={`${conflict.criterion} ${conflict.tree}`} conflict={conflict} onSelect={onSelect} />
      ))}
      <p className="faint">
        {isStopped
          ? "Nobody settled this before the run stopped. Write to it to go on: you are asked again."
          : "No verdict outweighs another. The steps that they are about wait; other work goes on."}
      </p>
    </section>
  );
}
