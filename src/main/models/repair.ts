// A conversation made acceptable to a strict server before every request: each call has its one answer, right after it.
// Pure. It repairs what is sent, never what is stored.

import type { ToolCall } from "../domain/records.ts";
import type { ChatMessage } from "../engine/ports/model.ts";

type Assistant = Extract<ChatMessage, { readonly role: "assistant" }>;
type Answer = Extract<ChatMessage, { readonly role: "tool" }>;

/** What a call is answered with when its own answer was lost to a crash or a cancel. */
export const interruptedAnswer = JSON.stringify({
  error: {
    code: "INTERRUPTED",
    message:
      "The call was interrupted before it answered. It may or may not have taken effect: check before you repeat it.",
  },
});

/**
 * The same conversation with calls and answers paired: answers moved behind their call in the order of the calls,
 * missing ones filled with `interruptedAnswer`, answers without a call dropped, a call id that one message uses twice
 * kept once, and assistant messages with neither text nor calls left out. Already paired conversations come back equal.
 */
export function repairMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return matchAnswers(messages).flatMap(({ message, answers }): readonly ChatMessage[] => {
    if (message.role !== "assistant") return [message];
    const calls = distinctCalls(message);
    if (calls.length === 0 && message.content.trim() === "") return [];
    const whole = calls.length === message.toolCalls.length ? message : { ...message, toolCalls: calls };
    return [whole, ...calls.map((call) => answers.get(call.id) ?? interrupted(call))];
  });
}

interface Turn {
  readonly message: Exclude<ChatMessage, Answer>;
  /** By call id. Empty for all but assistants. */
  readonly answers: ReadonlyMap<string, Answer>;
}

/** An answer belongs to the latest call of its id before it, and the first answer counts: ids may come again in later turns. */
function matchAnswers(messages: readonly ChatMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  const latest = new Map<string, Map<string, Answer>>();
  for (const message of messages) {
    if (message.role === "tool") {
      const answers = latest.get(message.callId);
      if (answers !== undefined && !answers.has(message.callId)) answers.set(message.callId, message);
      continue;
    }
    const answers = new Map<string, Answer>();
    turns.push({ message, answers });
    if (message.role === "assistant") for (const call of message.toolCalls) latest.set(call.id, answers);
  }
  return turns;
}

function distinctCalls(message: Assistant): readonly ToolCall[] {
  const seen = new Set<string>();
  return message.toolCalls.filter((call) => !seen.has(call.id) && seen.add(call.id));
}

function interrupted(call: ToolCall): Answer {
  return { role: "tool", callId: call.id, content: interruptedAnswer };
}
