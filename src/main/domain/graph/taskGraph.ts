// The graph of subagents as shape alone: who depends on whom. A candidate is always tried on a copy, so a refused
// one leaves no trace. It only grows.

import type { SubagentId } from "../../../shared/contract/ids.ts";

/** Node → the nodes it depends on, in order of creation. */
export type TaskGraph = ReadonlyMap<SubagentId, readonly SubagentId[]>;

export type ShapeProblem =
  | { readonly code: "UNKNOWN_DEPENDENCY"; readonly unknown: SubagentId }
  | { readonly code: "GRAPH_CYCLE"; readonly through: SubagentId }
  | { readonly code: "CHAIN_TOO_LONG"; readonly length: number };

/** The graph with `id` added, or what is wrong with it. `maxChain` counts nodes on the longest dependency chain; a chain of exactly that length is allowed. */
export function withNode(
  graph: TaskGraph,
  id: SubagentId,
  dependsOn: readonly SubagentId[],
  maxChain: number,
): TaskGraph | ShapeProblem {
  if (dependsOn.includes(id)) return { code: "GRAPH_CYCLE", through: id };
  const unknown = dependsOn.find((dependency) => !graph.has(dependency));
  if (unknown !== undefined) return { code: "UNKNOWN_DEPENDENCY", unknown };
  const candidate = new Map(graph).set(id, dependsOn);
  if (hasCycle(candidate)) return { code: "GRAPH_CYCLE", through: id };
  const length = chainLength(candidate, id);
  return length > maxChain ? { code: "CHAIN_TOO_LONG", length } : candidate;
}

export function isShapeProblem(outcome: TaskGraph | ShapeProblem): outcome is ShapeProblem {
  return "code" in outcome;
}

/** Nodes on the longest chain that ends in `id`, itself included. The graph must be acyclic. */
export function chainLength(graph: TaskGraph, id: SubagentId): number {
  const known = new Map<SubagentId, number>();
  const measure = (node: SubagentId): number => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const length = 1 + Math.max(0, ...(graph.get(node) ?? []).map(measure));
    known.set(node, length);
    return length;
  };
  return measure(id);
}

/** Kahn's algorithm: what cannot be ordered lies on a cycle. */
export function hasCycle(graph: ReadonlyMap<string, readonly string[]>): boolean {
  const open = new Map([...graph].map(([id, dependsOn]) => [id, new Set(dependsOn)]));
  let free = [...open].filter(([, dependsOn]) => dependsOn.size === 0).map(([id]) => id);
  while (free.length > 0) {
    for (const id of free) open.delete(id);
    for (const dependsOn of open.values()) for (const id of free) dependsOn.delete(id);
    free = [...open].filter(([, dependsOn]) => dependsOn.size === 0).map(([id]) => id);
  }
  return open.size > 0;
}

/** Everything that depends on `id`, directly or through others, in order of creation. */
export function dependentsOf(graph: TaskGraph, id: SubagentId): readonly SubagentId[] {
  const reached = new Set<SubagentId>([id]);
  // Creation order is a topological order: a node depends only on older ones.
  for (const [node, dependsOn] of graph) if (dependsOn.some((dependency) => reached.has(dependency))) reached.add(node);
  reached.delete(id);
  return [...reached];
}
