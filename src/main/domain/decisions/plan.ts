// The lead's plan: its words, but a step is done only where something shows it; see completion.ts.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { PlannedStep } from "../commands.ts";
import type { PlanStep } from "../records.ts";
import type { RunState } from "../state.ts";
import { evidenceFor, type Obstacle, obstacleToDone } from "../completion.ts";
import { hasCycle } from "../graph/taskGraph.ts";
import { answer, problem } from "./answer.ts";
import { accept, type Decision } from "./decision.ts";

/** The plan as a whole, or the refusal that names its first fault: `NO_EVIDENCE`, `STEP_BLOCKED`, or `BAD_ARGUMENTS` for an id that stands twice. */
export function updatePlan(state: RunState, agent: AgentId, call: string, steps: readonly PlannedStep[]): Decision {
  const fault =
    blockerProblem(steps) ?? heldProblem(state, steps) ?? twinProblem(steps) ?? unprovedProblem(state, steps);
  if (fault !== null) return accept(answer(agent, call, "updatePlan", problem(fault.code, fault.message)));
  const planned = steps.map((step) => withEvidence(state, step));
  return accept(
    { agent: "lead", type: "plan.updated", data: { steps: planned } },
    answer(agent, call, "updatePlan", {
      steps: planned.map(({ id, status, evidence }) => ({ id, status, ...(evidence ? { evidence } : {}) })),
    }),
  );
}

/** A blocker is a step of the plan, and none blocks itself, however far round. */
function blockerProblem(steps: readonly PlannedStep[]): Obstacle | null {
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
function heldProblem(state: RunState, steps: readonly PlannedStep[]): Obstacle | null {
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

function twinProblem(steps: readonly PlannedStep[]): Obstacle | null {
  const twin = steps.find((step, index) => steps.findIndex(({ id }) => id === step.id) !== index);
  return twin === undefined
    ? null
    : { code: "BAD_ARGUMENTS", message: `The id ${twin.id} stands twice in the plan; each step has its own.` };
}

function unprovedProblem(state: RunState, steps: readonly PlannedStep[]): Obstacle | null {
  for (const { id, status } of steps) {
    const obstacle = status === "done" ? obstacleToDone(state, id) : null;
    if (obstacle !== null) return { ...obstacle, message: `${obstacle.message} The plan stays as it was.` };
  }
  return null;
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
  return status === "done" ? { ...step, evidence: evidenceFor(state, id) } : step;
}
