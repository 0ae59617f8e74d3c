// How a turn of an agent changes its state: requests, answers, calls. The same for lead and subagents.

import { charge, plus } from "../budget.ts";
import type { Balances } from "../../../shared/contract/options.ts";
import type { AgentId } from "../../../shared/contract/ids.ts";
import { chargedFor, countInput } from "../doubt.ts";
import type { EventOf } from "../events.ts";
import type { ToolOutcome, Usage } from "../records.ts";
import { guardWindow } from "../liveness.ts";
import { type AgentState, type CallState, type GuardEntry, requireAgent, type RunState } from "../state.ts";
import { type Evolution, patchAgent, patchLead } from "./patch.ts";

const oneToolCall: Balances<number> = { steps: 0, toolCalls: 1, inputTokens: 0, outputTokens: 0, costMicros: 0 };

export const requested: Evolution<EventOf<"model.requested">> = (state, { agent, at, data }) => {
  const { inputTokens, outputTokens, costMicros } = data.estimate;
  const estimate = { steps: 1, toolCalls: 0, inputTokens, outputTokens, costMicros: costMicros ?? 0 };
  const isSummary = data.promptKind === "summary";
  const asked = patchAgent(state, agent, (before) => ({
    request: { id: data.request, at, model: data.model, estimate, isForced: data.forced === true, isSummary },
    requestCount: before.requestCount + 1,
    isCostKnown: before.isCostKnown && costMicros !== null,
  }));
  // The turn that the summary makes room for has not begun: what decides about it stays.
  if (isSummary) return patchAgent(asked, agent, () => ({ activity: "Sums up its conversation" }));
  const next = patchAgent(asked, agent, () => ({
    spoke: null,
    calls: [],
    failedRequest: null,
    lastRequestForced: data.forced === true,
    activity: "Thinking",
  }));
  if (agent !== "lead") return next;
  return patchLead(next, (lead) => ({
    ...lead,
    isAddressed: false,
    toldN: data.prompt === undefined ? lead.toldN : state.n,
    isReminded: lead.isReminded || data.promptKind === "reminder",
  }));
};

export const completed: Evolution<EventOf<"model.completed">> = (before, { agent, at, n, data }) => {
  const { request } = requireAgent(before, agent);
  const isTold = request !== null && data.usage !== null;
  const state = isTold ? { ...before, counted: countInput(before, request, data.usage) } : before;
  const used = {
    steps: 1,
    toolCalls: 0,
    inputTokens: data.usage?.inputTokens ?? request?.estimate.inputTokens ?? 0,
    outputTokens: data.usage?.outputTokens ?? request?.estimate.outputTokens ?? 0,
    costMicros: data.costMicros ?? request?.estimate.costMicros ?? 0,
  };
  const charged = request === null ? used : chargedFor(state, request, used);
  if (request?.isSummary === true) return chargeAgent(answeredSummary(state, agent, data, used), agent, charged);
  // A lead's forced turn offers no tools: calls in it are refused, and its text is its last word all the same.
  const isLastWord = agent === "lead" && request?.isForced === true;
  const goesOn = data.toolCalls.length > 0 && !isLastWord;
  const isUnheard = agent === "lead" && state.lead.isAddressed;
  // A turn that asked for tools and named none has said nothing yet, whatever its text.
  const isEmpty = data.text.trim() === "" || data.finish === "tool_calls";
  const next = patchAgent(state, agent, (before) => ({
    request: null,
    retries: 0,
    cutTurns: 0,
    calls: data.toolCalls.map((call): CallState => ({
      id: call.id,
      tool: call.name,
      arguments: call.arguments,
      status: "open",
      at,
    })),
    spoke: goesOn || isUnheard ? null : { text: data.text, n, isEmpty },
    silentTurns: goesOn ? 0 : before.silentTurns + 1,
    usage: addUsage(before.usage, used, data.usage),
    activity: goesOn ? before.activity : "Answered",
  }));
  return chargeAgent(next, agent, charged);
};

function answeredSummary(
  state: RunState,
  agent: AgentId,
  { usage }: EventOf<"model.completed">["data"],
  used: Balances<number>,
): RunState {
  return patchAgent(state, agent, (before) => ({
    request: null,
    retries: 0,
    usage: addUsage(before.usage, used, usage),
  }));
}

function addUsage(before: Usage, used: Balances<number>, told: Usage | null): Usage {
  return {
    inputTokens: before.inputTokens + used.inputTokens,
    outputTokens: before.outputTokens + used.outputTokens,
    cachedTokens: before.cachedTokens + (told?.cachedTokens ?? 0),
  };
}

export const failed: Evolution<EventOf<"model.failed">> = (state, { agent, data }) => {
  const { request } = requireAgent(state, agent);
  if (request?.isSummary === true) {
    const ended = patchAgent(state, agent, () => ({ request: null }));
    return data.charged === true ? chargeAgent(ended, agent, request.estimate) : ended;
  }
  const next = patchAgent(state, agent, (before) => ({
    request: null,
    failedRequest: { code: data.code, message: data.message },
    cutTurns: data.code === "OUTPUT_LIMIT" ? before.cutTurns + 1 : before.cutTurns,
    retries: data.code === "OUTPUT_LIMIT" ? 0 : before.retries,
  }));
  return data.charged === true && request ? chargeAgent(next, agent, request.estimate) : next;
};

