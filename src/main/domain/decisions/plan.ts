// The lead's plan: its words, but a step is done only where something shows it.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { PlannedStep } from "../commands.ts";
import type { PlanStep } from "../records.ts";
import type { RunState } from "../state.ts";
import { accept, type Decision } from "./decision.ts";

/** The plan as a whole, or the refusal that names its first fault: `NO_EVIDENCE`, or `BAD_ARGUMENTS` for an id that stands twice. */
export function updatePlan(state: RunState, agent: AgentId, call: string, steps: readonly PlannedStep[]): Decision {
  const answer = (output: object) =>
    ({ agent, type: "tool.answered", data: { call, tool: "updatePlan", output: JSON.stringify(output) } }) as const;
  const refuse = (code: string, message: string) => accept(answer({ error: { code, message } }));
  const twin = steps.find((step, index) => steps.findIndex(({ id }) => id === step.id) !== index);
  if (twin) return refuse("BAD_ARGUMENTS", `The id ${twin.id} stands twice in the plan; each step has its own.`);
  const planned = steps.map((step) => withEvidence(state, step));
  const unproved = planned.find((step) => step.status === "done" && step.evidence === undefined);
  if (unproved)
    return refuse(
      "NO_EVIDENCE",
      `Nothing shows that ${unproved.id} is done: no subagent with step ${JSON.stringify(unproved.id)} has completed. The plan stays as it was.`,
    );
  return accept(
    { agent: "lead", type: "plan.updated", data: { steps: planned } },
    answer({ steps: planned.map(({ id, status, evidence }) => ({ id, status, ...(evidence ? { evidence } : {}) })) }),
  );
}

function withEvidence(state: RunState, { id, title, status, criteria }: PlannedStep): PlanStep {
  const step = { id, title, status, ...(criteria === undefined ? {} : { criteria }) };
  if (status !== "done") return step;
  const evidence = state.nodes
    .filter((node) => node.packet.step === id && node.end === "completed")
    .map(({ id: by }) => by);
  return evidence.length === 0 ? step : { ...step, evidence };
}
