// What a plan comes to before anything of it starts: its graph, how many at once, how many in all, and the most that they
// may use. Counted from above: a step without a role counts as the dearest one.

import type { Balances } from "../../../shared/contract/options.ts";
import { mapBalances } from "../budget.ts";
import type { PlanForecast, PlanStep } from "../records.ts";
import type { RoleTable } from "../roles.ts";
import type { RunState } from "../state.ts";
import { widthOf } from "./template.ts";

/** The forecast of a plan that the lead wrote. Steps that are done already cost no more. */
export function forecastOf(state: RunState, steps: readonly PlanStep[], roles: RoleTable): PlanForecast {
  const open = steps.filter(({ status }) => status !== "dropped");
  const ids = new Set(open.map(({ id }) => id));
  const nodes = open.map(({ id, title, role = null, blockedBy = [] }) => ({
    id,
    title,
    role,
    dependsOn: blockedBy.filter((blocker) => ids.has(blocker)),
  }));
  return {
    nodes,
    width: Math.min(state.limits.maxConcurrent, widthOf(inOrder(nodes))),
    count: nodes.length,
    budget: mapBalances((name) => {
      const limit = state.budget.limit[name];
      const ceilings = nodes.map(({ role }) => ceilingOf(role, name, roles));
      if (ceilings.includes(null)) return limit;
      const sum = ceilings.reduce<number>((total, one) => total + (one ?? 0), 0);
      return limit === null ? sum : Math.min(limit, sum);
    }),
  };
}

/** What a person has approved last; `null`: nothing yet. */
export function approvedPlan(state: RunState): PlanForecast | null {
  return state.approvals.findLast((one) => one.kind === "plan" && one.decision === "approved")?.plan ?? null;
}

/** The forecast of the run's template. */
export function forecastOfTemplate({ template, limits, budget: { limit } }: RunState): PlanForecast | null {
  if (template === null) return null;
  const nodes = template.nodes.map(({ id, role, dependsOn = [] }) => ({
    id,
    role,
    title: id,
    dependsOn: dependsOn.map((one) => (typeof one === "string" ? one : one.id)),
  }));
  const budget = mapBalances((name) => smaller(template.budget[name], limit[name]));
  return { nodes, width: Math.min(limits.maxConcurrent, template.width), count: template.count, budget };
}

/** Whether a plan asks for nothing that an approved one did not: the same steps, by the same roles, in the same order, or fewer. */
export function isWithin(plan: PlanForecast, approved: PlanForecast): boolean {
  return plan.nodes.every((node) =>
    approved.nodes.some(
      (other) =>
        other.id === node.id && other.role === node.role && other.dependsOn.join("\n") === node.dependsOn.join("\n"),
    ),
  );
}

/** A forecast in one line: `3 subagents, 2 at once, at most 90 steps and $1.20`. */
export function forecastWords({ count, width, budget: { steps, costMicros } }: PlanForecast): string {
  const most = [
    ...(steps === null ? [] : [`${steps} steps`]),
    ...(costMicros === null ? [] : [`$${(costMicros / 1_000_000).toFixed(2)}`]),
  ];
  const subagents = count === 1 ? "1 subagent" : `${count} subagents`;
  return `${subagents}, ${width} at once, ${most.length === 0 ? "with no limit" : `at most ${most.join(" and ")}`}`;
}

function ceilingOf(role: string | null, name: keyof Balances, roles: RoleTable): number | null {
  const known = role === null ? undefined : roles[role];
  const asked = known === undefined ? Object.values(roles) : [known];
  const ceilings = asked.map(({ budget }) => budget[name]);
  return ceilings.reduce<number | null>((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0);
}

function smaller(left: number | null, right: number | null): number | null {
  if (left === null) return right;
  return right === null ? left : Math.min(left, right);
}

/** Each after those that it depends on, as the width is read; what lies on a circle comes last. */
function inOrder(nodes: PlanForecast["nodes"]): PlanForecast["nodes"] {
  const ordered: PlanForecast["nodes"][number][] = [];
  const left = new Set(nodes);
  while (left.size > 0) {
    const ready = [...left].filter(({ dependsOn }) => ![...left].some(({ id }) => dependsOn.includes(id)));
    for (const node of ready.length === 0 ? left : ready) {
      ordered.push(node);
      left.delete(node);
    }
  }
  return ordered;
}
