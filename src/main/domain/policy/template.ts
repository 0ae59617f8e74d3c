// Runs whose graph a template fixes: what is known before the start, and which of its nodes is handed off next. The core
// hands them off by itself; the lead gets its first turn once all of them have arrived.

import { type SubagentId, subagentId } from "../../../shared/contract/ids.ts";
import type { Balances } from "../../../shared/contract/options.ts";
import type { Template, TemplateFigures, TemplateNode } from "../../../shared/contract/template.ts";
import { mapBalances } from "../budget.ts";
import type { SpawnArguments } from "../commands.ts";
import { isTerminal } from "../lifecycle.ts";
import { resultOf } from "../projections/result.ts";
import type { RoleTable } from "../roles.ts";
import type { NodeState, RunState } from "../state.ts";

/** What is wrong with a template, as a sentence; `null` when it can be run. */
export function problemOf({ nodes }: Template, roles: RoleTable): string | null {
  const before = new Set<string>();
  for (const node of nodes) {
    if (before.has(node.id)) return `Two nodes are named ${node.id}.`;
    if (!Object.hasOwn(roles, node.role))
      return `${node.id} has the role ${node.role}; there are ${Object.keys(roles).join(", ")}.`;
    const missing = idsOf(node).find((id) => !before.has(id));
    if (missing !== undefined) return `${node.id} depends on ${missing}, which does not stand before it.`;
    before.add(node.id);
  }
  return nodes.length === 0 ? "It has no nodes." : null;
}

/** Width, count and the most that its nodes may use together. The template must be free of problems. */
export function figuresOf({ nodes }: Template, roles: RoleTable): TemplateFigures {
  return { width: widthOf(nodes), count: nodes.length, budget: worstCase(nodes, roles) };
}

/** The arguments of the next spawn that the template asks for; `null` once all its nodes are there. */
export function nextSpawn(state: RunState): { readonly input: SpawnArguments; readonly call: string } | null {
  const nodes = state.template?.nodes ?? [];
  const next = nodes[state.nodes.length];
  if (next === undefined) return null;
  const { id, role, task, dependsOn = [], ...rest } = next;
  const named = (one: string): SubagentId => subagentId(nodes.findIndex((node) => node.id === one) + 1);
  return {
    call: `template-${id}`,
    input: {
      ...rest,
      role,
      // As a function: `$&` and its like in a person's words are words.
      task: task.replaceAll("{task}", () => state.task),
      dependsOn: dependsOn.map((one) =>
        typeof one === "string" ? named(one) : { id: named(one.id), until: one.until },
      ),
    },
  };
}

/** Whether the lead has nothing to say yet: nodes of the template are still to come, and none of them asks it for context. */
export function isTemplateAtWork(state: RunState): boolean {
  const { template, nodes, lead } = state;
  if (template === null || lead.requestCount > 0) return false;
  if (nodes.some(asks)) return false;
  return nodes.length < template.nodes.length || !nodes.every(hasArrived);
}

/** What the lead is told when it gets its first turn: the result of each node so far, as data. */
export function templateReport(state: RunState): string {
  const results = state.nodes.map((node, index) => ({
    step: state.template?.nodes[index]?.id ?? node.id,
    ...(resultOf(state, node) as object),
  }));
  const asking = state.nodes.filter(asks).map(({ id }) => id);
  const standing =
    asking.length === 0
      ? "Every subagent of the template has arrived."
      : `${asking.join(", ")} cannot go on without context: give it with messageSubagent, then wait for the others with waitForSubagents.`;
  return `${standing} The results so far, as data:\n<data source="template results">\n${JSON.stringify(results, null, 1)}\n</data>\nOnce all are in, answer the task from them: what was found, what was changed and where, what was checked, and what is left open.`;
}

function hasArrived(node: NodeState): boolean {
  return node.status === "awaiting_review" || node.status === "landing" || isTerminal(node.status);
}

function asks(node: NodeState): boolean {
  return node.status === "waiting" && node.waitsFor === "context";
}

function idsOf({ dependsOn = [] }: TemplateNode): readonly string[] {
  return dependsOn.map((one) => (typeof one === "string" ? one : one.id));
}

/** The most nodes that stand beside one and neither before nor after it: never less than what can be at work at once. Whoever waits for a proposal only stands beside its author, who may be sent back. */
function widthOf(nodes: readonly TemplateNode[]): number {
  const before = new Map<string, ReadonlySet<string>>();
  for (const { id, dependsOn = [] } of nodes) {
    const ended = dependsOn.flatMap((one) => {
      const [name, until] = typeof one === "string" ? [one, "completed"] : [one.id, one.until];
      return [...(until === "completed" ? [name] : []), ...(before.get(name) ?? [])];
    });
    before.set(id, new Set(ended));
  }
  const beside = nodes.map(
    ({ id }) => nodes.filter((other) => !before.get(id)?.has(other.id) && !before.get(other.id)?.has(id)).length,
  );
  return Math.max(...beside);
}

function worstCase(nodes: readonly TemplateNode[], roles: RoleTable): Balances {
  return mapBalances((name) => {
    const ceilings = nodes.map(({ role }) => roles[role]?.budget[name] ?? null);
    return ceilings.includes(null) ? null : ceilings.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  });
}
