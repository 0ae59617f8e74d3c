// Requests to a model: reserve, ask, stream, record; again after a wait where that may help. Retries are journalled
// before their wait, and what was cut is never taken for an answer.

import type { BalanceName, Balances } from "../../shared/contract/options.ts";
import { costOf, priceFor } from "../domain/prices.ts";
import { type Prompt, spendableBy } from "../domain/turn.ts";
import { findNode, requireAgent, type RunState } from "../domain/state.ts";
import type { Seat } from "../engine/ports/agent.ts";
import { type Clock, sleep } from "../engine/ports/clock.ts";
import type { ChatMessage, ModelOutcome, ModelPolicy, ModelPort, ToolOffer } from "../engine/ports/model.ts";

/** The most output that a request reserves, tokens. Where it reserves less, its server is told so much as the limit. */
const reservedOutput = 8_000;
/** Less than this is no answer worth asking for, but in a last turn. Tokens. */
const leastOutput = 256;

export interface ModelDesk {
  readonly model: ModelPort;
  readonly policy: ModelPolicy;
  readonly clock: Clock;
  random(): number;
}

export type ModelAnswer = Extract<ModelOutcome, { kind: "completed" }>;

/** One request to make, and what its answer is for. */
export interface ModelAsk {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolOffer[];
  readonly isForced: boolean;
  /** The balance that makes it the last one. */
  readonly forcedBy?: BalanceName;
  /** What is said in the user's place, the last of `messages`. */
  readonly prompt: Prompt | null;
  /** Whether the text is shown as it comes. */
  readonly isLive: boolean;
  /** Records the answer of the request with that id. */
  accept(request: string, answer: ModelAnswer, costMicros: number | null): Promise<void>;
}

interface Failed {
  readonly request: string;
  readonly outcome: Exclude<ModelOutcome, { kind: "completed" }>;
}

/** Asks until there is an answer, a final failure, or the seat is left. `prepare` words each request anew, or answers `null` when there is nothing to ask any more; `isAgain`: one of this turn was made before. */
export async function askUntilAnswered(
  seat: Seat,
  desk: ModelDesk,
  prepare: (isAgain: boolean) => Promise<ModelAsk | null>,
): Promise<void> {
  let spentMs = 0;
  let hasOverflowed = false;
  for (let isAgain = false; ; isAgain = true) {
    const ask = await prepare(isAgain);
    const failed = ask === null ? null : await askOnce(seat, desk, ask);
    if (failed === null) return;
    if (!hasOverflowed && isOverflow(failed.outcome)) {
      // The server's word lowers the window, so the next request is made smaller, once.
      hasOverflowed = true;
      await recordFailure(seat, failed, false);
      continue;
    }
    const attempt = requireAgent(seat.state(), seat.agent).retries + 1;
    const retry = seat.signal.aborted
      ? null
      : desk.policy.nextRetry({ attempt, spentMs, outcome: failed.outcome, random: desk.random() });
    await recordFailure(seat, failed, retry === null);
    if (retry === null) return;
    const { waitMs, reason, isNamed } = retry;
    await seat.dispatch({ type: "agent.retry", agent: seat.agent, request: failed.request, attempt, waitMs, reason });
    // A server may name a long wait; whoever keeps to it is not stalled.
    const waited = seat.inFlight("model", "wait before the next try");
    await sleep(desk.clock, waitMs, seat.signal);
    waited();
    if (seat.signal.aborted) return;
    if (!isNamed) spentMs += waitMs;
  }
}

/** The model that the agent in this seat talks to. */
export function modelOf(seat: Seat): string {
  const state = seat.state();
  return findNode(state, seat.agent)?.model ?? state.options.model;
}

/** What a request is reserved at. */
export function estimateFor(
  seat: Seat,
  desk: ModelDesk,
  { messages, tools, isForced }: Pick<ModelAsk, "messages" | "tools" | "isForced">,
): Balances<number> {
  const state = seat.state();
  const price = priceFor(state, modelOf(seat));
  const inputTokens = desk.policy.estimateTokens(messages, tools);
  const outputTokens = outputFor(spendableBy(state, seat.agent, isForced), inputTokens, price, isForced);
  return {
    steps: 1,
    toolCalls: 0,
    inputTokens,
    outputTokens,
    costMicros: price === null ? 0 : costOf({ inputTokens, outputTokens }, price),
  };
}

/** The output that `room` bears, tokens: all of it in a last turn, else so that a second turn like this one can follow. */
function outputFor(room: Balances, inputTokens: number, price: RunState["price"], isForced: boolean): number {
  const turns = isForced ? 1 : 2;
  const money = room.costMicros === null || price === null || price.output === 0 ? Infinity : room.costMicros / turns;
  const paid = price === null ? Infinity : (money * 1_000_000 - inputTokens * price.input) / price.output;
  const bears = Math.floor(Math.min((room.outputTokens ?? Infinity) / turns, paid));
  return Math.min(reservedOutput, Math.max(isForced ? 1 : leastOutput, bears));
}

/** `null` when there is nothing more to do here: answered, refused by the budget, or ended. */
async function askOnce(seat: Seat, desk: ModelDesk, ask: ModelAsk): Promise<Failed | null> {
  const { agent, signal } = seat;
  const { messages, tools, isForced, forcedBy, prompt, isLive } = ask;
  const model = modelOf(seat);
  const price = priceFor(seat.state(), model);
  const { limits } = seat.state();
  const estimate = estimateFor(seat, desk, ask);
  const { outputTokens } = estimate;
  const requested = await seat.dispatch({
    type: "agent.request",
    agent,
    model,
    estimate,
    isCostKnown: price !== null,
    isForced,
    ...(forcedBy === undefined ? {} : { forcedBy }),
    ...(prompt === null ? {} : { prompt }),
  });
  if (!requested.ok) return null;
  const event = requested.value.events.find((one) => one.type === "model.requested");
  if (event?.type !== "model.requested") return null;
  const { request } = event.data;
  const ended = seat.inFlight("model", model);
  const outcome = await desk.model.complete(
    {
      model,
      messages,
      tools,
      ...(outputTokens < reservedOutput ? { maxOutputTokens: outputTokens } : {}),
      firstEventMs: limits.modelFirstEventMs,
      idleMs: limits.modelIdleMs,
    },
    {
      signal,
      onText: (text) => (isLive ? seat.live(text) : seat.touch()),
      onData: () => seat.touch(),
      onQueued: () => seat.touch(),
    },
  );
  ended();
  if (outcome.kind !== "completed") return { request, outcome };
  const { usage } = outcome;
  await ask.accept(request, outcome, usage === null || price === null ? null : costOf(usage, price));
  return null;
}

function isOverflow(outcome: Failed["outcome"]): boolean {
  return outcome.kind === "failed" && outcome.code === "CONTEXT_OVERFLOW";
}

async function recordFailure(seat: Seat, { request, outcome }: Failed, isLast: boolean): Promise<void> {
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
