// What a plan comes to before anything of it starts: its graph, how many at once, how many in all, and the most that they
// may use. Counted from above: a step without a role counts as the dearest one.

import type { BalanceName, Balances } from "../../../shared/contract/options.ts";
import { mapBalances, smaller, sumOf } from "../budget.ts";
import { countOf } from "../hunks.ts";
import type { PlanForecast, PlanStep } from "../records.ts";
import type { RoleTable } from "../roles.ts";
import type { RunState } from "../state.ts";
import { widthOf } from "./template.ts";
import { costLimit, moneyWords, withCosts } from "./worstCost.ts";

/** The forecast of a plan that the lead wrote, with the steps that are done already: what they took is part of it. */
export function forecastOf(state: RunState, steps: readonly PlanStep[], table: RoleTable): PlanForecast {
  const roles = withCosts(table, state);
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
    budget: mapBalances((name) =>
      smaller(limitOf(state, name, roles), sumOf(nodes.map(({ role }) => ceilingOf(role, name, roles)))),
    ),
  };
}

/** What a person has approved last; `null`: nothing yet. */
export function approvedPlan(state: RunState): PlanForecast | null {
  return state.approvals.findLast((one) => one.kind === "plan" && one.decision === "approved")?.plan ?? null;
}

/** The forecast of the run's template. */
export function forecastOfTemplate(state: RunState): PlanForecast | null {
  const { template, limits } = state;
  if (template === null) return null;
  const nodes = template.nodes.map(({ id, role, dependsOn = [] }) => ({
    id,
    role,
    title: id,
    dependsOn: dependsOn.map((one) => (typeof one === "string" ? one : one.id)),
  }));
  const used = Object.fromEntries(template.nodes.map(({ role }) => [role, null]));
  const budget = mapBalances((name) => smaller(template.budget[name], limitOf(state, name, used)));
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

/** A forecast in one line: `3 subagents, 2 at once, at most 90 steps and $1.20`. `limit`: the run's own. */
export function forecastWords({ count, width, budget: { steps, costMicros } }: PlanForecast, limit: Balances): string {
  const money = moneyWords(costMicros, limit);
  const most = [...(steps === null ? [] : [`${steps} steps`]), ...(money === "" ? [] : [money])];
  return `${countOf(count, "subagent")}, ${width} at once, ${most.length === 0 ? "with no limit" : `at most ${most.join(" and ")}`}`;
}

/** What the run's own limits leave of a balance to subagents of these roles. */
function limitOf(state: RunState, name: BalanceName, roles: Readonly<Record<string, unknown>>): number | null {
  const { limit } = state.budget;
  return name === "costMicros" ? costLimit(limit, state, Object.keys(roles)) : limit[name];
}

function ceilingOf(role: string | null, name: keyof Balances, roles: RoleTable): number | null {
  const known = role === null ? undefined : roles[role];
  const asked = known === undefined ? Object.values(roles) : [known];
  const ceilings = asked.map(({ budget }) => budget[name]);
  return ceilings.reduce<number | null>((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0);
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
