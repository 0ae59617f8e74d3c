// The lead's plan as of the moment that is shown: what each step is, how it stands, and whom the lead has sent for it.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { ConflictItem, PlanItem } from "../../../shared/contract/runPages.ts";
import { Mark } from "../../ui/Mark.tsx";
import type { Shape } from "../../ui/Mark.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { AgentLink } from "./AgentLink.tsx";

export interface PlanProps {
  readonly plan: readonly PlanItem[];
  /** Opposite verdicts that are open: the steps that they are about cannot be done. */
  readonly conflicts: readonly ConflictItem[];
  readonly onSelect: (agent: AgentId) => void;
}

const standings: Readonly<Record<PlanItem["status"], { readonly shape: Shape; readonly word: string }>> = {
  pending: { shape: "queued", word: "To do" },
  running: { shape: "working", word: "Under way" },
  done: { shape: "done", word: "Done" },
  dropped: { shape: "stopped", word: "Dropped" },
};

const blocked = { shape: "needs-you", word: "Blocked" } as const;

export function Plan({ plan, conflicts, onSelect }: PlanProps) {
  if (plan.length === 0) return null;
  const isBlocked = ({ id, status }: PlanItem) =>
    status !== "dropped" && conflicts.some(({ steps }) => steps.includes(id));
  const kept = plan.filter(({ status }) => status !== "dropped");
  const done = kept.filter(({ status }) => status === "done").length;
  return (
    <section className="passage" aria-label="Plan">
      <h3>
        Plan{" "}
        <span className="push fig">
          {done} of {kept.length} done
        </span>
      </h3>
      <ol className="plan">
        {plan.map((step) => (
          <li key={step.id} data-status={step.status}>
            <p className="plan-step">
              <span>
                <Ticked text={step.title} />
              </span>
              <Mark {...(isBlocked(step) ? blocked : standings[step.status])} />
            </p>
            <Under step={step} onSelect={onSelect} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Under({ step: { criteria, agents }, onSelect }: Pick<PlanProps, "onSelect"> & { readonly step: PlanItem }) {
  return (
    <>
      {criteria.length > 0 && (
        <ul className="plan-criteria">
          {criteria.map((criterion, at) => (
            // The same may stand there twice.
            <li key={at}>
              <Ticked text={criterion} />
            </li>
          ))}
        </ul>
      )}
      {agents.length > 0 && (
        <p className="plan-agents">
          {agents.map((agent, at) => (
            <span key={agent}>
              {at > 0 && ", "}
              <AgentLink agent={agent} onSelect={onSelect} />
            </span>
          ))}
        </p>
      )}
    </>
  );
}