/** The answer of a request that a crash cut off is not known, so what it was estimated at stays charged. */
export const lost: Evolution<EventOf<"model.lost">> = (state, { agent }) => {
  const { request } = requireAgent(state, agent);
  const next = patchAgent(state, agent, (before) => ({
    request: null,
    lastRequestForced: request?.isSummary === true && before.lastRequestForced,
  }));
  return request ? chargeAgent(next, agent, request.estimate) : next;
};

export const retried: Evolution<EventOf<"model.retried">> = (state, { agent, data }) =>
  patchAgent(state, agent, () => ({
    retries: data.attempt,
    activity: `Waits ${Math.ceil(data.waitMs / 1000)} s to ask again: ${data.reason}`,
  }));

export const refused: Evolution<EventOf<"tool.refused">> = (state, { agent, data }) =>
  patchAgent(state, agent, (before) => answer(before, data.call, "refused", null));

export const dispatched: Evolution<EventOf<"tool.dispatched">> = (state, { agent, at, data }) => {
  const next = patchAgent(state, agent, (before) => ({
    calls: before.calls.map((call) =>
      call.id === data.call
        ? { ...call, status: "dispatched", at, effect: data.effect, class: data.class, input: data.input }
        : call,
    ),
    activity: subjectOf(data.tool, data.input),
  }));
  return chargeAgent(next, agent, oneToolCall);
};

export const settled: Evolution<EventOf<"tool.settled">> = (state, { agent, n, data }) => {
  const next = patchAgent(state, agent, (before) => ({
    ...answer(before, data.call, data.outcome, data.resultHash),
    // After a change of the work place, asking the same again is no circle.
    ...(data.changedState === true ? { guard: [], failures: {} } : {}),
    ...(data.seen === undefined ? {} : { seen: { ...before.seen, ...data.seen } }),
  }));
  if (agent !== "lead" || data.changedState !== true) return next;
  return patchLead(next, (lead) => ({ ...lead, work: lead.work && { ...lead.work, touchedN: n } }));
};

export const answered: Evolution<EventOf<"tool.answered">> = (state, { agent, data }) => {
  const next = patchAgent(state, agent, (before) => ({
    ...answer(before, data.call, "executed", null),
    activity: data.tool,
  }));
  // Handing in the result is not work: a slice whose calls are used up can still be handed in. A question was charged when it was asked.
  const isFree =
    data.tool === "submitResult" ||
    state.approvals.some((one) => one.agent === agent && one.call === data.call && one.kind === "question");
  return isFree ? next : chargeAgent(next, agent, oneToolCall);
};

/** A question to a person is one call, whenever the answer comes: what it takes from the budget is not there for anyone else meanwhile. */
export function chargeQuestion(state: RunState, agent: AgentId): RunState {
  return chargeAgent(state, agent, oneToolCall);
}

/** The lead's use is the run's at once; a child's is charged when it is settled. */
function chargeAgent(state: RunState, agent: AgentId, used: Balances<number>): RunState {
  const next = patchAgent(state, agent, (before) => ({ used: plus(before.used, used) }));
  return agent === "lead" ? { ...next, budget: charge(next.budget, used) } : next;
}

/** Marks a call as answered; when it was the last of its turn, counts what failed in that turn. */
function answer(
  agent: AgentState,
  id: string,
  outcome: ToolOutcome | "refused",
  resultHash: string | null,
): Partial<Omit<AgentState, "id">> {
  const calls = agent.calls.map((call): CallState =>
    call.id === id ? { ...call, status: "answered", outcome } : call,
  );
  const call = calls.find((other) => other.id === id);
  if (!call) return {};
  const guard: readonly GuardEntry[] =
    resultHash === null
      ? agent.guard
      : [...agent.guard, { tool: call.tool, call: call.arguments, result: resultHash }].slice(-guardWindow);
  const toolsUsed =
    outcome === "refused" || agent.toolsUsed.includes(call.tool) ? agent.toolsUsed : [...agent.toolsUsed, call.tool];
  const isTurnOver = calls.every((other) => other.status === "answered");
  return { calls, guard, toolsUsed, ...(isTurnOver ? { failures: countFailures(agent.failures, calls) } : {}) };
}

/** A call that was cut, by a death of this process or by a person, says nothing of its tool. */
const cutOutcomes: ReadonlySet<CallState["outcome"]> = new Set<CallState["outcome"]>([
  "not_applied",
  "cancelled",
  "unknown",
]);

function countFailures(
  before: Readonly<Record<string, number>>,
  turn: readonly CallState[],
): Readonly<Record<string, number>> {
  const after = { ...before };
  const whole = turn.filter((call) => !cutOutcomes.has(call.outcome));
  for (const tool of new Set(whole.map((call) => call.tool))) {
    const didWork = whole.some(
      (call) => call.tool === tool && (call.outcome === "executed" || call.outcome === "reconciled"),
    );
    after[tool] = didWork ? 0 : (before[tool] ?? 0) + 1;
  }
  return after;
}

/** `readFile pay.js`: a tool and what it is about, for people. */
function subjectOf(tool: string, input: unknown): string {
  const fields = typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const changes: unknown = fields["changes"];
  const first: unknown = Array.isArray(changes) ? changes[0] : undefined;
  const subject =
    fields["path"] ??
    fields["command"] ??
    fields["query"] ??
    (typeof first === "object" && first !== null && "path" in first ? first.path : undefined);
  return typeof subject === "string" ? `${tool} ${subject.split("\n")[0]?.slice(0, 80) ?? ""}` : tool;
}
