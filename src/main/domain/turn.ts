// What an agent does next, read from the state alone; so that a loop that was killed goes on as if it had not been.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { BalanceName, Balances } from "../../shared/contract/options.ts";
import { available, mapBalances, minus, overrun } from "./budget.ts";
import { conflictNews, decidedSince } from "./verdictNews.ts";
import { openConflicts } from "./verdictConflicts.ts";
import type { PromptKind } from "./records.ts";
import { findLoop } from "./liveness.ts";
import { type AgentState, type CallState, findNode, type NodeState, type RunState } from "./state.ts";
import { templateReport } from "./policy/templateReport.ts";
import { isTemplateAtWork } from "./policy/templateRun.ts";
import { isTerminal } from "./lifecycle.ts";

export interface Prompt {
  readonly kind: PromptKind;
  readonly text: string;
}

export type Turn =
  | { readonly kind: "calls"; readonly calls: readonly CallState[] }
  | { readonly kind: "request"; readonly isForced: boolean; readonly prompt: Prompt | null }
  /** A subagent that was told twice and still writes prose: its text is kept as its result. */
  | { readonly kind: "keepProse"; readonly text: string }
  | { readonly kind: "fail"; readonly code: string; readonly sentence: string }
  | { readonly kind: "abandonChildren" }
  | { readonly kind: "idle" };

const idle: Turn = { kind: "idle" };

/** How often a tool may fail in turns in a row before the agent is told, and before it is stopped. */
export const failingTurns = { told: 3, stopped: 5 };
const maxCutTurns = 3;
const maxSubmitPrompts = 2;

/** What an agent is told of its last turn, whichever limit makes it the last. */
const lastTurnPrompts = {
  lead: {
    kind: "forced",
    text: "This is your last turn: no tools are left. Say what was found, what was done, and what is missing.",
  },
  subagent: {
    kind: "forced",
    text: "This is your last turn. Call submitResult now with what you have; say what is missing.",
  },
} as const satisfies Record<string, Prompt>;

const anotherAnswer =
  "Go on if there is something left to do; otherwise give your final answer again, with these facts in it.";

/** What this agent does next. */
export function nextTurnOf(state: RunState, agent: AgentId): Turn {
  const node = findNode(state, agent);
  return node ? nextSubagentTurn(state, node) : nextLeadTurn(state);
}

export function nextLeadTurn(state: RunState): Turn {
  const turn = nextLeadWork(state);
  return turn.kind === "request" ? { ...turn, prompt: withConflictNews(state, turn.prompt) } : turn;
}

/** What an agent is told whose turn the budget makes its last one. */
export function lastPromptOf(state: RunState, agent: AgentId): Prompt | null {
  return agent === "lead" ? withConflictNews(state, lastTurnPrompts.lead) : lastTurnPrompts.subagent;
}

/** Whatever else the lead is told, it is told the news too: they count as told with the next prompt. */
function withConflictNews(state: RunState, prompt: Prompt | null): Prompt | null {
  const news = conflictNews(state);
  if (news === null) return prompt;
  return prompt === null ? { kind: "news", text: news } : { ...prompt, text: `${prompt.text}\n\n${news}` };
}

/** What the lead does next, whatever it is to be told beside that. */
function nextLeadWork(state: RunState): Turn {
  const { lead } = state;
  if (state.ending !== null || (state.status !== "running" && state.status !== "waiting")) return idle;
  if (isAskedForMore(state)) return idle;
  if (isTemplateAtWork(state)) return idle;
  const common = commonTurn(lead);
  if (common) return common;
  if (lead.spoke !== null) return afterLeadSpoke(state);
  if (lead.limitReached !== null || isLastLeadStep(state)) {
    return { kind: "request", isForced: true, prompt: lastTurnPrompts.lead };
  }
  return { kind: "request", isForced: false, prompt: promptFor(lead) ?? reportFor(state) };
}

/** Under a template the lead begins with what its subagents have found. */
function reportFor(state: RunState): Prompt | null {
  if (state.template === null || state.lead.requestCount > 0) return null;
  return { kind: "template", text: templateReport(state) };
}

