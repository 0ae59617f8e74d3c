// How events of the run itself change its state.

import type { RunStatus } from "../../../shared/contract/snapshots.ts";
import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunOptions } from "../../../shared/contract/options.ts";
import { nothing } from "../budget.ts";
import type { EventOf } from "../events.ts";
import { isTerminal } from "../lifecycle.ts";
import { roleModelsElsewhere } from "../modelServers.ts";
import type { AgentState, RunState } from "../state.ts";
import { type Evolution, patchLead, patchNode, takeBack } from "./patch.ts";

/** An agent before its first event. */
export function newAgent(id: AgentId, at: number, n: number): AgentState {
  return {
    id,
    request: null,
    requestCount: 0,
    calls: [],
    used: nothing,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    isCostKnown: true,
    spoke: null,
    silentTurns: 0,
    cutTurns: 0,
    repairs: 0,
    lastRequestForced: false,
    failedRequest: null,
    retries: 0,
    failures: {},
    guard: [],
    seen: {},
    toolsUsed: [],
    activity: "",
    lastEventAt: at,
    lastN: n,
  };
}

/** The state that `run.created` begins. */
export function createdState(event: EventOf<"run.created">): RunState {
  const { data } = event;
  return {
    run: event.run,
    n: event.n,
    status: "created",
    task: data.task,
    title: data.title,
    repo: data.repository,
    base: { commit: data.base, branch: data.baseBranch },
    includesDirty: data.includesDirty === true,
    origin: null,
    target: { branch: data.target, ref: data.targetRef },
    finalTarget: data.finalTarget ?? null,
    options: data.options,
    limits: data.limits,
    template: data.template ?? null,
    roles: data.roles ?? [],
    guide: data.guide ?? null,
    worktreeInclude: data.worktreeInclude ?? [],
    protectedPaths: data.protectedPaths ?? [],
    price: data.price,
    rolePrices: data.rolePrices ?? {},
    counted: {},
    createdAt: event.at,
    updatedAt: event.at,
    drivenAt: event.at,
    stoppedAt: null,
    wallMs: data.wallMs,
    countsFrom: event.at,
    deadlineAt: deadlineOf(event.at, data.wallMs),
    idleSince: null,
    epoch: 0,
    waitingFor: null,
    ending: null,
    line: data.base,
    lead: {
      ...newAgent("lead", event.at, event.n),
      work: null,
      isReminded: false,
      isAddressed: false,
      toldN: event.n,
      limitReached: null,
    },
    plan: [],
    notes: [],
    nodes: [],
    budget: { limit: data.budget, used: nothing, reserved: nothing },
    warned: [],
    approvals: [],
    conflicts: [],
    changeSets: [],
    landings: [],
    stop: null,
    receipts: {},
  };
}

export const planned: Evolution<EventOf<"plan.updated">> = (state, { data }) => ({ ...state, plan: data.steps });

export const noted: Evolution<EventOf<"note.added">> = (state, { n, at, agent, data: { kind, text, by } }) => ({
  ...state,
  notes: [...state.notes, { n, at, agent, by: by ?? null, kind, text, retractedBy: null }],
});

export const noteRetracted: Evolution<EventOf<"note.retracted">> = (state, { data }) => ({
  ...state,
  notes: state.notes.map((note) => (note.n === data.note ? { ...note, retractedBy: data.by } : note)),
});

export const started: Evolution<EventOf<"run.started">> = (state, { data }) => ({
  ...state,
  status: "running",
  epoch: data.epoch,
});

export const waiting: Evolution<EventOf<"run.waiting">> = (state, { at, data }) => ({
  ...state,
  status: "waiting",
  waitingFor: data.for,
  idleSince: at,
});

export const paused: Evolution<EventOf<"run.paused">> = (state, { at, data }) => ({
  ...become(state, "paused"),
  waitingFor: data.after === undefined ? null : "a person, since a crash",
  idleSince: state.idleSince ?? at,
});

export const interrupted: Evolution<EventOf<"run.interrupted">> = (state, { at }) => ({
  ...become(state, "interrupted"),
  idleSince: state.idleSince ?? at,
});

/** Only input reopens a run that was ending: a crash or a pause on the way to the stop does not. */
export const resumed: Evolution<EventOf<"run.resumed">> = (state, { at, data }) => {
  // A crash says nothing of its own moment. What people have written since is none of the run's time.
  const stoodMs = Math.max(0, at - (state.idleSince ?? state.drivenAt));
  const next = {
    ...become(state, "running"),
    epoch: data.epoch,
    idleSince: null,
    countsFrom: state.countsFrom + stoodMs,
    deadlineAt: deadlineOf(state.countsFrom + stoodMs, state.wallMs),
  };
  if (data.after !== "input") return next;
  return {
    ...patchLead(next, (lead) => ({ ...lead, limitReached: null })),
    stop: null,
    stoppedAt: null,
    ending: null,
  };
};

