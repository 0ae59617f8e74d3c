// `spawnSubagent`: may this node join the graph? Checked on a copy, in a fixed order; a refusal is an event without
// a node and leaves no trace in graph, ids or budget.

import { isSubagentId, type SubagentId, subagentId } from "../../../shared/contract/ids.ts";
import type { BalanceName, Balances } from "../../../shared/contract/options.ts";
import { policyName } from "../../../shared/contract/policy.ts";
import { canonicalJson, type Json } from "../../../shared/lib/json.ts";
import { available, mapBalances, requestedSlice, shortOf } from "../budget.ts";
import type { Facts, SpawnArguments } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import type { Dependency, Packet } from "../records.ts";
import { isShapeProblem, type ShapeProblem, type TaskGraph, withNode } from "../graph/taskGraph.ts";
import { allowListOf, isGrouped } from "../policy/groups.ts";
import { judge, policyOf } from "../policy/judge.ts";
import { findOwnRole, modelOfRole, needsWorktree, type RoleSpec } from "../roles.ts";
import { spendable } from "../spendable.ts";
import { findNode, type NodeState, type RunState, streamOf } from "../state.ts";
import { lintPacket, twinWarning } from "../packetLint.ts";

/** A spawn that was refused: a stable code, and a sentence that tells the lead what to do instead. */
export interface SpawnRefusal {
  readonly code: string;
  readonly sentence: string;
}

export interface Spawn {
  readonly subagent: SubagentId;
  readonly warnings: readonly string[];
  /** The handoff, and how the run's policy judges it; empty where the handoff is on record already. */
  readonly events: readonly DraftEvent[];
}

/** Decides one spawn. `call` is its place in the turn: with the run and the turn it makes the handoff's key, under which one contract is on record and never another (`KEY_CONFLICT`). */
export function decideSpawn(state: RunState, input: SpawnArguments, call: string, facts: Facts): Spawn | SpawnRefusal {
  const known = state.nodes.find((node) => node.key === keyOf(state, call));
  if (known) return decideAgain(state, known, input, facts);
  const id = subagentId(state.nodes.length + 1);
  if (state.nodes.length >= state.limits.maxSubagents) {
    return refusal(
      "TOO_MANY_SUBAGENTS",
      `This run may create ${state.limits.maxSubagents} subagents and has; finish with what there is.`,
    );
  }
  const role = facts.roles[input.role ?? "explorer"];
  const dependsOn = dependenciesOf(state, input, role);
  const unknown = dependsOn.find((dependency) => !isSubagentId(dependency.id));
  if (unknown) return refusal("UNKNOWN_DEPENDENCY", `There is no ${unknown.id}; ${knownIds(state)}.`);
  const shape = withNode(
    graphOf(state),
    id,
    dependsOn.map((dependency) => dependency.id),
    maxChainOf(state),
  );
  if (isShapeProblem(shape)) return shapeRefusal(state, shape);
  const dead = dependsOn
    .map((dependency) => findNode(state, dependency.id))
    .find((node) => node?.status === "failed" || node?.status === "cancelled");
  if (dead)
    return refusal(
      "DEPENDENCY_NOT_COMPLETED",
      `${dead.id} has ${dead.status}, so this could never run; spawn it without that dependency.`,
    );
  if (!role)
    return refusal(
      "ROLE_UNKNOWN",
      `There is no role ${JSON.stringify(input.role)}; the roles are ${Object.keys(facts.roles).join(", ")}.`,
    );
  const replaced = input.replaces === undefined ? undefined : state.nodes.find((node) => node.id === input.replaces);
  if (input.replaces !== undefined && !replaced)
    return refusal("UNKNOWN_SUBAGENT", `replaces names ${input.replaces}, which does not exist; ${knownIds(state)}.`);
  const tools = toolsFor(role, input);
  if (tools.length === 0)
    return refusal(
      "NO_TOOLS_LEFT",
      `The hints name no tool of the role ${role.name}, which has ${role.tools.join(", ")}.`,
    );
  const price = namedPrice(state, input, facts);
  if (price === null && state.budget.limit.costMicros !== null) return unpricedRefusal(state, input);
  const slice = sliceFor(state, input, role);
  const short = shortOf(spendable(state), slice);
  if (short.length > 0) return budgetRefusal(state, short);
  return recordHandoff(state, { id, input, role, dependsOn, tools, price, slice, call }, facts);
}

function keyOf(state: RunState, call: string): string {
  return `${state.run}:lead-t${state.lead.requestCount}:${call}`;
}

