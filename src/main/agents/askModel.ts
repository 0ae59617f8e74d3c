// One turn of a model: reserve, ask, stream, record. Retries are journalled before their wait, and what was cut is
// never taken for an answer.

import type { Balances } from "../../shared/contract/options.ts";
import { isLastAffordable, lastTurnPrompts, type Prompt, sliceUsed, wrapUpAllowance } from "../domain/turn.ts";
import { nothing } from "../domain/budget.ts";
import { findNode, requireAgent } from "../domain/state.ts";
import type { Seat } from "../engine/ports/agent.ts";
import { type Clock, sleep } from "../engine/ports/clock.ts";
import type { ChatMessage, ModelOutcome, ModelPolicy, ModelPort, ToolOffer } from "../engine/ports/model.ts";
import type { Bench } from "./bench.ts";
import { fitConversation } from "./context.ts";

/** The most output that a request reserves when the server is not told a limit, tokens. */
const reservedOutput = 8_000;

export interface ModelDesk {
  readonly model: ModelPort;
  readonly policy: ModelPolicy;
  readonly clock: Clock;
  random(): number;
}

/** Asks until there is an answer, a final failure, or the seat is left. */
export async function askModel(
  seat: Seat,
  bench: Bench,
  desk: ModelDesk,
  turn: { readonly isForced: boolean; readonly prompt: Prompt | null },
): Promise<void> {
  let spentMs = 0;
  let prompt = turn.prompt;
  let hasOverflowed = false;
  for (;;) {
    const outcome = await askOnce(seat, bench, desk, turn.isForced, prompt);
    if (outcome === null) return;
    prompt = null;
    if (!hasOverflowed && isOverflow(outcome.outcome)) {
      // The server's word lowers the window, so the next request is made smaller, once.
      hasOverflowed = true;
      await recordFailure(seat, outcome.request, outcome.outcome, false);
      continue;
    }
    const attempt = requireAgent(seat.state(), seat.agent).retries + 1;
    const retry = seat.signal.aborted
      ? null
      : desk.policy.nextRetry({ attempt, spentMs, outcome: outcome.outcome, random: desk.random() });
    await recordFailure(seat, outcome.request, outcome.outcome, retry === null);
    if (retry === null) return;
    await seat.dispatch({
      type: "agent.retry",
      agent: seat.agent,
      request: outcome.request,
      attempt,
      waitMs: retry.waitMs,
      reason: retry.reason,
    });
    // A server may name a long wait; whoever keeps to it is not stalled.
    const waited = seat.inFlight("model", "wait before the next try");
    await sleep(desk.clock, retry.waitMs, seat.signal);
    waited();
    if (seat.signal.aborted) return;
    if (!retry.isNamed) spentMs += retry.waitMs;
  }
}

interface Failed {
  readonly request: string;
  readonly outcome: Exclude<ModelOutcome, { kind: "completed" }>;
}

