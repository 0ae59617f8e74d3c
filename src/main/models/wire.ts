// The request as it goes over the wire: our messages and tools in OpenAI's words, acceptable to strict servers.

import type { ChatMessage, ModelRequest, ToolOffer } from "../engine/ports/model.ts";
import type { ToolCall } from "../domain/records.ts";
import { repairMessages } from "./repair.ts";

export type WireMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: WireCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface WireCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface WireTool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** Where servers differ in what they accept. Learned from their refusals, see `adaptDialect`. */
export interface Dialect {
  readonly streamOptions: boolean;
  readonly limitField: "max_tokens" | "max_completion_tokens";
}

export const firstDialect: Dialect = { streamOptions: true, limitField: "max_tokens" };

/** The dialect to try after a refusal, or `null` when the refusal is not about a field that we can do without. */
export function adaptDialect(dialect: Dialect, status: number, body: string): Dialect | null {
  if (status !== 400 && status !== 422) return null;
  if (dialect.streamOptions && body.includes("stream_options")) return { ...dialect, streamOptions: false };
  if (dialect.limitField === "max_tokens" && body.includes("max_completion_tokens"))
    return { ...dialect, limitField: "max_completion_tokens" };
  return null;
}

export type WireRequest = {
  model: string;
  messages: WireMessage[];
  stream: true;
  stream_options?: { include_usage: boolean };
  tools?: WireTool[];
} & { [Field in Dialect["limitField"]]?: number };

/** The body of a request. Calls and answers pair, arguments are JSON objects, no message is empty where that is refused. */
export function toWireRequest(request: ModelRequest, dialect: Dialect): WireRequest {
  return {
    model: request.model,
    messages: repairMessages(request.messages).map(toWireMessage),
    stream: true,
    ...(dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
    // An empty list is refused by many.
    ...(request.tools.length > 0 ? { tools: request.tools.map(toWireTool) } : {}),
    ...(request.maxOutputTokens === undefined ? {} : { [dialect.limitField]: request.maxOutputTokens }),
  };
}

function toWireMessage(message: ChatMessage): WireMessage {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: wellFormed(message.content) };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: wellFormed(message.content) };
    case "assistant": {
      const content = message.content.trim() === "" ? null : wellFormed(message.content);
      if (message.toolCalls.length === 0) return { role: "assistant", content };
      return { role: "assistant", content, tool_calls: message.toolCalls.map(toWireCall) };
    }
  }
}

function toWireCall(call: ToolCall): WireCall {
  return {
    id: call.id,
    type: "function",
    function: { name: acceptableName(call.name), arguments: sentArguments(call.arguments) },
  };
}

function toWireTool(offer: ToolOffer): WireTool {
  const { name, description, parameters } = offer;
  return { type: "function", function: { name, description, parameters: isObject(parameters) ? parameters : {} } };
}

/** A name that a model invented may hold what the API refuses in a history for ever after. */
function acceptableName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}

/** Arguments as servers accept them in a history: the text itself when it is a JSON object, else `{}`. Encoded twice counts. */
export function sentArguments(text: string): string {
  const value = parse(text);
  if (isObject(value)) return wellFormed(text);
  if (typeof value === "string" && isObject(parse(value))) return wellFormed(value);
  return "{}";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text that was capped between the halves of a pair is refused by servers that insist on UTF-8. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
