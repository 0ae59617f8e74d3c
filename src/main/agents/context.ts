// Keeps an agent's conversation within its model's window: at three quarters one step down, as events, so that the
// same journal gives the same conversation. First old outputs become stubs; where that is not enough, a summary is due.

import { serverOf } from "../domain/modelServers.ts";
import { wordLedger } from "../domain/projections/ledger.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { ChatMessage, ModelPolicy, ToolOffer } from "../engine/ports/model.ts";
import { compactMessages, keptTurns } from "./compaction.ts";
import type { Conversation } from "./conversation.ts";
import { modelOf } from "./modelRequest.ts";

/** The window of a model that nobody knows, tokens. */
const unknownWindow = 32_000;
const highWater = 0.75;
const lowWater = 0.4;
/** A server that refused a request for its length has a smaller window than was thought. */
const lowered = 0.8;
/** The part of the window that a ledger may take, and characters of one at least and at most. A token is three characters or more. */
const ledgerShare = 0.08;
const ledgerLengths = { least: 1_000, most: 8_000 };
/** Turns that hold less than this part of the window are not worth a request that sums them up. */
const worthSummingUp = 0.1;

/**
 * What can be sent. `summary`: the turns up to ordinal `upTo` are to be summed up first, unless that cannot be.
 * `isTooLong`: without it the conversation does not fit into the window at all. Lengths in estimated tokens.
 */
export type Fit =
  | { readonly kind: "fits"; readonly messages: readonly ChatMessage[] }
  | { readonly kind: "summary"; readonly upTo: number; readonly from: number; readonly isTooLong: boolean }
  | { readonly kind: "overflow"; readonly length: number };

export interface FitOptions {
  readonly policy: ModelPolicy;
  readonly tools: readonly ToolOffer[];
}

/** Fits the conversation into the window as far as stubs go, and says what is to be done beyond them. */
export async function fitConversation(seat: Seat, conversation: Conversation, options: FitOptions): Promise<Fit> {
  const { policy, tools } = options;
  const history = conversation.read(seat.state(), seat.journal()).messages();
  const window = windowFor(seat, conversation, policy);
  const lengthOf = (messages: readonly ChatMessage[]) => policy.estimateTokens(messages, tools);
  if (lengthOf(history) <= window * highWater) return { kind: "fits", messages: history };
  const messages = (await stubOutputs(seat, conversation, history, window, lengthOf)) ?? history;
  const length = lengthOf(messages);
  const upTo = length <= window * lowWater ? null : endOfSummary(conversation, messages, window, lengthOf);
  if (upTo !== null) return { kind: "summary", upTo, from: length, isTooLong: length > window };
  return length <= window ? { kind: "fits", messages } : { kind: "overflow", length };
}

/** The window of the agent's model, lowered by what its server has refused this agent for its length. */
export function windowFor(seat: Seat, conversation: Conversation, policy: ModelPolicy): number {
  const model = modelOf(seat);
  const known = policy.contextTokens(model, serverOf(seat.state().options, model)) ?? unknownWindow;
  return Math.min(known, ...conversation.refusedLengths().map((length) => length * lowered));
}

/** The conversation with old outputs as stubs, on disk as an event; `null` when there is none left to take out. */
async function stubOutputs(
  seat: Seat,
  conversation: Conversation,
  history: readonly ChatMessage[],
  window: number,
  estimate: (messages: readonly ChatMessage[]) => number,
): Promise<readonly ChatMessage[] | null> {
  const ledger = ledgerFor(seat, window);
  // Without the offered tools, which an estimate of any conversation counts.
  const ledgerTokens = ledger === null ? 0 : estimate([{ role: "user", content: ledger }]) - estimate([]);
  const { from, to, messages } = compactMessages(history, {
    targetTokens: window * lowWater - ledgerTokens,
    keptTokens: window * highWater - ledgerTokens,
    estimate,
    labelOf: (message) => conversation.outputLabel(message.callId),
  });
  const calls = messages.flatMap((message, index) =>
    message.role === "tool" && message !== history[index] ? [message.callId] : [],
  );
  if (calls.length === 0) return null;
  await seat.dispatch({
    type: "agent.compact",
    agent: seat.agent,
    from,
    to: to + ledgerTokens,
    calls,
    ...(ledger === null ? {} : { ledger }),
  });
  return conversation.read(seat.state(), seat.journal()).messages();
}

/** What the lead is told anew of its delegations when its conversation is brought down; `null`: nothing, or it is no lead. */
export function ledgerFor(seat: Seat, window: number): string | null {
  if (seat.agent !== "lead") return null;
  const { least, most } = ledgerLengths;
  return wordLedger(seat.state(), Math.min(most, Math.max(least, Math.floor(window * ledgerShare * 3))));
}

/**
 * The ordinal up to which turns are summed up: all but the newest, or as many of the oldest as a request can hold.
 * `null`: there are none, or they are not what fills the window.
 */
function endOfSummary(
  conversation: Conversation,
  messages: readonly ChatMessage[],
  window: number,
  lengthOf: (messages: readonly ChatMessage[]) => number,
): number | null {
  const turns = conversation.turns();
  const length = lengthOf(messages);
  const unsummed = lengthOf(conversation.messagesUpTo(0));
  // A turn ends where the answer that opens the next one begins.
  const ends = turns.slice(1, turns.length - keptTurns + 1).map((n) => n - 1);
  const end = ends.findLast((n) => lengthOf(conversation.messagesUpTo(n)) <= window * highWater);
  if (end === undefined) return null;
  const gain = lengthOf(conversation.messagesUpTo(end)) - unsummed;
  return gain >= window * worthSummingUp || length > window ? end : null;
}
