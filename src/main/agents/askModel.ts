// One turn of an agent: its conversation fitted to the model's window, asked, and what came recorded. The last turn
// that the budget can pay for is a forced one.

import type { BalanceName, Balances } from "../../shared/contract/options.ts";
import { nothing } from "../domain/budget.ts";
import type { ToolCall } from "../domain/records.ts";
import { findNode, requireAgent } from "../domain/state.ts";
import {
  balanceAtEnd,
  lastPromptOf,
  nextTurnOf,
  type Prompt,
  sliceUsed,
  type Turn,
  wrapUpAllowance,
} from "../domain/turn.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { ChatMessage } from "../engine/ports/model.ts";
import type { Bench } from "./bench.ts";
import { type Fit, fitConversation, windowFor } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { askUntilAnswered, estimateFor, type ModelAsk, type ModelDesk } from "./modelRequest.ts";
import { sumUp } from "./summary.ts";

/** Asks for the turn that is due until there is an answer, a final failure, or the seat is left. */
export async function askModel(seat: Seat, bench: Bench, desk: ModelDesk, conversation: Conversation): Promise<void> {
  await askUntilAnswered(seat, desk, async (isAgain) => {
    const history = await historyFor(seat, bench, desk, conversation);
    // A summary takes a step of the agent's, so the turn is looked at only now.
    const turn = nextTurnOf(seat.state(), seat.agent);
    if (history === null || turn.kind !== "request") return null;
    return wordTurn(seat, bench, desk, conversation, history, turn, isAgain);
  });
}

/** The conversation as it can be sent, summed up where it has to be; `null` when the agent was ended because it does not fit. */
async function historyFor(
  seat: Seat,
  bench: Bench,
  desk: ModelDesk,
  conversation: Conversation,
): Promise<readonly ChatMessage[] | null> {
  const fit = () => {
    const turn = nextTurnOf(seat.state(), seat.agent);
    const tools = bench.offers(turn.kind === "request" && turn.isForced);
    return fitConversation(seat, conversation, { policy: desk.policy, tools });
  };
  let fitted = await fit();
  while (fitted.kind === "summary" && maySumUp(seat, desk, conversation, fitted)) {
    const { upTo } = fitted;
    await sumUp(seat, desk, conversation, fitted);
    fitted = await fit();
    // Without a summary there is nothing to gain by asking for the same again in this turn.
    if (fitted.kind === "summary" && fitted.upTo === upTo) break;
  }
  if (fitted.kind === "fits") return fitted.messages;
  const length = fitted.kind === "summary" ? fitted.from : fitted.length;
  if (fitted.kind === "summary" && !fitted.isTooLong) return conversation.messages();
  // Told once: an agent that has ended, or asks already, is not told again.
  if (requireAgent(seat.state(), seat.agent).request === null) await overflow(seat, desk, conversation, length);
  return null;
}

/** A last turn is not given up for a summary. */
function maySumUp(
  seat: Seat,
  desk: ModelDesk,
  conversation: Conversation,
  { upTo }: Extract<Fit, { kind: "summary" }>,
): boolean {
  const turn = nextTurnOf(seat.state(), seat.agent);
  if (seat.signal.aborted || turn.kind !== "request" || turn.isForced) return false;
  const ask = { messages: conversation.messagesUpTo(upTo), tools: [], isForced: false };
  return limitAhead(seat, estimateFor(seat, desk, ask)) === undefined;
}

async function overflow(seat: Seat, desk: ModelDesk, conversation: Conversation, length: number): Promise<void> {
  const window = Math.floor(windowFor(seat, conversation, desk.policy));
  const sentence = `Its conversation is about ${length} tokens and its model takes ${window}, although what is old was left out.`;
  await seat.dispatch({ type: "agent.fail", agent: seat.agent, code: "CONTEXT_OVERFLOW", sentence });
}

function wordTurn(
  seat: Seat,
  bench: Bench,
  desk: ModelDesk,
  conversation: Conversation,
  history: readonly ChatMessage[],
  turn: Extract<Turn, { kind: "request" }>,
  isAgain: boolean,
): ModelAsk {
  const { agent } = seat;
  // A request that is made again finds what was said in the history.
  const prompt = isAgain ? null : turn.prompt;
  const tools = bench.offers(turn.isForced);
  const estimate = estimateFor(seat, desk, { messages: withPrompt(history, prompt), tools, isForced: turn.isForced });
  const forcedBy = turn.isForced ? undefined : limitAhead(seat, estimate);
  const isForced = turn.isForced || forcedBy !== undefined;
  // Whom the budget forces is told so, once.
  const said =
    forcedBy !== undefined && !requireAgent(seat.state(), agent).lastRequestForced
      ? lastPromptOf(seat.state(), agent)
      : prompt;
  return {
    messages: withPrompt(history, said),
    tools: bench.offers(isForced),
    isForced,
    ...(forcedBy === undefined ? {} : { forcedBy }),
    prompt: said,
    isLive: true,
    accept: async (request, { text, reasoning, toolCalls, finish, usage }, costMicros) => {
      const calls = uniqueCalls(conversation, toolCalls);
      const answer = { text, reasoning, toolCalls: calls, finish, usage, costMicros };
      await seat.dispatch({ type: "agent.complete", agent, request, ...answer });
    },
  };
}

function withPrompt(history: readonly ChatMessage[], prompt: Prompt | null): readonly ChatMessage[] {
  return prompt === null ? history : [...history, { role: "user", content: prompt.text }];
}

/** A lead's ordinary turns end with what its kept share leaves; this finds the turn after which not even the share would bear a last one, by the balance that ends it. */
function limitAhead(seat: Seat, estimate: Balances<number>): BalanceName | undefined {
  const state = seat.state();
  const node = findNode(state, seat.agent);
  return node
    ? balanceAtEnd(node.slice, sliceUsed(node), estimate)
    : balanceAtEnd(wrapUpAllowance(state), nothing, estimate);
}

/** Servers repeat call ids between turns; in the journal each call of an agent has its own. */
function uniqueCalls(conversation: Conversation, calls: readonly ToolCall[]): readonly ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call, index) => {
    let id = call.id === "" ? `call_${index}` : call.id;
    for (let copy = 2; taken.has(id) || conversation.hasCall(id); copy++) id = `${call.id}~${copy}`;
    taken.add(id);
    return { ...call, id };
  });
}