/** A handoff that is asked for under a key that is on record: the same one, where the contract is the same. */
function decideAgain(state: RunState, known: NodeState, input: SpawnArguments, facts: Facts): Spawn | SpawnRefusal {
  const role = facts.roles[input.role ?? "explorer"];
  const slice = known.packet.budget;
  const packet = role && packetFor(state, { input, role, tools: toolsFor(role, input), slice });
  if (packet && hashOf(packet, facts) === known.contractHash) return { subagent: known.id, warnings: [], events: [] };
  return refusal(
    "KEY_CONFLICT",
    `${known.id} was handed off under the key ${known.key} with another contract; the run stops, since one of the two is not what was meant.`,
  );
}

function hashOf(packet: Packet, facts: Facts): string {
  return facts.hash(canonicalJson(packet));
}

function toolsFor(role: RoleSpec, input: SpawnArguments): readonly string[] {
  const hints = input.toolHints ?? [];
  // Models send empty lists for what they leave open.
  return hints.length === 0 ? role.tools : role.tools.filter((tool) => hints.includes(tool));
}

export function isRefusal(outcome: Spawn | SpawnRefusal): outcome is SpawnRefusal {
  return "code" in outcome;
}

/** The most nodes on a chain of dependencies. How long those of a template are is known before it starts. */
export function maxChainOf({ template, limits }: RunState): number {
  return template === null ? limits.maxChain : Infinity;
}

/** The graph of a run as shape alone. */
export function graphOf(state: RunState): TaskGraph {
  return new Map(state.nodes.map((node) => [node.id, node.dependsOn.map((dependency) => dependency.id)]));
}

interface Draft {
  readonly id: SubagentId;
  readonly input: SpawnArguments;
  readonly role: RoleSpec;
  readonly dependsOn: readonly Dependency[];
  readonly tools: readonly string[];
  readonly price: RunState["price"] | undefined;
  readonly slice: Balances;
  readonly call: string;
}

function recordHandoff(state: RunState, draft: Draft, facts: Facts): Spawn {
  const { id, input, role, dependsOn, price, slice } = draft;
  const packet = packetFor(state, draft);
  const own = findOwnRole(state.roles, role.name);
  const twin = twinWarning(state, packet);
  const list = allowWarning(state, input);
  const warnings = [...lintPacket(packet, role.proposes), ...(twin === null ? [] : [twin]), ...list];
  const event: DraftEvent = {
    agent: "lead",
    type: "handoff.recorded",
    data: {
      subagent: id,
      childRun: streamOf(state.run, id),
      role: role.name,
      ...(own === undefined ? {} : { roleHash: own.hash }),
      task: input.task,
      title: titleOf(input.task),
      dependsOn,
      packet,
      ...(price === undefined ? {} : { price }),
      slice,
      key: keyOf(state, draft.call),
      contractHash: hashOf(packet, facts),
      policy: policyName(policyOf(state)),
      writes: role.proposes,
      place: needsWorktree(role) ? "worktree" : "checkout",
      warnings,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    },
  };
  const verdicts = judge(state, { paths: packet.paths, writes: role.proposes }, input.independence);
  const judged: DraftEvent = { agent: "lead", type: "policy.judged", data: { subagent: id, verdicts } };
  return { subagent: id, warnings, events: verdicts.length === 0 ? [event] : [event, judged] };
}

/** Says whom the lead wanted on the allow list and a person has not put there. */
function allowWarning(state: RunState, { group, mayMessage }: SpawnArguments): readonly string[] {
  const { leftOut } = allowListOf(state, group, mayMessage);
  if (!isGrouped(state) || leftOut.length === 0) return [];
  return [
    `A person says which groups may write to which, and ${group ?? "one without a group"} may not write to ${leftOut.join(", ")}; that is left out of its packet.`,
  ];
}

function packetFor(
  state: RunState,
  { input, role, tools, slice }: Pick<Draft, "input" | "role" | "tools" | "slice">,
): Packet {
  const { limits } = state;
  const grouped = isGrouped(state);
  const { mayMessage } = allowListOf(state, input.group, input.mayMessage);
  const maxSteps = Math.min(limits.maxSteps ?? role.steps, input.maxSteps ?? Infinity);
  return {
    role: role.name,
    objective: input.task,
    ...(input.context === undefined ? {} : { context: input.context }),
    constraints: input.constraints ?? [],
    paths: input.paths ?? null,
    allowedTools: [...tools, "submitResult", ...(grouped ? ["messagePeer"] : [])],
    maxSteps,
    timeoutMs: Math.min(limits.maxSubagentMs, input.timeoutMs ?? Infinity),
    budget: slice,
    ...(input.outputSchema === undefined ? {} : { outputSchema: input.outputSchema satisfies Json }),
    remainingDepth: 0,
    model: input.model ?? modelOfRole(state, role.name),
    ...(input.step === undefined ? {} : { step: input.step }),
    ...(input.criteria === undefined ? {} : { criteria: input.criteria }),
    ...(input.replaces === undefined ? {} : { replaces: input.replaces as SubagentId }),
    ...(grouped && input.group !== undefined ? { group: input.group } : {}),
    ...(grouped && mayMessage !== undefined ? { mayMessage } : {}),
  };
}

