// Makes a conversation that has grown too large smaller, in one step and without a model: old tool outputs
// become stubs that name where the whole output stands. Pure. What people, prompts and the agent itself said stays.

import type { ChatMessage } from "../engine/ports/model.ts";

export type ToolMessage = Extract<ChatMessage, { readonly role: "tool" }>;

export interface CompactionOptions {
  /** What the conversation should come down to. Input tokens, as `estimate` counts them. */
  readonly targetTokens: number;
  /** The most that its last turns may take together with what stands before its first: what no summary can make smaller. */
  readonly keptTokens: number;
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

/** The newest turns stay whole as long as they can: the agent is working with them. */
export const keptTurns = 2;

/**
 * The conversation with as many tool outputs as needed replaced by stubs, oldest first; those of the last two turns
 * only where these alone take more than they may. Order, roles, call ids and every other message stay as they are, so
 * calls and answers stay paired. No output grows, and the same target again changes nothing more.
 */
export function compactMessages(messages: readonly ChatMessage[], options: CompactionOptions): Compaction {
  const { targetTokens, keptTokens, estimate } = options;
  const from = estimate(messages);
  const compacted = [...messages];
  const kept = startOfTurn(messages, keptTurns) ?? 0;
  let stubbed = 0;
  const stubAt = (index: number) => {
    const message = compacted[index];
    const stub = message?.role === "tool" ? stubOf(message, options) : null;
    if (stub === null) return;
    compacted[index] = stub;
    stubbed += 1;
  };
  for (let index = 0; index < kept && estimate(compacted) > targetTokens; index += 1) stubAt(index);
  const opening = messages.findIndex(({ role }) => role === "assistant");
  const needed = () => estimate([...compacted.slice(0, Math.min(opening, kept)), ...compacted.slice(kept)]);
  for (const index of keptOutputs(messages, kept, estimate)) {
    if (needed() <= keptTokens) break;
    stubAt(index);
  }
  const to = estimate(compacted);
  const kind = to > targetTokens ? "overflow" : stubbed === 0 ? "kept" : "compacted";
  return { kind, messages: compacted, stubbed, from, to };
}

/** Where the newest turns begin, so many of them: with the assistant message that opens them. `null`: there are not so many. */
function startOfTurn(messages: readonly ChatMessage[], count: number): number | null {
  let turns = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    if (messages[index]?.role !== "assistant") continue;
    turns += 1;
    if (turns === count) return index;
  }
  return null;
}

/** Where the outputs of the last turns stand, in the order in which they may go: those that the agent has seen first, the largest before others. */
function keptOutputs(
  messages: readonly ChatMessage[],
  kept: number,
  estimate: CompactionOptions["estimate"],
): readonly number[] {
  const newest = startOfTurn(messages, 1) ?? 0;
  const outputs = messages.flatMap((message, at) =>
    at >= kept && message.role === "tool" ? [{ at, isSeen: at < newest, tokens: estimate([message]) }] : [],
  );
  return outputs
    .toSorted((left, right) => Number(right.isSeen) - Number(left.isSeen) || right.tokens - left.tokens)
    .map(({ at }) => at);
}

/** What a model reads in place of an output that was left out. */
export function stubText(label: string): string {
  return `[Output left out to save context; it stands in the journal as ${label}. Call the tool again if you need it, for less of it at a time.]`;
}

/** What stands in for an output, or `null` where that would save nothing. */
function stubOf(message: ToolMessage, { estimate, labelOf }: CompactionOptions): ToolMessage | null {
  const stub = { ...message, content: stubText(labelOf(message)) };
  return estimate([stub]) < estimate([message]) ? stub : null;
}