/** Whether a balance of the run is used up and a person has been asked for more: until then the lead does nothing. */
export function isAskedForMore(state: RunState): boolean {
  return state.approvals.some((one) => one.kind === "budget" && one.status === "open");
}

export function nextSubagentTurn(state: RunState, node: NodeState): Turn {
  if (node.status !== "running" || state.status === "paused" || state.ending !== null) return idle;
  const common = commonTurn(node);
  if (common) return common;
  if (node.lastRequestForced && node.failedRequest === null) {
    return { kind: "fail", code: "MAX_STEPS", sentence: `It used its ${node.used.steps} steps without a result.` };
  }
  const isForced = sliceUsed(node).steps >= stepsOf(node) - 1;
  if (isForced) return { kind: "request", isForced, prompt: lastTurnPrompts.subagent };
  if (node.spoke !== null) {
    if (node.silentTurns > maxSubmitPrompts) return { kind: "keepProse", text: node.spoke.text };
    return {
      kind: "request",
      isForced,
      prompt: {
        kind: "submit",
        text: "Nothing you write reaches anyone until you call submitResult. Go on with your task, or call submitResult with your result.",
      },
    };
  }
  return { kind: "request", isForced, prompt: promptFor(node) };
}

/** Steps a subagent may take on its present slice; the packet's own number counts until the work is sent back. */
export function stepsOf(node: NodeState): number {
  return Math.min(node.isRenewed ? Infinity : node.packet.maxSteps, node.slice.steps ?? Infinity);
}

/** What a subagent has used of its present slice. */
export function sliceUsed(node: NodeState): Balances<number> {
  return minus(node.used, node.charged);
}

/** What a lead's ordinary turn may still draw on; `null` = no limit. Its kept share is for the wrap-up alone. */
export function leadAllowance(state: RunState): Balances {
  return available(state.budget);
}

/** The balance that bears no second request like this one, so that it must be the forced one; `undefined`: all do. */
export function balanceAtEnd(
  limit: Balances,
  used: Balances<number>,
  estimate: Balances<number>,
): BalanceName | undefined {
  const twice = mapBalances((name) => estimate[name] * 2);
  return overrun(limit, used, twice)[0];
}

/** The most a lead's wrap-up turn may draw on: all that is not held by children. */
export function wrapUpAllowance(state: RunState): Balances {
  const { limit, used, reserved } = state.budget;
  return mapBalances((name) => {
    const whole = limit[name];
    return whole === null ? null : Math.max(0, whole - used[name] - reserved[name]);
  });
}

/** What an agent's next request may draw on, a last one (`isForced`) or not; `null` = no limit. */
export function spendableBy(state: RunState, agent: AgentId, isForced: boolean): Balances {
  const node = findNode(state, agent);
  if (node === undefined) return isForced ? wrapUpAllowance(state) : leadAllowance(state);
  const used = sliceUsed(node);
  return mapBalances((name) => {
    const whole = node.slice[name];
    return whole === null ? null : Math.max(0, whole - used[name]);
  });
}

/** Children that the lead would leave behind: still at work, or about to be, and not on account of a review. One that asks the lead something counts in any case. */
export function forgottenChildren(state: RunState): readonly NodeState[] {
  return state.nodes.filter(
    (node) => !isTerminal(node.status) && (node.waitsFor === "context" || !goesOnByReview(state, node)),
  );
}

/** Whether a person's review decides, or has decided since the lead spoke, that a node goes on: it is under review, was sent back, or hangs on one that is or was. */
function goesOnByReview(state: RunState, node: NodeState): boolean {
  if (node.status === "awaiting_review" || node.status === "landing" || wasReviewedSince(state, node)) return true;
  if (node.startedAt !== null && node.ranN < (state.lead.spoke?.n ?? 0)) return false;
  return node.dependsOn.some(({ id }) => {
    const dependency = findNode(state, id);
    return dependency !== undefined && goesOnByReview(state, dependency);
  });
}

function wasReviewedSince(state: RunState, node: NodeState): boolean {
  return state.lead.spoke !== null && node.reviewedN > state.lead.spoke.n;
}

/** What happened since the lead spoke that it has not been told: rejected, sent back, or run since. */
export function newsForLead(state: RunState): readonly NodeState[] {
  const since = state.lead.spoke?.n;
  if (since === undefined) return [];
  return state.nodes.filter(
    (node) => node.code !== "ABANDONED" && (node.ranN > since || (node.endedN > since && node.end === "failed")),
  );
}

