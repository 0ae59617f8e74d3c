// What of a request a cassette goes by: its content, without what differs from run to run although the work is the same.
// Pure. The replacements are part of the file format: a change to them needs a new version of it.

import { createHash } from "node:crypto";
import type { Json } from "../../shared/lib/json.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import type { ChatMessage, ModelRequest, ToolOffer } from "../engine/ports/model.ts";

/** A message by its content. Calls are numbered through the conversation, so that no id of a run is left. */
export interface ContentMessage {
  readonly role: ChatMessage["role"];
  readonly text: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** The number of the call that a tool message answers, from 1; `null` where no call of the conversation has its id. */
  readonly answers?: number | null;
}

/** A request by its content. */
export interface Content {
  readonly model: string;
  readonly messages: readonly ContentMessage[];
  readonly tools: readonly ToolOffer[];
}

/** Takes secrets out of a text. Applied again it must change nothing. */
export type Redact = (text: string) => string;

/** What a run, a machine or a minute leaves in texts. A wrong hit only makes two requests alike that are not; those are answered in their order. */
const varying: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, "<id>"],
  [/\b(?:[\da-f]{64}|[\da-f]{40})\b/g, "<oid>"],
  // A folder made for one run in the system's folder for such: Linux, macOS, Windows (also inside JSON).
  [/(?:\/private)?(?:\/var\/folders\/[^/\s"']+\/[^/\s"']+\/T|\/tmp)\/[^/\s"'`:,;)\]}]+/g, "<temp>"],
  [/\b[A-Z]:(?:\\{1,2}[^\\\s"']+)*?\\{1,2}Temp\\{1,2}[^\\\s"']+/g, "<temp>"],
  // A run's id: ten letters and digits of both kinds, without look-alikes.
  [/(?<!\w)(?=[a-z]*\d)(?=\d*[a-z])[a-hjkmnp-z2-9]{10}(?!\w)/g, "<run>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/(duration_?ms\\?"?\s*[:=]?\s*)\d+(?:\.\d+)?/gi, "$1<duration>"],
  [/(?<![\w.])\d+(?:\.\d+)?\s?m?s\b/g, "<duration>"],
  [/((?:127\.0\.0\.1|localhost|\[::1\]):)\d+/g, "$1<port>"],
];

/** The content of a request: secrets and what varies taken out of every text. */
export function contentOf(request: Pick<ModelRequest, "model" | "messages" | "tools">, redact: Redact): Content {
  const settle = (text: string): string =>
    varying.reduce((settled, [pattern, word]) => settled.replace(pattern, word), redact(text));
  const numbers = new Map<string, number>();
  let callCount = 0;
  const messages = request.messages.map((message): ContentMessage => {
    const { role } = message;
    const text = settle(message.content);
    if (message.role === "tool") return { role, text, answers: numbers.get(message.callId) ?? null };
    if (message.role !== "assistant" || message.toolCalls.length === 0) return { role, text };
    // An id may come again in a later turn: the answers after it belong to the later call.
    for (const call of message.toolCalls) numbers.set(call.id, (callCount += 1));
    return {
      role,
      text,
      calls: message.toolCalls.map((call) => ({ name: call.name, arguments: settle(call.arguments) })),
    };
  });
  return { model: request.model, messages, tools: request.tools };
}

/** The name of a part of a request by its content: SHA-256 of its canonical JSON. */
export function hashOf(part: ContentMessage | readonly ToolOffer[] | Json): string {
  return createHash("sha256").update(canonicalJson(part), "utf8").digest("hex");
}

/** A request by the names of its parts. */
export interface ContentRefs {
  readonly model: string;
  readonly messages: readonly string[];
  readonly tools: string;
}

export function refsOf(content: Content): ContentRefs {
  return { model: content.model, messages: content.messages.map(hashOf), tools: hashOf(content.tools) };
}

/** What equal requests share. */
export function keyOf({ model, messages, tools }: ContentRefs): string {
  return hashOf({ model, messages, tools });
}
