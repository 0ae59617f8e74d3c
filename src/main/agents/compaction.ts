// Makes a conversation that has grown too large smaller, in one step and without a model: old tool outputs
// become stubs that name where the whole output stands. Pure. What people, prompts and the agent itself said stays.

import type { ChatMessage } from "../engine/ports/model.ts";

export type ToolMessage = Extract<ChatMessage, { readonly role: "tool" }>;

export interface CompactionOptions {
  /** What the conversation should come down to. Input tokens, as `estimate` counts them. */
  readonly targetTokens: number;
  estimate(messages: readonly ChatMessage[]): number;
  /** Names the journal entry that holds a tool message's whole output, such as `log k3v9 #41`. The same for the same message each time. */
  labelOf(message: ToolMessage): string;
}

/**
 * `kept`: it was small enough. `compacted`: it is now. `overflow`: it is not, although every output that may go has
 * gone: `messages` is the smallest that this step can make. `from` and `to` are tokens before and after, `stubbed` the
 * number of outputs that became stubs in this step.
 */
export interface Compaction {
  readonly kind: "kept" | "compacted" | "overflow";
  readonly messages: readonly ChatMessage[];
  readonly stubbed: number;
  readonly from: number;
  readonly to: number;
}

/** The newest turns stay whole: the agent is working with them. */
export const keptTurns = 2;

/**
 * The conversation with as many tool outputs as needed replaced by stubs, oldest first, never those of the last two
 * turns. Order, roles, call ids and every other message stay as they are, so calls and answers stay paired. No output
 * grows, and the same target again changes nothing more.
 */
export function compactMessages(messages: readonly ChatMessage[], options: CompactionOptions): Compaction {
  const { targetTokens, estimate } = options;
  const from = estimate(messages);
  const compacted = [...messages];
  let to = from;
  let stubbed = 0;
  for (const [index, message] of messages.slice(0, startOfKept(messages)).entries()) {
    if (to <= targetTokens) break;
    if (message.role !== "tool") continue;
    const stub = stubOf(message, options);
    if (stub === null) continue;
    compacted[index] = stub;
    stubbed += 1;
    to = estimate(compacted);
  }
  const kind = to > targetTokens ? "overflow" : stubbed === 0 ? "kept" : "compacted";
  return { kind, messages: compacted, stubbed, from, to };
}

/** Where the last turns begin: with the assistant message that opens them. Without so many turns, nothing is old. */
function startOfKept(messages: readonly ChatMessage[]): number {
  let turns = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    if (messages[index]?.role !== "assistant") continue;
    turns += 1;
    if (turns === keptTurns) return index;
  }
  return 0;
}

/** What a model reads in place of an output that was left out. */
export function stubText(label: string): string {
  return `[Output left out to save context; it stands in the journal as ${label}. Call the tool again if you need it.]`;
}

/** What stands in for an output, or `null` where that would save nothing. */
function stubOf(message: ToolMessage, { estimate, labelOf }: CompactionOptions): ToolMessage | null {
  const stub = { ...message, content: stubText(labelOf(message)) };
  return estimate([stub]) < estimate([message]) ? stub : null;
}