/** `null` when there is nothing more to do here: answered, refused by the budget, or ended. */
async function askOnce(
  seat: Seat,
  bench: Bench,
  desk: ModelDesk,
  isForced: boolean,
  prompt: Prompt | null,
): Promise<Failed | null> {
  const { agent, signal } = seat;
  const state = seat.state();
  const model = findNode(state, agent)?.packet.model ?? state.options.model;
  const history = await fitConversation(seat, desk.policy, model, bench.offers(isForced));
  if (history === null) return null;
  const estimate = estimateFor(seat, desk, withPrompt(history, prompt), bench.offers(isForced));
  const mustForce = isForced || isLastTurn(seat, estimate);
  // Whom the budget forces is told so, once: a retry finds it in the history.
  const said =
    mustForce && !isForced && !requireAgent(state, agent).lastRequestForced
      ? lastTurnPrompts[agent === "lead" ? "lead" : "subagent"]
      : prompt;
  const messages = withPrompt(history, said);
  const tools = bench.offers(mustForce);
  const requested = await seat.dispatch({
    type: "agent.request",
    agent,
    model,
    estimate,
    isCostKnown: state.price !== null,
    isForced: mustForce,
    ...(said === null ? {} : { prompt: said }),
  });
  if (!requested.ok) return null;
  const event = requested.value.events.find((one) => one.type === "model.requested");
  if (event?.type !== "model.requested") return null;
  const { request } = event.data;
  const ended = seat.inFlight("model", model);
  const outcome = await desk.model.complete(
    { model, messages, tools, firstEventMs: state.limits.modelFirstEventMs, idleMs: state.limits.modelIdleMs },
    { signal, onText: (text) => seat.live(text), onData: () => seat.touch(), onQueued: () => seat.touch() },
  );
  ended();
  if (outcome.kind !== "completed") return { request, outcome };
  const { text, reasoning, toolCalls, finish, usage } = outcome;
  const costMicros = usage === null || state.price === null ? null : desk.policy.costMicros(usage, state.price);
  await seat.dispatch({
    type: "agent.complete",
    agent,
    request,
    text,
    reasoning,
    toolCalls: uniqueCalls(seat, toolCalls),
    finish,
    usage,
    costMicros,
  });
  return null;
}

function isOverflow(outcome: Failed["outcome"]): boolean {
  return outcome.kind === "failed" && outcome.code === "CONTEXT_OVERFLOW";
}

function withPrompt(history: readonly ChatMessage[], prompt: Prompt | null): readonly ChatMessage[] {
  return prompt === null ? history : [...history, { role: "user", content: prompt.text }];
}

async function recordFailure(seat: Seat, request: string, outcome: Failed["outcome"], isLast: boolean): Promise<void> {
  const { agent } = seat;
  const record = (code: string, message: string, isFinal: boolean, wasCharged: boolean) =>
    seat.dispatch({
      type: "agent.failRequest",
      agent,
      request,
      code,
      message,
      text: outcome.text,
      isFinal,
      wasCharged,
    });
  switch (outcome.kind) {
    case "aborted":
      await record("ABORTED", "Ended by us.", false, true);
      return;
    case "cut":
      // The output limit is not asked again as it was: the agent is told to write less, and counted.
      await record(outcome.code, outcome.message, isLast && outcome.code !== "OUTPUT_LIMIT", true);
      return;
    case "failed":
      await record(outcome.code, outcome.message, isLast, false);
  }
}

function estimateFor(
  seat: Seat,
  desk: ModelDesk,
  messages: readonly ChatMessage[],
  tools: readonly ToolOffer[],
): Balances<number> {
  const { price } = seat.state();
  const inputTokens = desk.policy.estimateTokens(messages, tools);
  const usage = { inputTokens, outputTokens: reservedOutput, cachedTokens: 0 };
  return {
    steps: 1,
    toolCalls: 0,
    inputTokens,
    outputTokens: reservedOutput,
    costMicros: price === null ? 0 : desk.policy.costMicros(usage, price),
  };
}

/** A lead's ordinary turns end with what its kept share leaves; this finds the turn after which not even the share would bear a last one. */
function isLastTurn(seat: Seat, estimate: Balances<number>): boolean {
  const state = seat.state();
  const node = findNode(state, seat.agent);
  return node
    ? isLastAffordable(node.slice, sliceUsed(node), estimate)
    : isLastAffordable(wrapUpAllowance(state), nothing, estimate);
}

/** Servers repeat call ids between turns; in the journal each call of an agent has its own. */
function uniqueCalls<T extends { readonly id: string }>(seat: Seat, calls: readonly T[]): readonly T[] {
  const taken = new Set(
    seat
      .journal()
      .flatMap((event) =>
        event.agent === seat.agent && event.type === "model.completed"
          ? event.data.toolCalls.map((call) => call.id)
          : [],
      ),
  );
  return calls.map((call, index) => {
    let id = call.id === "" ? `call_${index}` : call.id;
    for (let copy = 2; taken.has(id); copy++) id = `${call.id}~${copy}`;
    taken.add(id);
    return { ...call, id };
  });
}
