// Who may start now, and why the others may not. Pure over the state; asked after every commit, never by polling.
// A node that may not start is skipped, so that later readers overtake a blocked writer.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import { claimsOverlap } from "../claims.ts";
import type { QueueCode } from "../records.ts";
import { policyOf, queueSentence } from "../policy/judge.ts";
import { approvedPlan } from "../policy/planForecast.ts";
import { findNode, type NodeState, type RunState } from "../state.ts";

/** Room outside this run, as a fact of the moment. */
export interface Capacity {
  /** Nodes that run in the other runs of this installation. */
  readonly runningElsewhere: number;
  /** The same by model. */
  readonly runningElsewhereByModel: Readonly<Record<string, number>>;
}

export type Admission =
  | { readonly id: SubagentId; readonly code: "READY" }
  | { readonly id: SubagentId; readonly code: Exclude<QueueCode, "READY">; readonly sentence: string };

/** One line for each pending or ready node, in order of creation. A `READY` one is counted as running for those after it. */
export function schedule(state: RunState, capacity: Capacity): readonly Admission[] {
  const running = state.nodes.filter(holdsSlot);
  const holders = state.nodes.filter(holdsClaim);
  const admissions: Admission[] = [];
  for (const node of state.nodes) {
    if (node.status !== "pending" && node.status !== "ready") continue;
    const admission = admit(state, node, running, holders, capacity);
    admissions.push(admission);
    if (admission.code !== "READY") continue;
    running.push(node);
    if (node.writes) holders.push(node);
  }
  return admissions;
}

/** The dependencies that are not met yet. What has started had its input whole, and is never held back by them again. */
export function openDependencies(state: RunState, node: NodeState): readonly SubagentId[] {
  if (node.startedAt !== null) return [];
  return node.dependsOn
    .filter(({ id, until }) => {
      const dependency = findNode(state, id);
      return !dependency || !isMet(dependency, until);
    })
    .map(({ id }) => id);
}

/** A node holds its slot until its work has really ended. Waiting for a person or for context holds none. */
export function holdsSlot(node: NodeState): boolean {
  return node.status === "running" || node.status === "submitting" || node.isWindingDown;
}

/** A claim is held from the start until the node is settled: landed, dropped or ended. */
export function holdsClaim(node: NodeState): boolean {
  return node.writes && node.startedAt !== null && !node.isSettled;
}

function isMet(dependency: NodeState, until: "completed" | "proposed"): boolean {
  if (dependency.status === "completed") return true;
  return until === "proposed" && (dependency.status === "awaiting_review" || dependency.status === "landing");
}

function admit(
  state: RunState,
  node: NodeState,
  running: readonly NodeState[],
  holders: readonly NodeState[],
  capacity: Capacity,
): Admission {
  const open = openDependencies(state, node);
  if (open.length > 0) return queue(node, "DEPENDENCY", `Waits for ${open.join(", ")}.`);
  if (state.status === "paused") return queue(node, "PAUSED", "The run is paused.");
  const { limits, options } = state;
  if (running.length >= limits.maxConcurrent) {
    return queue(node, "SLOT", `All ${limits.maxConcurrent} slots of this run are taken.`);
  }
  const width = options.approvePlan === true ? (approvedPlan(state)?.width ?? Infinity) : Infinity;
  if (running.length >= width) return queue(node, "SLOT", `The approved plan has ${width} at work at a time.`);
  if (running.length + capacity.runningElsewhere >= limits.maxOverAllRuns) {
    return queue(node, "SLOT", `All ${limits.maxOverAllRuns} slots over all runs are taken.`);
  }
  const { model } = node;
  const onModel =
    running.filter((other) => other.model === model).length + (capacity.runningElsewhereByModel[model] ?? 0);
  if (onModel >= limits.maxPerModel)
    return queue(node, "MODEL", `${model} serves ${limits.maxPerModel} agents already.`);
  const beside = running.filter((other) => other.id !== node.id);
  if (node.obstacles.length > 0 && beside.length > 0)
    return queue(
      node,
      "RULE",
      queueSentence(
        policyOf(state),
        node.obstacles,
        beside.map(({ id }) => id),
      ),
    );
  return node.writes ? admitWriter(state, node, running, holders) : { id: node.id, code: "READY" };
}

function admitWriter(
  state: RunState,
  node: NodeState,
  running: readonly NodeState[],
  holders: readonly NodeState[],
): Admission {
  const others = holders.filter((other) => other.id !== node.id);
  if (state.options.worktrees === "off") {
    // One shared worktree: the next executor starts when the one before is settled, its review included.
    const [before] = others;
    return before
      ? queue(node, "WRITER", `Worktrees are off: waits until ${before.id} is settled.`)
      : { id: node.id, code: "READY" };
  }
  const writers = running.filter((other) => other.writes).length;
  if (writers >= state.limits.maxExecutors) {
    return queue(node, "WRITER", `All ${state.limits.maxExecutors} places for executors are taken.`);
  }
  const rival = others.find((other) => claimsOverlap(other.packet.paths, node.packet.paths));
  if (rival)
    return queue(node, "PATHS", `Its paths overlap those of ${rival.id}, which holds them until it is settled.`);
  return { id: node.id, code: "READY" };
}

function queue(node: NodeState, code: Exclude<QueueCode, "READY">, sentence: string): Admission {
  return { id: node.id, code, sentence };
}
