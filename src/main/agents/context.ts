// Keeps an agent's conversation within its model's window: at three quarters one step down, as an event, so that the
// same journal gives the same conversation.

import { requireAgent } from "../domain/state.ts";
import type { RunEvent } from "../domain/events.ts";
import type { AgentId } from "../../shared/contract/ids.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { ChatMessage, ModelPolicy, ToolOffer } from "../engine/ports/model.ts";
import { compactMessages } from "./compaction.ts";
import { conversationOf, outputLabel } from "./conversation.ts";

/** The window of a model that nobody knows, tokens. */
const unknownWindow = 32_000;
const highWater = 0.75;
const lowWater = 0.4;
/** A server that refused a request for its length has a smaller window than was thought. */
const lowered = 0.8;

/** The conversation to send, compacted when it has to be; `null` when the agent was ended because it does not fit. */
export async function fitConversation(
  seat: Seat,
  policy: ModelPolicy,
  model: string,
  tools: readonly ToolOffer[],
): Promise<readonly ChatMessage[] | null> {
  const { agent } = seat;
  const history = conversationOf(seat.state(), seat.journal(), agent);
  const window = windowOf(seat.journal(), agent, policy.contextTokens(model) ?? unknownWindow);
  const estimate = (messages: readonly ChatMessage[]) => policy.estimateTokens(messages, tools);
  if (estimate(history) <= window * highWater) return history;
  const { run } = seat.state();
  const compacted = compactMessages(history, {
    targetTokens: window * lowWater,
    estimate,
    labelOf: (message) => outputLabel(run, seat.journal(), agent, message.callId),
  });
  const calls = compacted.messages.flatMap((message, index) =>
    message.role === "tool" && message !== history[index] ? [message.callId] : [],
  );
  if (calls.length > 0)
    await seat.dispatch({ type: "agent.compact", agent, from: compacted.from, to: compacted.to, calls });
  if (compacted.to <= window) return calls.length > 0 ? conversationOf(seat.state(), seat.journal(), agent) : history;
  const sentence = `Its conversation is about ${compacted.to} tokens and its model takes ${Math.floor(window)}, although old outputs were left out.`;
  // Told once: an agent that has ended is not told again.
  if (requireAgent(seat.state(), agent).request === null)
    await seat.dispatch({ type: "agent.fail", agent, code: "CONTEXT_OVERFLOW", sentence });
  return null;
}

/** `known`, lowered by what the server has refused this agent for its length. */
function windowOf(journal: readonly RunEvent[], agent: AgentId, known: number): number {
  let window = known;
  const estimates = new Map<string, number>();
  for (const event of journal) {
    if (event.agent !== agent) continue;
    if (event.type === "model.requested") estimates.set(event.data.request, event.data.estimate.inputTokens);
    if (event.type !== "model.failed" || event.data.code !== "CONTEXT_OVERFLOW") continue;
    window = Math.min(window, (estimates.get(event.data.request) ?? window) * lowered);
  }
  return window;
}
