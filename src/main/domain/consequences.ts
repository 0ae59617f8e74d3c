// What follows from a decision by the rules alone: cascades, withdrawn approvals, queues, starts, waiting. They are
// events of the same transaction, so nobody sees half a transition.

import type { AgentId } from "../../shared/contract/ids.ts";
import { type BalanceName, balanceNames } from "../../shared/contract/options.ts";
import type { Facts } from "./commands.ts";
import { isWaitOver, parseWait } from "./decisions/control.ts";
import { withdraw } from "./decisions/decided.ts";
import { settleUnanswered } from "./decisions/effect.ts";
import { askAboutTemplate, isPlanOpen } from "./decisions/planApproval.ts";
import { reconcileNext, withdrawMoot } from "./decisions/reconcile.ts";
import { stopAll } from "./decisions/run.ts";
import { goOnReviewed } from "./decisions/rounds.ts";
import { decideSpawn, isRefusal } from "./decisions/spawn.ts";
import { doubtsIn } from "./doubt.ts";
import { begunUndo, mayStop, owesFinalReview } from "./duties.ts";
import type { DraftEvent, EventData } from "./events.ts";
import { type Admission, schedule } from "./graph/schedule.ts";
import { owesSubmission } from "./leadWork.ts";
import { isTerminal } from "./lifecycle.ts";
import { nextSpawn } from "./policy/templateRun.ts";
import { findChangeSet, findNode, type NodeState, placeName, requireNode, type RunState } from "./state.ts";
import { nextLeadTurn } from "./turn.ts";

/** The next events that follow, or none. Asked again on the state after them, until there are none. */
export function nextConsequences(state: RunState, facts: Facts): readonly DraftEvent[] {
  if (state.status === "created" || state.status === "stopped") return [];
  return (
    firstNonEmpty([
      () => endWithRun(state),
      () => cascade(state),
      () => withdrawApprovals(state),
      () => withdrawMoot(state),
      () => warnOfBudget(state),
      () => doubtsIn(state).map((data) => ({ agent: "lead", type: "usage.doubted", data })),
      ...(facts.isDriving
        ? [
            () => askAboutTemplate(state),
            () => handOffNext(state, facts),
            () => goOnReviewed(state, facts),
            () => reconcileNext(state),
            () => admitNext(state, facts),
            () => standOrGo(state, facts),
          ]
        : []),
    ]) ?? []
  );
}

function firstNonEmpty(rules: readonly (() => readonly DraftEvent[])[]): readonly DraftEvent[] | null {
  for (const rule of rules) {
    const events = rule();
    if (events.length > 0) return events;
  }
  return null;
}

/** A run that is ending leaves no node behind, also not one whose landing came back held. */
function endWithRun(state: RunState): readonly DraftEvent[] {
  if (state.ending === null) return [];
  const { code, reason, sentence } = state.ending;
  return stopAll(state, code ?? reason.toUpperCase(), sentence ?? "The run is ending.");
}

/** A node that ended without success takes with it what has not started. What runs goes on: its input was whole. */
function cascade(state: RunState): readonly DraftEvent[] {
  const events: DraftEvent[] = [];
  for (const node of state.nodes) {
    if ((node.status !== "pending" && node.status !== "ready") || node.startedAt !== null) continue;
    const dead = node.dependsOn.find(({ id }) => isDeadEnd(findNode(state, id)));
    if (!dead) continue;
    const sentence = `Dependency ${dead.id} did not complete successfully`;
    events.push({
      agent: node.id,
      type: "subagent.stopped",
      data: { status: "cancelled", code: "DEPENDENCY_NOT_COMPLETED", sentence },
    });
  }
  return events;
}

function isDeadEnd(node: NodeState | undefined): boolean {
  return node?.status === "failed" || node?.status === "cancelled";
}

function withdrawApprovals(state: RunState): readonly DraftEvent[] {
  return state.approvals
    .filter((approval) => approval.status === "open" && hasEnded(state, approval.agent))
    .flatMap((approval): readonly DraftEvent[] => [
      withdraw(approval, `${approval.agent} has ended.`),
      ...settleUnanswered(state, approval),
    ]);
}

