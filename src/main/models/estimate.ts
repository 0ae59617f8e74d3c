// How many tokens a request will be, roughly, before any server counts them. Pure.

import type { ChatMessage, ToolOffer } from "../engine/ports/model.ts";

const charsPerToken = 4;
/** Role and separators of a message, in tokens. */
const tokensPerMessage = 4;

/** Tokens of a text by its length, rounded up. */
export function estimateText(text: string): number {
  return Math.ceil(text.length / charsPerToken);
}

/** Input tokens of a conversation with the tools offered. Rough: a tokenizer may count a third more or less. */
export function estimateTokens(messages: readonly ChatMessage[], tools: readonly ToolOffer[]): number {
  return sum(messages.map(estimateMessage)) + sum(tools.map((tool) => estimateText(JSON.stringify(tool))));
}

function estimateMessage(message: ChatMessage): number {
  const calls = message.role === "assistant" ? message.toolCalls : [];
  const callTokens = sum(calls.map((call) => tokensPerMessage + estimateText(call.name + call.arguments)));
  return tokensPerMessage + estimateText(message.content) + callTokens;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