/** A review of the whole branch ends with the run, unless it is landing already; `land` asks for it anew. */
export const ending: Evolution<EventOf<"run.ending">> = (state, { data }) => ({
  ...takeBack(state, "lead", "withdrawn"),
  ending: { reason: data.reason, code: data.code ?? null, sentence: data.sentence ?? null },
});

export const stopped: Evolution<EventOf<"run.stopped">> = (state, { at, data }) => ({
  ...become(state, "stopped"),
  stoppedAt: at,
  idleSince: at,
  stop: {
    reason: data.reason,
    answer: data.answer,
    partial: data.partial,
    code: data.code ?? null,
    sentence: data.sentence ?? null,
  },
});

/** What was used and allowed was the other run's: the fork begins with a whole budget and with nobody's leave. */
export const forked: Evolution<EventOf<"run.forked">> = (state, { at, data }) => ({
  ...become(state, "paused"),
  origin: {
    run: data.origin,
    at: data.at,
    base: data.base,
    nodeCount: state.nodes.length,
    landingCount: state.landings.length,
    requestCount: state.lead.requestCount,
  },
  createdAt: at,
  stoppedAt: null,
  wallMs: data.wallMs,
  countsFrom: at,
  deadlineAt: deadlineOf(at, data.wallMs),
  idleSince: at,
  ending: null,
  stop: null,
  lead: {
    ...state.lead,
    activity: "",
    used: nothing,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    isCostKnown: true,
    limitReached: null,
    failedRequest: null,
    retries: 0,
    cutTurns: 0,
    silentTurns: 0,
    failures: {},
    guard: [],
    // Its worktree is the other run's.
    work: null,
  },
  nodes: state.nodes.map((node) => ({ ...node, holdsSlice: false, charged: node.used })),
  budget: { limit: data.budget, used: nothing, reserved: nothing },
  warned: [],
  approvals: state.approvals.map((one) => (one.scope === "run" ? { ...one, scope: "once" } : one)),
});

export const moved: Evolution<EventOf<"repository.moved">> = (state, { data }) => ({ ...state, repo: data.repository });

export const renamed: Evolution<EventOf<"run.renamed">> = (state, { data }) => ({ ...state, title: data.title });

/** Who speaks when a lead's own work fails its checks. */
export const theChecks = "the checks";

/** What a person says opens another turn. */
export const inputReceived: Evolution<EventOf<"input.received">> = (state, { data }) =>
  data.to === "lead"
    ? patchLead(state, (lead) => ({
        ...lead,
        spoke: null,
        silentTurns: 0,
        isReminded: false,
        isAddressed: true,
        work:
          lead.work && data.from === theChecks ? { ...lead.work, verifyRounds: lead.work.verifyRounds + 1 } : lead.work,
      }))
    : patchNode(state, data.to, (node) => ({ ...node, spoke: null, silentTurns: 0 }));

/** Subagents that ask the run's own model go along with it; a model that one was given by name is its own. */
export const optionsSet: Evolution<EventOf<"options.set">> = (state, { data }) => {
  const isElsewhere = data.options?.baseUrl !== undefined && data.options.baseUrl !== state.options.baseUrl;
  const options = optionsAfter(state.options, data.options ?? {}, isElsewhere);
  const wallMs = data.wallMs === undefined ? state.wallMs : data.wallMs;
  return {
    ...state,
    options,
    limits: { ...state.limits, ...data.limits },
    target: data.target ?? state.target,
    finalTarget: data.finalTarget ?? state.finalTarget,
    price: data.price === undefined ? state.price : data.price,
    rolePrices: data.rolePrices ?? state.rolePrices,
    counted: isElsewhere ? {} : state.counted,
    roles: isElsewhere ? state.roles.map(({ model: _model, ...role }) => role) : state.roles,
    wallMs,
    deadlineAt: deadlineOf(state.countsFrom, wallMs),
    nodes:
      options.model === state.options.model
        ? state.nodes
        : state.nodes.map((node) =>
            node.model === state.options.model && !isTerminal(node.status) ? { ...node, model: options.model } : node,
          ),
  };
};

/** Another server has models of its own: what roles had at the run's before is theirs no more. What they have at servers beside it stays. */
function optionsAfter(
  { roleModels, ...before }: RunOptions,
  changes: Partial<RunOptions>,
  isElsewhere: boolean,
): RunOptions {
  const kept = isElsewhere ? roleModelsElsewhere({ ...before, ...(roleModels && { roleModels }) }) : roleModels;
  return { ...before, ...(kept === undefined ? {} : { roleModels: kept }), ...changes };
}

function deadlineOf(countsFrom: number, wallMs: number | null): number | null {
  return wallMs === null ? null : countsFrom + wallMs;
}

function become(state: RunState, status: RunStatus): RunState {
  return { ...state, status, waitingFor: null };
}