function hasEnded(state: RunState, agent: AgentId): boolean {
  return agent === "lead" ? state.ending !== null : isTerminal(requireNode(state, agent).status);
}

/** Under a template the core hands off its nodes by itself, one after the other. What it may not hand off ends the run. */
function handOffNext(state: RunState, facts: Facts): readonly DraftEvent[] {
  if (state.ending !== null || (state.status !== "running" && state.status !== "waiting") || isPlanOpen(state))
    return [];
  const next = nextSpawn(state);
  if (next === null) return [];
  const spawn = decideSpawn(state, next.input, next.call, facts);
  if (!isRefusal(spawn)) return spawn.events.map((event) => withPart(event, next.part));
  const { code, sentence } = spawn;
  return [{ agent: "lead", type: "run.ending", data: { reason: "failed", code, sentence } }];
}

function withPart(event: DraftEvent, part: string): DraftEvent {
  return event.type === "handoff.recorded" ? { ...event, data: { ...event.data, part } } : event;
}

/** The first node, in order of creation, that may start or whose reason to wait has changed. */
function admitNext(state: RunState, facts: Facts): readonly DraftEvent[] {
  // While nobody drives the run nothing starts; whoever takes it over asks again.
  if (state.ending !== null || state.status === "interrupted") return [];
  for (const admission of schedule(state, facts.capacity)) {
    const node = requireNode(state, admission.id);
    if (admission.code === "READY") return start(state, node, facts);
    if (isNewReason(node, admission)) {
      return [
        { agent: node.id, type: "subagent.queued", data: { code: admission.code, sentence: admission.sentence } },
      ];
    }
  }
  return [];
}

function isNewReason(node: NodeState, admission: Exclude<Admission, { code: "READY" }>): boolean {
  return node.queue === null || node.queue.code !== admission.code || node.queue.sentence !== admission.sentence;
}

function start(state: RunState, node: NodeState, facts: Facts): readonly DraftEvent[] {
  const queued: readonly DraftEvent[] =
    node.queue?.code === "READY"
      ? []
      : [{ agent: node.id, type: "subagent.queued", data: { code: "READY", sentence: "Nothing is in its way." } }];
  if (node.startedAt !== null) {
    const after = node.waitsFor ?? "review";
    return [...queued, { agent: node.id, type: "subagent.resumed", data: { after } }];
  }
  const begins = beginningOf(state, node);
  return [
    ...queued,
    {
      agent: node.id,
      type: "subagent.started",
      data: { ...begins, ...(node.hasWorktree ? { worktree: placeOf(state, node, facts) } : {}) },
    },
  ];
}

/** The commit that a node begins at, and the change that it is about: the proposal that it was sent to look at, or to go on with, else the run's line. */
function beginningOf(state: RunState, node: NodeState): Omit<EventData["subagent.started"], "worktree"> {
  const before = findChangeSet(state, findNode(state, node.packet.replaces ?? "lead")?.changeSet ?? null);
  if (node.writes && node.part !== null && before !== undefined) return { root: before.commit, base: before.base };
  const proposal = reviewedSet(state, node);
  if (proposal !== undefined) return { root: proposal.commit, reads: proposal.id };
  const landed = landedSet(state, node);
  return { root: state.line, ...(landed === undefined ? {} : { reads: landed.id }) };
}

/** The change set that a node was sent to look at: the proposal of the first dependency that it waited for as such. */
function reviewedSet(state: RunState, node: NodeState): ReturnType<typeof findChangeSet> {
  if (node.writes) return undefined;
  const proposals = node.dependsOn.filter(({ until }) => until === "proposed").map(({ id }) => findNode(state, id));
  return findChangeSet(state, proposals.find((dependency) => dependency?.changeSet != null)?.changeSet ?? null);
}

