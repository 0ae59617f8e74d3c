// The lead's plan: its words, but a step is done only where something shows it.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { PlannedStep } from "../commands.ts";
import type { PlanStep } from "../records.ts";
import type { RunState } from "../state.ts";
import { hasCycle } from "../graph/taskGraph.ts";
import { accept, type Decision } from "./decision.ts";

/** The plan as a whole, or the refusal that names its first fault: `NO_EVIDENCE`, or `BAD_ARGUMENTS` for an id that stands twice. */
export function updatePlan(state: RunState, agent: AgentId, call: string, steps: readonly PlannedStep[]): Decision {
  const answer = (output: object) =>
    ({ agent, type: "tool.answered", data: { call, tool: "updatePlan", output: JSON.stringify(output) } }) as const;
  const refuse = (code: string, message: string) => accept(answer({ error: { code, message } }));
  const problem = blockerProblem(steps) ?? heldProblem(state, steps);
  if (problem !== null) return refuse(problem.code, problem.message);
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

interface Problem {
  readonly code: string;
  readonly message: string;
}

/** A blocker is a step of the plan, and none blocks itself, however far round. */
function blockerProblem(steps: readonly PlannedStep[]): Problem | null {
  const ids = new Set(steps.map(({ id }) => id));
  for (const { id, blockedBy = [] } of steps) {
    const unknown = blockedBy.find((blocker) => !ids.has(blocker));
    if (unknown !== undefined)
      return { code: "BAD_ARGUMENTS", message: `${id} is blocked by ${unknown}, which is no step of this plan.` };
  }
  return hasCycle(new Map(steps.map(({ id, blockedBy = [] }) => [id, blockedBy])))
    ? { code: "GRAPH_CYCLE", message: "The steps block each other in a circle; nothing of it could ever start." }
    : null;
}

/** Under `dispatch` an item that somebody is at work on is not taken away under their hands. */
function heldProblem(state: RunState, steps: readonly PlannedStep[]): Problem | null {
  if (state.options.topology !== "dispatch") return null;
  const holder = state.nodes.find(({ end, packet: { step: item } }) => {
    if (end !== null || item === undefined) return false;
    return steps.every(({ id, status }) => id !== item || status === "dropped");
  });
  return holder === undefined
    ? null
    : {
        code: "ITEM_TAKEN",
        message: `${holder.id} is at work on ${holder.packet.step ?? ""}; cancel it before the item goes. The plan stays as it was.`,
      };
}

function withEvidence(state: RunState, { id, title, status, criteria, role, blockedBy }: PlannedStep): PlanStep {
  const step = {
    id,
    title,
    status,
    ...(criteria === undefined ? {} : { criteria }),
    ...(role === undefined ? {} : { role }),
    ...(blockedBy === undefined ? {} : { blockedBy }),
  };
  if (status !== "done") return step;
  const evidence = state.nodes
    .filter((node) => node.packet.step === id && node.end === "completed")
    .map(({ id: by }) => by);
  return evidence.length === 0 ? step : { ...step, evidence };
}
