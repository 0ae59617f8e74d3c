// How a subagent moves through its life. One event, one transition.

import type { NodeStatus } from "../../../shared/contract/snapshots.ts";
import { charge, minus, nothing, reserve, settle } from "../budget.ts";
import type { EventOf } from "../events.ts";
import { type NodeState, requireNode, type RunState } from "../state.ts";
import { obstaclesOf } from "../policy/judge.ts";
import { type Evolution, patchChangeSet, patchLead, patchNode, takeBack } from "./patch.ts";
import { newAgent } from "./run.ts";

export const judged: Evolution<EventOf<"policy.judged">> = (state, { data }) =>
  patchNode(state, data.subagent, (node) => ({ ...node, obstacles: obstaclesOf(data.verdicts) }));

export const recorded: Evolution<EventOf<"handoff.recorded">> = (state, { at, n, data }) => {
  const node: NodeState = {
    ...newAgent(data.subagent, at, n),
    id: data.subagent,
    ordinal: state.nodes.length + 1,
    childRun: data.childRun,
    role: data.role,
    task: data.task,
    title: data.title,
    dependsOn: data.dependsOn,
    packet: data.packet,
    key: data.key,
    contractHash: data.contractHash,
    model: data.packet.model,
    slice: data.slice,
    holdsSlice: true,
    isRenewed: false,
    charged: nothing,
    writes: data.writes,
    hasWorktree: data.place === "worktree",
    status: "pending",
    queue: null,
    obstacles: [],
    question: null,
    waitsFor: null,
    waitsOn: null,
    root: null,
    base: null,
    // Journals from before there were rounds name no part: their nodes stand in the order of the template's.
    part: data.part ?? state.template?.nodes[state.nodes.length]?.id ?? null,
    worktree: null,
    reads: null,
    place: "none",
    setupCount: 0,
    pin: null,
    result: null,
    schema: null,
    evidence: [],
    mostEvidence: 0,
    resultN: 0,
    changeSet: null,
    changeSetCount: 0,
    verification: data.writes ? "not-run" : "skipped",
    verifyRounds: 0,
    held: null,
    end: null,
    code: null,
    sentence: null,
    isWindingDown: false,
    isSettled: false,
    createdAt: at,
    startedAt: null,
    endedAt: null,
    ranMs: 0,
    runningSince: null,
    reviewedN: 0,
    ranN: n,
    endedN: 0,
  };
  // A graph that grew is progress: what failed or repeated itself before is no circle.
  const next = patchLead(state, (lead) => ({ ...lead, guard: [], failures: {} }));
  const { price, packet } = data;
  return {
    ...next,
    nodes: [...state.nodes, node],
    budget: reserve(state.budget, data.slice),
    rolePrices: price === undefined ? state.rolePrices : { ...state.rolePrices, [packet.model]: price },
  };
};

export const queued: Evolution<EventOf<"subagent.queued">> = (state, event) =>
  move(state, event, event.data.code === "DEPENDENCY" ? "pending" : "ready", (node) => ({
    queue: { code: event.data.code, sentence: event.data.sentence },
    waitsOn: null,
    question: null,
    held: null,
    ...(node.isSettled ? {} : { ranN: event.n }),
  }));

export const started: Evolution<EventOf<"subagent.started">> = (state, event) =>
  move(state, event, "running", () => ({
    queue: null,
    root: event.data.root,
    base: event.data.base ?? null,
    worktree: event.data.worktree ?? null,
    reads: event.data.reads ?? null,
    startedAt: event.at,
    ranN: event.n,
  }));

export const resumed: Evolution<EventOf<"subagent.resumed">> = (state, event) => {
  const next = event.data.after === "verification" ? takeBack(state, event.agent, "sent_back") : state;
  return move(next, event, "running", (node) => ({
    queue: null,
    waitsFor: null,
    // What it goes on with is new: a forced turn before it was not its last.
    lastRequestForced: false,
    spoke: null,
    silentTurns: 0,
    verifyRounds: event.data.after === "verification" ? node.verifyRounds + 1 : node.verifyRounds,
    ranN: event.n,
  }));
};

export const waiting: Evolution<EventOf<"subagent.waiting">> = (state, event) =>
  move(state, event, "waiting", () => ({
    waitsFor: event.data.for,
    waitsOn: event.data.approval ?? null,
    question: event.data.question ?? null,
  }));

/** A writer's finished result opens its submission; every other consequence is an event of its own. */
export const resulted: Evolution<EventOf<"subagent.result">> = (state, event) => {
  const { result, schema, evidence } = event.data;
  const next = patchNode(state, event.agent, (node) => ({
    ...node,
    result,
    schema,
    evidence,
    mostEvidence: Math.max(node.mostEvidence, evidence.length),
    resultN: event.n,
    activity: "Submitted its result",
  }));
  const node = requireNode(next, event.agent);
  const isDone = result.status === "done" || result.status === "done_with_concerns";
  return isDone && node.writes ? move(next, event, "submitting", () => ({})) : next;
};

export const repairAsked: Evolution<EventOf<"subagent.repair">> = (state, { agent }) =>
  patchNode(state, agent, (node) => ({ ...node, repairs: node.repairs + 1 }));

export const messaged: Evolution<EventOf<"subagent.messaged">> = (state, { agent }) =>
  patchNode(state, agent, (node) => ({ ...node, spoke: null, silentTurns: 0 }));