function dependenciesOf(state: RunState, input: SpawnArguments, role: RoleSpec | undefined): readonly Dependency[] {
  const seen = new Map<string, Dependency>();
  for (const entry of input.dependsOn ?? []) {
    const id = (typeof entry === "string" ? entry : entry.id) as SubagentId;
    const reviewsIt = role?.readsProposals === true && findNode(state, id)?.writes === true;
    const { until, because } = typeof entry === "string" ? {} : entry;
    seen.set(id, {
      id,
      until: until ?? (reviewsIt ? "proposed" : "completed"),
      ...(because === undefined ? {} : { because }),
    });
  }
  return [...seen.values()];
}

function sliceFor(state: RunState, input: SpawnArguments, role: RoleSpec): Balances {
  const { costUsd, ...counts } = input.budget ?? {};
  const steps = Math.min(state.limits.maxSteps ?? role.budget.steps ?? role.steps, input.maxSteps ?? Infinity);
  const ceiling = { ...role.budget, steps };
  const asked: Partial<Record<BalanceName, number>> = {};
  for (const [name, amount] of Object.entries(counts)) if (amount !== undefined) asked[name as BalanceName] = amount;
  if (costUsd !== undefined) asked.costMicros = Math.round(costUsd * 1_000_000);
  return requestedSlice(available(spendable(state)), ceiling, asked);
}

function shapeRefusal(state: RunState, problem: ShapeProblem): SpawnRefusal {
  switch (problem.code) {
    case "UNKNOWN_DEPENDENCY":
      return refusal(problem.code, `There is no ${problem.unknown}; ${knownIds(state)}.`);
    case "GRAPH_CYCLE":
      return refusal(problem.code, `This node would be ${problem.through} itself; a node cannot depend on itself.`);
    case "CHAIN_TOO_LONG":
      return refusal(
        problem.code,
        `Its dependency chain would hold ${problem.length} nodes, the limit is ${state.limits.maxChain}; wait for results and pass them on in context instead.`,
      );
  }
}

/** The price of a model that the lead names; `undefined` where the run has it already, or none is named. */
function namedPrice(
  { options, rolePrices }: RunState,
  { model }: SpawnArguments,
  facts: Facts,
): RunState["price"] | undefined {
  if (model === undefined || model === options.model) return undefined;
  const isHeld = Object.hasOwn(rolePrices, model) && rolePrices[model] !== null;
  return isHeld ? undefined : facts.priceOf(model);
}

function unpricedRefusal({ options, rolePrices }: RunState, { model }: SpawnArguments): SpawnRefusal {
  const others = Object.keys(rolePrices).filter((name) => name !== options.model && rolePrices[name] !== null);
  return refusal(
    "NO_PRICE",
    `The money of this run is limited and the price of ${model} is not known; leave model out, or name one of ${[options.model, ...others].join(", ")}.`,
  );
}

function budgetRefusal(state: RunState, short: readonly BalanceName[]): SpawnRefusal {
  const holders = state.nodes
    .filter((node) => node.holdsSlice && short.some((name) => (node.slice[name] ?? 0) > 0))
    .map((node) => node.id);
  const free = available(spendable(state));
  const amounts = short.map((name) => `${name} (${mapBalances((one) => free[one])[name] ?? 0} left)`).join(", ");
  const relief =
    holders.length > 0
      ? `settling ${holders.join(", ")} would free some`
      : "nothing will free any; finish with what there is";
  return refusal("BUDGET_EXHAUSTED", `Not enough ${amounts}; ${relief}.`);
}

function knownIds(state: RunState): string {
  return state.nodes.length === 0
    ? "no subagent exists yet"
    : `those that exist are ${state.nodes.map((node) => node.id).join(", ")}`;
}

function refusal(code: string, sentence: string): SpawnRefusal {
  return { code, sentence };
}

/** The first line of a task, bounded, for people. */
export function titleOf(task: string): string {
  const line = task.trim().split("\n")[0]?.trim() ?? "";
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
