// Under `--approve-plan` a person sees the graph, the count and the worst cost before anything is handed off. Yes lets
// the run go on within them; sent back, the lead plans anew; no ends the run.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Command, Facts, PlannedStep } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { approvedPlan, forecastOf, forecastOfTemplate, forecastWords, isWithin } from "../policy/planForecast.ts";
import type { PlanForecast } from "../records.ts";
import type { ApprovalState, NodeState, RunState } from "../state.ts";
import { answerAsker } from "./answer.ts";
import { recordOf } from "./decided.ts";
import { accept, type Decision, isRejected, reject } from "./decision.ts";
import { nextApproval } from "./nextApproval.ts";
import { updatePlan } from "./plan.ts";
import type { Spawn, SpawnRefusal } from "./spawn.ts";

type Decide = Extract<Command, { type: "approval.decide" }>;

/** Why nothing may be handed off before a person has approved a plan. */
export function planRefusal(state: RunState): SpawnRefusal | null {
  if (state.options.approvePlan !== true) return null;
  const approved = approvedPlan(state);
  if (approved === null)
    return {
      code: "PLAN_NOT_APPROVED",
      sentence:
        "A person approves the plan of this run before anything starts. Write it with updatePlan, each step with its role and what blocks it; the answer says what they decided.",
    };
  return spentOn(state, approved).length < approved.count
    ? null
    : exceeded(`${approved.count} subagents were approved, and exist`);
}

/** Why a handoff does not fit into what was approved: its slice, beside those of the others, is more than the worst that was announced. */
export function costRefusal(state: RunState, { events }: Spawn): SpawnRefusal | null {
  const approved = state.options.approvePlan === true ? approvedPlan(state) : null;
  const recorded = events.find((event) => event.type === "handoff.recorded");
  if (approved === null || recorded?.type !== "handoff.recorded") return null;
  const { slice } = recorded.data;
  const { steps } = approved.budget;
  const held = spentOn(state, approved).reduce(
    (sum, node) => sum + (node.isSettled ? node.used.steps : (node.slice.steps ?? 0)),
    0,
  );
  return steps === null || held + (slice.steps ?? 0) <= steps
    ? null
    : exceeded(`${steps} steps were approved, and ${held} are used or held`);
}

/** The subagents that an approved plan has let in: those of its steps, those sent since it was approved, and whoever is at work still. What ended before, for a step that it has dropped, is none of it. */
function spentOn({ nodes, approvals }: RunState, approved: PlanForecast): readonly NodeState[] {
  const since = approvals.find(({ plan }) => plan === approved)?.decidedAt ?? 0;
  const steps = new Set(approved.nodes.map(({ id }) => id));
  return nodes.filter(
    ({ end, createdAt, packet: { step } }) =>
      end === null || createdAt >= since || (step !== undefined && steps.has(step)),
  );
}

function exceeded(what: string): SpawnRefusal {
  return {
    code: "PLAN_EXCEEDED",
    sentence: `${what}. Write what else is needed with updatePlan: a person is asked again.`,
  };
}

/** The lead's plan, put to a person where it asks for more than was approved. Its call is answered by their decision. */
export function proposePlan(
  state: RunState,
  agent: AgentId,
  call: string,
  steps: readonly PlannedStep[],
  facts: Facts,
): Decision {
  const decision = updatePlan(state, agent, call, steps);
  const updated = isRejected(decision) ? undefined : decision.events.find(({ type }) => type === "plan.updated");
  if (state.options.approvePlan !== true || updated?.type !== "plan.updated") return decision;
  const plan = forecastOf(state, updated.data.steps, facts.roles);
  const approved = approvedPlan(state);
  if (approved !== null && isWithin(plan, approved)) return decision;
  if (plan.count === 0) return decision;
  // A question that was withdrawn with the run's stop is asked anew when the run goes on.
  if (state.approvals.some((one) => one.kind === "plan" && one.call === call && one.status !== "withdrawn"))
    return accept();
  return accept(updated, ask(state, plan, call));
}

/** Under a template the question comes with the start; nothing is handed off before its answer. */
export function askAboutTemplate(state: RunState): readonly DraftEvent[] {
  if (state.ending !== null || state.options.approvePlan !== true) return [];
  const plan = forecastOfTemplate(state);
  if (plan === null || state.approvals.some((one) => one.kind === "plan" && one.status !== "withdrawn")) return [];
  return [ask(state, plan, null)];
}

/** Whether a template waits for its yes. */
export function isPlanOpen(state: RunState): boolean {
  return state.options.approvePlan === true && state.template !== null && approvedPlan(state) === null;
}

export function answerPlan(state: RunState, approval: ApprovalState, command: Decide): Decision {
  const { decision, comment } = command;
  if (decision === "answered")
    return reject("BAD_USAGE", `${approval.id} is a plan: approve it, reject it, or send it back with a comment.`);
  if (decision === "sent_back" && approval.call === null)
    return reject("BAD_USAGE", "A template fixes its graph, so it cannot be sent back: approve it or reject it.");
  if (decision === "sent_back" && (comment === undefined || comment.trim() === ""))
    return reject("BAD_USAGE", "Say with --comment what is to be planned otherwise.");
  const said = { approved: decision === "approved", ...(comment === undefined ? {} : { comment }) };
  return accept(
    recordOf(approval, command),
    ...answerAsker(state, approval, said),
    ...(decision === "rejected" ? [endOfPlan(command)] : []),
  );
}

function endOfPlan({ by, comment }: Decide): DraftEvent {
  const sentence = comment ?? "The plan was rejected; nothing was started.";
  return { agent: "lead", type: "run.ending", data: { reason: "cancelled", by, code: "PLAN_REJECTED", sentence } };
}

function ask(state: RunState, plan: PlanForecast, call: string | null): DraftEvent {
  const graph = plan.nodes
    .map(({ id, role, title, dependsOn }) => {
      const after = dependsOn.length === 0 ? "" : ` after ${dependsOn.join(", ")}`;
      return `${id} (${role ?? "any role"})${after}${title === id ? "" : `: ${title}`}`;
    })
    .join("\n");
  return {
    agent: "lead",
    type: "approval.requested",
    data: {
      approval: nextApproval(state),
      kind: "plan",
      agent: "lead",
      summary: `${forecastWords(plan, state.budget.limit)}.`,
      why: graph,
      plan,
      ...(call === null ? {} : { call }),
    },
  };
}
