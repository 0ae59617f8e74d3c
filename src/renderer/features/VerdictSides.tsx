// Opposite verdicts beside each other: who says what, of which tree, and what it rests on. Lies beside the features because the
// inbox and the inspector both show them; which of them holds is decided there, not here.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { ConflictItem, VerdictItem } from "../../shared/contract/runPages.ts";
import { Mark } from "../ui/Mark.tsx";
import { RoleName } from "../ui/RoleName.tsx";
import { Ticked } from "../ui/Ticked.tsx";

export interface VerdictSidesProps {
  readonly conflict: ConflictItem;
  /** Leads to a subagent; `null`: names lead nowhere. */
  readonly onSelect: ((agent: AgentId) => void) | null;
}

const marks = {
  passed: { shape: "done", word: "It passed" },
  failed: { shape: "failed", word: "It failed" },
} as const;

export function VerdictSides({ conflict: { criterion, tree, sides }, onSelect }: VerdictSidesProps) {
  return (
    <div className="verdict-sides">
      <p className="verdict-criterion">
        <Ticked text={criterion} />
      </p>
      <div className="verdict-pair">
        {(["passed", "failed"] as const).map((verdict) => (
          <section key={verdict} aria-label={marks[verdict].word} data-verdict={verdict}>
            <h4>
              <Mark {...marks[verdict]} />
            </h4>
            <ul>
              {sides
                .filter((side) => side.verdict === verdict)
                .map((side) => (
                  <Side key={side.by} side={side} onSelect={onSelect} />
                ))}
            </ul>
          </section>
        ))}
      </div>
      <p className="faint">
        They looked at {sides.every(({ changeset }) => changeset === null) ? "the run’s line" : "the tree"}{" "}
        <code>{tree.slice(0, 10)}</code>
      </p>
    </div>
  );
}

function Side({ side, onSelect }: Pick<VerdictSidesProps, "onSelect"> & { readonly side: VerdictItem }) {
  const { by, role, evidence, changeset, event } = side;
  return (
    <li>
      <p>
        <RoleName role={role} />{" "}
        {onSelect === null ? (
          by
        ) : (
          <button type="button" className="link" onClick={() => onSelect(by)}>
            {by}
          </button>
        )}{" "}
        <span className="faint fig">
          {changeset === null ? "" : `on ${changeset}, `}event {event}
        </span>
      </p>
      <p className="verdict-evidence">{evidence === "" ? "It names no evidence." : <Ticked text={evidence} />}</p>
    </li>
  );
}
