// Templates before the start: whether one can be run, and what it comes to at most. How a run goes through its template
// is in templateRun.ts.

import type { BalanceName, Balances } from "../../../shared/contract/options.ts";
import {
  maxRounds,
  type Template,
  type TemplateFigures,
  type TemplateNode,
} from "../../../shared/contract/template.ts";
import { mapBalances, sumOf } from "../budget.ts";
import type { RoleTable } from "../roles.ts";

/** What is wrong with a template, as a sentence; `null` when it can be run. */
export function problemOf({ nodes }: Template, roles: RoleTable): string | null {
  const before = new Map<string, TemplateNode>();
  for (const node of nodes) {
    if (before.has(node.id)) return `Two nodes are named ${node.id}.`;
    if (!Object.hasOwn(roles, node.role))
      return `${node.id} has the role ${node.role}; there are ${Object.keys(roles).join(", ")}.`;
    const missing = [...dependencyIds(node), ...(node.confirms ?? [])].find((id) => !before.has(id));
    if (missing !== undefined) return `${node.id} depends on ${missing}, which does not stand before it.`;
    const problem = gateProblem(node, before, roles);
    if (problem !== null) return problem;
    before.set(node.id, node);
  }
  return nodes.length === 0 ? "It has no nodes." : null;
}

/** The template with every dependency said in full: a reviewer's on a node that makes changes is met by the proposal, any other by the end. */
export function inFull<T extends Template>(template: T, roles: RoleTable): T {
  const proposes = (id: string) => roles[template.nodes.find((node) => node.id === id)?.role ?? ""]?.proposes === true;
  const nodes = template.nodes.map((node): TemplateNode => {
    if (node.dependsOn === undefined) return node;
    const isReviewer = roles[node.role]?.readsProposals === true;
    const dependsOn = node.dependsOn.map((one) =>
      typeof one === "string"
        ? ({ id: one, until: isReviewer && proposes(one) ? "proposed" : "completed" } as const)
        : one,
    );
    return { ...node, dependsOn };
  });
  return { ...template, nodes };
}

/** Width, count and the most that its nodes may use together, every round of its gates included. The template must be free of problems. */
export function figuresOf({ nodes }: Template, roles: RoleTable): TemplateFigures {
  const rounds = nodes.flatMap((node) => roundsOf(node, nodes));
  return {
    width: widthOf(nodes),
    count: nodes.length + rounds.filter(({ isRenewal }) => !isRenewal).length,
    budget: mapBalances((name) => worstCase(name, nodes, rounds, roles)),
  };
}

/** Ids of the nodes that one depends on. */
export function dependencyIds({ dependsOn = [] }: TemplateNode): readonly string[] {
  return dependsOn.map((one) => (typeof one === "string" ? one : one.id));
}

/** Ids of the nodes whose proposals one waits for; a gate decides about the one that it has. */
export function proposalIds({ dependsOn = [] }: TemplateNode): readonly string[] {
  return dependsOn.flatMap((one) => (typeof one !== "string" && one.until === "proposed" ? [one.id] : []));
}

/** The node whose proposal a gate decides about. */
export function authorOfGate(gate: TemplateNode): string | null {
  return proposalIds(gate)[0] ?? null;
}

/** A gate looks at one proposal, of somebody else, by criteria; and only one decides about each. */
function gateProblem(node: TemplateNode, before: ReadonlyMap<string, TemplateNode>, roles: RoleTable): string | null {
  const { id, gate, criteria = [] } = node;
  if (gate === undefined) return null;
  if (roles[node.role]?.proposes === true)
    return `${id} decides about a change, so its role may not be ${node.role}, which makes changes: an author does not review.`;
  const author = authorOfGate(node);
  if (author === null || proposalIds(node).length > 1 || roles[before.get(author)?.role ?? ""]?.proposes !== true)
    return `${id} decides about a change, so it depends on exactly one node that makes changes, until "proposed".`;
  if ([...before.values()].some((other) => other.gate !== undefined && authorOfGate(other) === author))
    return `${id} decides about the change of ${author}, and another node does already.`;
  if (criteria.length === 0) return `${id} decides about a change, so it has criteria to give verdicts on.`;
  const { rounds, freshFrom = 1 } = gate;
  return rounds >= 1 && rounds <= maxRounds && freshFrom >= 1 && freshFrom <= rounds
    ? null
    : `${id} has between 1 and ${maxRounds} rounds, and its fresh agent comes in one of them.`;
}

/** One more turn at a change, at most: by a new subagent, or by its author on half a slice. */
interface Round {
  readonly role: string;
  readonly isRenewal: boolean;
}

function roundsOf(node: TemplateNode, nodes: readonly TemplateNode[]): readonly Round[] {
  if (node.gate === undefined) return [];
  const author = nodes.find(({ id }) => id === authorOfGate(node))?.role ?? "";
  return Array.from({ length: node.gate.rounds }, (_, index): readonly Round[] => [
    { role: node.role, isRenewal: false },
    { role: author, isRenewal: index + 1 !== node.gate?.freshFrom },
  ]).flat();
}

function worstCase(
  name: BalanceName,
  nodes: readonly TemplateNode[],
  rounds: readonly Round[],
  roles: RoleTable,
): Balances[BalanceName] {
  const ceilingOf = (role: string) => roles[role]?.budget[name] ?? null;
  const amounts = [
    ...nodes.map(({ role }) => ceilingOf(role)),
    ...rounds.map(({ role, isRenewal }) => {
      const ceiling = ceilingOf(role);
      return ceiling !== null && isRenewal ? Math.ceil(ceiling / 2) : ceiling;
    }),
  ];
  return sumOf(amounts);
}

/** The most nodes that stand beside one and neither before nor after it: never less than what can be at work at once. Whoever waits for a proposal only stands beside its author, who may be sent back. */
export function widthOf(nodes: readonly Pick<TemplateNode, "id" | "dependsOn">[]): number {
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
  return Math.max(0, ...beside);
}