/** What a template's reviewer of the whole branch looks at: the change that has landed by then. */
function landedSet(state: RunState, node: NodeState): ReturnType<typeof findChangeSet> {
  if (node.writes || node.part === null) return undefined;
  const sets = node.dependsOn.map(({ id }) => findChangeSet(state, findNode(state, id)?.changeSet ?? null));
  return sets.find((set) => set?.status === "landed");
}

function placeOf(state: RunState, node: NodeState, facts: Facts): string {
  const name = node.writes && state.options.worktrees === "off" ? "shared" : node.id;
  return `${facts.placesFolder}/${placeName(state.run, facts.epoch, name)}`;
}

/** Once a balance of the run reaches 80 % of its limit, it is said once. */
function warnOfBudget(state: RunState): readonly DraftEvent[] {
  const { limit, used } = state.budget;
  const isDue = (name: BalanceName) =>
    limit[name] !== null && used[name] >= 0.8 * limit[name] && !state.warned.includes(`lead ${name}`);
  return balanceNames.filter(isDue).map((name) => ({
    agent: "lead",
    type: "budget.warned",
    data: { agent: "lead", balance: name, used: used[name], limit: limit[name] ?? 0 },
  }));
}

/** The run waits when every way forward needs a person, and runs again once one does not. */
function standOrGo(state: RunState, facts: Facts): readonly DraftEvent[] {
  const stand = standstillOf(state);
  if (state.status === "running" && stand === "person") {
    return [{ agent: "lead", type: "run.waiting", data: { for: waitSentence(state) } }];
  }
  if (state.status === "running" && stand === "blocked") {
    return [
      {
        agent: "lead",
        type: "run.ending",
        data: { reason: "handoff_blocked", code: "HANDOFF_BLOCKED", sentence: "Nothing can run and nobody is asked." },
      },
    ];
  }
  if (state.status === "waiting" && stand === null) {
    return [{ agent: "lead", type: "run.resumed", data: { epoch: facts.epoch, after: "waiting" } }];
  }
  return [];
}

/** `person`: nothing moves until somebody decides. `blocked`: nothing moves and there is nothing to decide. `null`: work goes on. */
export function standstillOf(state: RunState): "person" | "blocked" | null {
  if (
    state.ending !== null ||
    state.nodes.some(isMoving) ||
    isLeadMoving(state) ||
    mayStop(state) ||
    owesSubmission(state) ||
    owesFinalReview(state)
  )
    return null;
  if (begunUndo(state) !== undefined) return null;
  if (state.changeSets.some((set) => set.status === "approved" || set.status === "landing")) return null;
  return openQuestions(state) > 0 ? "person" : "blocked";
}

function isMoving(node: NodeState): boolean {
  if (node.status === "running" || node.status === "submitting" || node.status === "landing") return true;
  // A slot comes free by itself, also one that another run holds; a claim or a writer's place may wait for a review.
  if (node.status === "ready" && (node.queue?.code === "SLOT" || node.queue?.code === "MODEL")) return true;
  return isTerminal(node.status) && !node.isSettled;
}

/** A lead that only waits moves when its wait is over or has a limit. */
function isLeadMoving(state: RunState): boolean {
  if (state.lead.request !== null) return true;
  const turn = nextLeadTurn(state);
  if (turn.kind === "idle") return false;
  if (turn.kind !== "calls") return true;
  return turn.calls.some((call) => {
    if (call.tool !== "waitForSubagents" || call.status !== "open") return !isAsking(state, call.id);
    const wait = parseWait(call.arguments);
    return wait === null || wait.timeoutMs !== undefined || isWaitOver(state, wait);
  });
}

/** A call of the lead's that stands behind an open approval. */
function isAsking(state: RunState, call: string): boolean {
  return state.approvals.some(
    (approval) => approval.agent === "lead" && approval.call === call && approval.status === "open",
  );
}

function openQuestions(state: RunState): number {
  return (
    state.approvals.filter((approval) => approval.status === "open").length +
    state.changeSets.filter((set) => set.status === "held").length
  );
}

function waitSentence(state: RunState): string {
  const count = openQuestions(state);
  return `${count} ${count === 1 ? "decision" : "decisions"} of yours`;
}
