// What must hold of a run at every prefix of its journal, as functions that name what they found broken. No test by
// itself; the property tests of the core ask it after every event and after every transaction.

import { isInsideClaim } from "../../src/main/domain/claims.ts";
import { conflictOn, openConflicts } from "../../src/main/domain/verdictConflicts.ts";
import { dutiesOf, dutyKey } from "../../src/main/domain/duties.ts";
import type { RunEvent } from "../../src/main/domain/events.ts";
import { chainLength, hasCycle } from "../../src/main/domain/graph/taskGraph.ts";
import { holdsClaim, holdsSlot } from "../../src/main/domain/graph/schedule.ts";
import { graphOf } from "../../src/main/domain/decisions/spawn.ts";
import { isTerminal, mayBecome, runMayBecome } from "../../src/main/domain/lifecycle.ts";
import { isUnderReview, reviewersOf } from "../../src/main/domain/policy/gate.ts";
import {
  type ChangeSetState,
  findChangeSet,
  findNode,
  type NodeState,
  type RunState,
} from "../../src/main/domain/state.ts";
import { isAskedForMore, nextLeadTurn } from "../../src/main/domain/turn.ts";
import { balanceNames } from "../../src/shared/contract/options.ts";

/** One event moves at most one status, and only as the lifecycles allow. */
export function brokenMoves(before: RunState, event: RunEvent, after: RunState): readonly string[] {
  const moved = after.nodes.filter((node) => before.nodes[node.ordinal - 1]?.status !== node.status);
  const illegal = moved.filter((node) => {
    const was = before.nodes[node.ordinal - 1];
    return was === undefined ? node.status !== "pending" : !mayBecome(was.status, node.status);
  });
  const runMoved = before.status !== after.status;
  return [
    ...illegal.map(
      (node) => `${event.type} moves ${node.id} from ${before.nodes[node.ordinal - 1]?.status} to ${node.status}`,
    ),
    ...(moved.length + (runMoved ? 1 : 0) > 1
      ? [`${event.type} moves ${moved.length} nodes and ${runMoved ? "the" : "no"} run`]
      : []),
    ...(runMoved && !runMayBecome(before.status, after.status)
      ? [`${event.type} moves the run from ${before.status} to ${after.status}`]
      : []),
  ];
}

/** A node settles once, after its end. */
export function brokenSettlement(before: RunState, event: RunEvent): readonly string[] {
  if (event.type !== "subagent.settled") return [];
  const node = findNode(before, event.data.subagent);
  return node?.isSettled === false && node.end !== null
    ? []
    : [`${event.data.subagent} settles while it is ${node?.status}`];
}

/** A node starts once what it depends on is completed, or proposed where that is enough, and beside others only where the policy lets it. */
export function brokenStart(before: RunState, event: RunEvent): readonly string[] {
  if (event.type !== "subagent.started") return [];
  const starting = findNode(before, event.agent);
  const ruledOut =
    (starting?.obstacles.length ?? 0) > 0 && before.nodes.some((node) => node !== starting && holdsSlot(node));
  const early = starting?.dependsOn.filter(({ id, until }) => {
    const status = findNode(before, id)?.status;
    return status !== "completed" && (until === "completed" || (status !== "awaiting_review" && status !== "landing"));
  });
  return [
    ...(early ?? []).map(({ id }) => `${event.agent} starts before ${id}`),
    ...(ruledOut ? [`${event.agent} starts beside others, which the policy does not allow`] : []),
  ];
}

/** A run that is given up because nothing can run had nothing to do. */
export function brokenStandstill(before: RunState, event: RunEvent): readonly string[] {
  if (event.type !== "run.ending" || event.data.reason !== "handoff_blocked") return [];
  return dutiesOf(before)
    .filter((duty) => duty.kind !== "drive" || duty.agent !== "lead")
    .map((duty) => `blocked while it owes to ${dutyKey(duty)}`);
}

/** A run stops only once no landing is on its way, in either direction, and what became of each call is on record. */
export function brokenStop(before: RunState, event: RunEvent): readonly string[] {
  if (event.type !== "run.stopped") return [];
  const begun = before.landings.filter(({ status }) => status === "begun").map(({ id }) => id);
  const calls = [before.lead, ...before.nodes].flatMap((agent) =>
    agent.calls.filter(({ status }) => status === "dispatched").map(({ id }) => id),
  );
  return [...begun, ...calls].map((id) => `it stops while ${id} is under way`);
}

/** What subagents have said opposite things of is not done, and not the run's final answer. */
export function brokenReconciliation(before: RunState, event: RunEvent): readonly string[] {
  if (event.type === "run.stopped" && event.data.reason === "final_answer")
    return openConflicts(before).map(({ criterion }) => `it ends with a final answer over ${criterion}`);
  if (event.type !== "plan.updated") return [];
  return event.data.steps
    .filter(({ id, status }) => status === "done" && conflictOn(before, id) !== undefined)
    .map(({ id }) => `${id} is done while verdicts on it are opposite`);
}

/** The graph is acyclic and its chains are short. */
export function brokenShape(state: RunState): readonly string[] {
  const graph = graphOf(state);
  if (hasCycle(graph)) return ["the graph has a cycle"];
  const { maxChain, maxSubagents } = state.limits;
  return [
    ...state.nodes
      .filter((node) => state.template === null && chainLength(graph, node.id) > maxChain)
      .map((node) => `${node.id} ends a chain longer than ${maxChain}`),
    ...(state.nodes.length > maxSubagents ? [`${state.nodes.length} nodes`] : []),
  ];
}

/** One path below each claim that `randomCommands.ts` makes; found by path, not by the rule under test. */
const claimedPaths = ["a.js", "src/a.js", "src/pay/a.js", "lib/a.js"];