/** What it proposed and nobody landed goes with it: a node that has ended never lands. */
export const stopped: Evolution<EventOf<"subagent.stopped">> = (state, event) =>
  move(takeBack(state, event.agent, "withdrawn"), event, event.data.status, (node) => ({
    isWindingDown: node.status === "running" || node.status === "submitting",
    end: event.data.status,
    code: event.data.code ?? null,
    sentence: event.data.sentence ?? null,
    queue: null,
    waitsFor: null,
    held: null,
    endedAt: event.at,
    endedN: event.n,
  }));

export const settled: Evolution<EventOf<"subagent.settled">> = (state, { data }) => {
  const node = requireNode(state, data.subagent);
  const next = patchNode(state, data.subagent, (before) => ({
    ...before,
    isSettled: true,
    isWindingDown: false,
    request: null,
    holdsSlice: false,
    charged: data.used,
  }));
  const due = minus(data.used, node.charged);
  return { ...next, budget: node.holdsSlice ? settle(next.budget, node.slice, due) : charge(next.budget, due) };
};

/** A review holds no slice: what was used is charged and the rest released. */
export function releaseSlice(state: RunState, id: NodeState["id"]): RunState {
  const node = requireNode(state, id);
  if (!node.holdsSlice) return state;
  const next = patchNode(state, id, (before) => ({ ...before, holdsSlice: false, charged: before.used }));
  return { ...next, budget: settle(next.budget, node.slice, minus(node.used, node.charged)) };
}

export const sliceRenewed: Evolution<EventOf<"slice.renewed">> = (state, { data }) => {
  const next = patchNode(state, data.subagent, (node) => ({
    ...node,
    slice: data.slice,
    holdsSlice: true,
    isRenewed: true,
    lastRequestForced: false,
    verifyRounds: 0,
  }));
  return { ...next, budget: reserve(next.budget, data.slice) };
};

export const placeCreated: Evolution<EventOf<"worktree.created">> = (state, { agent, data: { path, root } }) =>
  agent === "lead"
    ? patchLead(state, (lead) => ({
        ...lead,
        seen: {},
        work: { path, root, touchedN: 0, isDropped: false, submittedN: 0, verifyRounds: 0, setupCount: 0 },
      }))
    : patchNode(state, agent, (node) => ({
        ...node,
        place: "created",
        worktree: path,
        setupCount: 0,
        ...setupActivity(state, 0),
      }));

/** A set-up command that did not end well is run again when its agent goes on. */
export const placeProvisioned: Evolution<EventOf<"worktree.provisioned">> = (state, { agent, data }) => {
  if (data.command === undefined || data.exitCode !== 0) return state;
  return agent === "lead"
    ? patchLead(state, (lead) => ({ ...lead, work: lead.work && withSetup(lead.work) }))
    : patchNode(state, agent, (node) => ({ ...withSetup(node), ...setupActivity(state, node.setupCount + 1) }));
};

/** Which set-up command is next, of how many; nothing where there is none. */
function setupActivity({ options: { setup = [] } }: RunState, done: number): { readonly activity?: string } {
  if (setup.length === 0) return {};
  const next = setup[done];
  return { activity: next === undefined ? "Its worktree is set up" : `Set-up ${done + 1} of ${setup.length}: ${next}` };
}

function withSetup<Place extends { readonly setupCount: number }>(place: Place): Place {
  return { ...place, setupCount: place.setupCount + 1 };
}

/** Its files are others than it has seen, and its set-up was that of another tree. */
export const placeRebased: Evolution<EventOf<"worktree.rebased">> = (state, { agent, data }) => {
  const { root, conflicts, changeset } = data;
  const next = patchChangeSet(state, changeset, (set) => ({ ...set, conflicts, bringsTarget: false }));
  return agent === "lead"
    ? patchLead(next, (lead) => ({ ...lead, seen: {}, work: lead.work && { ...lead.work, root, setupCount: 0 } }))
    : patchNode(next, agent, (node) => ({ ...node, seen: {}, root, base: null, setupCount: 0 }));
};

export const placePinned: Evolution<EventOf<"worktree.pinned">> = (state, { agent, data }) =>
  agent === "lead"
    ? patchLead(state, (lead) => ({ ...lead, work: lead.work && { ...lead.work, isDropped: false } }))
    : patchNode(state, agent, (node) => ({ ...node, pin: data.ref }));

export const placeRemoved: Evolution<EventOf<"worktree.removed">> = (state, { agent }) =>
  agent === "lead"
    ? patchLead(state, (lead) => ({ ...lead, work: null }))
    : patchNode(state, agent, (node) => ({ ...node, place: "removed" }));

/** The one place where a node's status changes: keeps the ceiling clock, which runs only while the node does. */
export function move(
  state: RunState,
  event: { readonly agent: NodeState["id"] | "lead"; readonly at: number },
  status: NodeStatus,
  change: (node: NodeState) => Partial<NodeState>,
): RunState {
  return patchNode(state, event.agent, (node) => {
    const ranMs = node.runningSince === null ? node.ranMs : node.ranMs + Math.max(0, event.at - node.runningSince);
    const runs = status === "running";
    return { ...node, ...change(node), status, ranMs, runningSince: runs ? event.at : null };
  });
}
