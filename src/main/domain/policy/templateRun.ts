// How a run goes through its template: which node is handed off next, by the core itself, and when the lead has
// something to say. The lead gets its first turn once all nodes have arrived.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { Template, TemplateNode } from "../../../shared/contract/template.ts";
import { hasArrived, isAskingLead } from "../arrival.ts";
import type { SpawnArguments } from "../commands.ts";
import { resultOf } from "../projections/result.ts";
import type { NodeState, RunState } from "../state.ts";
import { type GateNode, gatesOf, newestOf, owesReviewer, roundOf } from "./gate.ts";
import { authorOfGate, dependencyIds, proposalIds } from "./template.ts";

/** The code of an author that a fresh agent goes on for. */
export const replacedCode = "REPLACED";

/** A spawn that the template asks for. `part`: the node that it is of. */
export interface TemplateSpawn {
  readonly input: SpawnArguments;
  readonly call: string;
  readonly part: string;
}

/** The next spawn that the template asks for; `null`: none for now. */
export function nextSpawn(state: RunState): TemplateSpawn | null {
  const { template } = state;
  if (template === null) return null;
  const first = template.nodes.find((node) => newestOf(state, node.id) === undefined && isFree(state, template, node));
  if (first !== undefined) return spawnOf(state, first);
  for (const gate of gatesOf(state)) {
    const author = newestOf(state, authorOfGate(gate) ?? "");
    if (author === undefined) continue;
    if (author.code === replacedCode) return freshAuthor(state, template, author);
    if (owesReviewer(state, author, gate)) return spawnOf(state, gate);
  }
  return null;
}

/** Whether the lead has nothing to say yet: nodes of the template are still to come, and none of them asks it for context. */
export function isTemplateAtWork(state: RunState): boolean {
  const { template, nodes, lead } = state;
  if (template === null || lead.requestCount > 0 || nodes.some(isAskingLead)) return false;
  return (
    nextSpawn(state) !== null ||
    template.nodes.some((node) => isToCome(state, template, node)) ||
    !nodes.every((node) => hasArrived(node))
  );
}

function spawnOf(state: RunState, node: TemplateNode): TemplateSpawn {
  const { id, role, task, dependsOn = [], gate: _gate, confirms: _confirms, ...rest } = node;
  const named = (one: string) => newestOf(state, one)?.id ?? (one as SubagentId);
  const earlier = state.nodes.filter((one) => one.part === id).length;
  return {
    part: id,
    call: earlier === 0 ? `template-${id}` : `template-${id}-${earlier + 1}`,
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

/** Whoever takes over gets the change as it stands and what was found in it, and nothing of the first agent's way there. */
function freshAuthor(state: RunState, template: Template, before: NodeState): TemplateSpawn | null {
  const node = template.nodes.find(({ id }) => id === before.part);
  const gate = gatesOf(state).find((one) => authorOfGate(one) === before.part);
  if (node === undefined || gate === undefined) return null;
  const spawn = spawnOf(state, node);
  const context = `Your worktree holds the change that ${before.id} proposed. Go on with it: mend what the review found.\n${findingsOf(state, gate)}`;
  return { ...spawn, input: { ...spawn.input, context, replaces: before.id } };
}

/** What the newest reviewer of a gate found, as data. */
export function findingsOf(state: RunState, gate: GateNode): string {
  const reviewer = newestOf(state, gate.id);
  if (reviewer === undefined) return "";
  return `<data source="review by ${reviewer.id}, round ${roundOf(state, gate)}">\n${JSON.stringify(resultOf(state, reviewer), null, 1)}\n</data>`;
}

/** Whether nothing that comes in rounds stands between a node and its start: what depends on such a change comes once it has landed. */
function isFree(state: RunState, template: Template, node: TemplateNode): boolean {
  return gatesBefore(template, node).every((gate) => newestOf(state, authorOfGate(gate) ?? "")?.status === "completed");
}

/** Not handed off yet, and it still may be. */
function isToCome(state: RunState, template: Template, node: TemplateNode): boolean {
  if (newestOf(state, node.id) !== undefined) return false;
  return gatesBefore(template, node).every((gate) => {
    const author = newestOf(state, authorOfGate(gate) ?? "");
    return author === undefined || author.end === null || author.end === "completed" || author.code === replacedCode;
  });
}

/** The gates that must be over before a node may start: it depends on one, or on the landed change of its author, however far. */
function gatesBefore(template: Template, node: TemplateNode): readonly GateNode[] {
  const reached = new Set<string>();
  const visit = (one: TemplateNode): void => {
    for (const id of dependencyIds(one)) {
      if (proposalIds(one).includes(id) || reached.has(id)) continue;
      reached.add(id);
      const dependency = template.nodes.find((other) => other.id === id);
      if (dependency !== undefined) visit(dependency);
    }
  };
  visit(node);
  return gatesOf({ template }).filter(
    (gate) => gate.id !== node.id && (reached.has(gate.id) || reached.has(authorOfGate(gate) ?? "")),
  );
}