/** Slots are bounded and claims that are held never overlap. */
export function brokenPlaces(state: RunState): readonly string[] {
  const { limits, options } = state;
  const running = state.nodes.filter(holdsSlot);
  // One that has ended keeps its slot until it is settled, and is not at work any more.
  const atWork = running.filter((node) => !node.isWindingDown);
  const writers = running.filter((node) => node.writes);
  const holders = state.nodes.filter(holdsClaim);
  const shared = claimedPaths.filter(
    (path) => holders.filter((node) => node.packet.paths !== null && isInsideClaim(path, node.packet.paths)).length > 1,
  );
  return [
    ...(running.length > limits.maxConcurrent ? [`${running.length} slots are taken`] : []),
    ...(state.template !== null && atWork.length > state.template.width
      ? [`${atWork.length} run, where the template announced at most ${state.template.width}`]
      : []),
    ...(state.template !== null && state.nodes.length > state.template.count
      ? [`there are ${state.nodes.length}, where the template announced at most ${state.template.count}`]
      : []),
    ...itemsTwice(state),
    ...(writers.length > limits.maxExecutors ? [`${writers.length} executors run`] : []),
    ...(options.worktrees === "off" && holders.length > 1 ? [`${holders.length} executors share one worktree`] : []),
    ...(options.worktrees === "on" ? shared.map((path) => `${path} lies in two claims that are held`) : []),
  ];
}

/** Under `dispatch` no item of the plan is in two hands. */
function itemsTwice({ options, nodes }: RunState): readonly string[] {
  if (options.topology !== "dispatch") return [];
  const held = nodes.flatMap(({ end, packet: { step } }) =>
    step !== undefined && (end === null || end === "completed") ? [step] : [],
  );
  return held.filter((item, index) => held.indexOf(item) !== index).map((item) => `${item} is in two hands`);
}

/** Nothing is overdrawn while answers stay within their estimates. */
export function brokenBudget(state: RunState): readonly string[] {
  const { limit, used, reserved } = state.budget;
  return balanceNames.flatMap((name) => {
    const whole = limit[name];
    return [
      ...(reserved[name] < 0 ? [`${name}: ${reserved[name]} reserved`] : []),
      ...(whole !== null && used[name] + reserved[name] > whole
        ? [`${name}: ${used[name]} used and ${reserved[name]} reserved of ${whole}`]
        : []),
    ];
  });
}

/** A review is asked about while it is open and no longer, and lands on record. Asked between transactions. */
export function brokenReviews(state: RunState): readonly string[] {
  const begun = state.landings.filter((landing) => landing.status === "begun");
  const lines = state.changeSets.filter((set) => set.agent === "lead" && isToBeLanded(set));
  return [
    ...state.changeSets
      .filter((set) => set.status === "open" && !isAsked(state, set.approval))
      .map((set) => `${set.id} is open and nobody is asked`),
    ...state.approvals
      .filter((one) => one.status === "open" && one.kind === "changeset")
      .filter((one) => findChangeSet(state, one.changeset)?.status !== "open")
      .map((one) => `${one.id} asks about what is not open`),
    ...state.changeSets
      .filter((set) => set.status === "landing" && !begun.some((landing) => landing.changeset === set.id))
      .map((set) => `${set.id} is landing without a record`),
    ...(lines.length > 1 ? [`${lines.length} reviews of the whole branch at once`] : []),
  ];
}

function isToBeLanded({ status }: ChangeSetState): boolean {
  return status === "open" || status === "approved" || status === "landing" || status === "held";
}

/** What has no owner: work that nobody does, nobody is asked about, and nothing is waited for. Asked between transactions. */
export function unowned(state: RunState): readonly string[] {
  if (state.status !== "running" && state.status !== "waiting") return [];
  const duties = new Set(
    dutiesOf(state).map((duty) => (duty.kind === "land" ? `land ${duty.changeset}` : dutyKey(duty))),
  );
  return state.nodes
    .filter((node) => !node.isSettled && !isOwned(state, node, duties))
    .map((node) => `${node.id} is ${node.status} and nobody owns it`);
}

function isOwned(state: RunState, node: NodeState, duties: ReadonlySet<string>): boolean {
  if (isTerminal(node.status)) return duties.has(node.id);
  // A run that is ending leaves nothing behind but a landing, which is never cut.
  if (state.ending !== null) return node.status === "landing" && duties.has(`land ${node.changeSet}`);
  switch (node.status) {
    case "pending":
    case "ready":
      return (
        node.queue !== null &&
        node.queue.code !== "READY" &&
        (node.startedAt !== null || !hasDeadDependency(state, node))
      );
    case "waiting":
      return node.waitsFor === "person"
        ? isAsked(state, node.waitsOn)
        : node.question !== null &&
            (state.lead.request !== null || isAskedForMore(state) || nextLeadTurn(state).kind !== "idle");
    case "awaiting_review":
    case "landing":
      return (
        isReviewOwned(state, findChangeSet(state, node.changeSet)) ||
        (isUnderReview(state, node) && reviewersOf(state, node).some(({ end }) => end === null))
      );
    default:
      return duties.has(node.id);
  }
}

function hasDeadDependency(state: RunState, node: NodeState): boolean {
  return node.dependsOn.some(({ id }) => {
    const status = findNode(state, id)?.status;
    return status === "failed" || status === "cancelled";
  });
}

function isReviewOwned(state: RunState, set: ChangeSetState | undefined): boolean {
  if (set === undefined) return false;
  if (set.status === "open") return isAsked(state, set.approval);
  return set.status === "held" || set.status === "approved" || set.status === "landing";
}

function isAsked(state: RunState, approval: string | null): boolean {
  return state.approvals.some((one) => one.id === approval && one.status === "open");
}