export function isEverythingSettled(state: RunState): boolean {
  return state.nodes.every((node) => node.isSettled);
}

function afterLeadSpoke(state: RunState): Turn {
  const { lead } = state;
  if (lead.spoke?.isEmpty === true && lead.limitReached === null) {
    if (lead.silentTurns > 1)
      return {
        kind: "fail",
        code: "MODEL_RETURNED_NOTHING",
        sentence: "The model answered twice with neither text nor a call.",
      };
    return {
      kind: "request",
      isForced: false,
      prompt: {
        kind: "empty",
        text: "Your last answer held neither text nor a tool call. Go on, or give your final answer.",
      },
    };
  }
  const forgotten = forgottenChildren(state);
  if (forgotten.length > 0) {
    if (lead.isReminded || lead.limitReached !== null) return { kind: "abandonChildren" };
    const names = forgotten.map((node) => `${node.id} (${node.status})`).join(", ");
    return {
      kind: "request",
      isForced: false,
      prompt: {
        kind: "reminder",
        text: `These subagents have not finished: ${names}. Wait for them with waitForSubagents or cancel them with cancelSubagent. If you end again, they are cancelled.`,
      },
    };
  }
  if (!isEverythingSettled(state) || lead.limitReached !== null) return idle;
  const news = newsForLead(state);
  if (news.length === 0) {
    // One question is enough to wait for: it is told of all decisions at once.
    const isSettled = decidedSince(state).length > 0 && openConflicts(state).length === 0;
    return isSettled ? { kind: "request", isForced: false, prompt: { kind: "news", text: anotherAnswer } } : idle;
  }
  const facts = news
    .map(
      (node) =>
        `${node.id}: ${node.status}${node.code === null ? "" : ` (${node.code})`}${node.sentence === null ? "" : `, ${node.sentence}`}`,
    )
    .join("\n");
  return {
    kind: "request",
    isForced: false,
    prompt: {
      kind: "news",
      text: `Since you answered:\n${facts}\n${anotherAnswer}`,
    },
  };
}

/** What lead and subagents share: unanswered calls, a cut answer, a circle. `null` when none of these decides. */
function commonTurn(agent: AgentState): Turn | null {
  const unanswered = agent.calls.filter((call) => call.status !== "answered");
  if (unanswered.length > 0) return { kind: "calls", calls: unanswered };
  if (agent.cutTurns >= maxCutTurns)
    return {
      kind: "fail",
      code: "OUTPUT_LIMIT",
      sentence: `${agent.cutTurns} answers in a row hit the model's output limit.`,
    };
  const loop = findLoop(agent.guard);
  if (loop) return { kind: "fail", code: "LOOPING", sentence: `${loop.reason}.` };
  const worst = worstFailure(agent);
  if (worst && worst.turns >= failingTurns.stopped)
    return { kind: "fail", code: "TOOL_FAILING", sentence: `${worst.tool} failed in ${worst.turns} turns in a row.` };
  return null;
}

function promptFor(agent: AgentState): Prompt | null {
  if (agent.failedRequest?.code === "OUTPUT_LIMIT") {
    return {
      kind: "cut",
      text: "Your last answer hit the output limit and was discarded: nothing of it was carried out. Do it in smaller parts.",
    };
  }
  const worst = worstFailure(agent);
  if (worst?.turns === failingTurns.told) {
    return {
      kind: "failing",
      text: `${worst.tool} has failed in ${worst.turns} turns in a row. Read its errors and try another way; after ${failingTurns.stopped} you are stopped.`,
    };
  }
  return null;
}

function worstFailure(agent: AgentState): { readonly tool: string; readonly turns: number } | null {
  let worst: { tool: string; turns: number } | null = null;
  for (const [tool, turns] of Object.entries(agent.failures)) if (turns > (worst?.turns ?? 0)) worst = { tool, turns };
  return worst;
}

/** Whether the lead's next turn is the last that its number of steps allows. */
export function isLastLeadStep(state: RunState): boolean {
  return state.lead.used.steps >= state.limits.leadSteps - 1;
}
