// One answer put together from its chunks, and the judgement whether it is whole. Pure: no clock, no socket.
// "The stream ended" is never read as "the answer is complete".

import type { ToolCall, Usage } from "../domain/records.ts";
import type { ModelOutcome } from "../engine/ports/model.ts";
import type { PartialCall } from "./calls.ts";
import type { Chunk, ChunkUsage } from "./chunk.ts";
import { addFragment, isHalfBuilt, nameCalls } from "./calls.ts";

/** What has come of an answer so far. */
export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly PartialCall[];
  /** The server's reason word, `null` until it gave one. */
  readonly finish: string | null;
  readonly usage: Usage | null;
}

export interface Accumulator {
  /** Takes one chunk; returns the text that it added. Text that merely looks like a call stays text. */
  add(chunk: Chunk): string;
  answer(): Answer;
}

export function createAccumulator(): Accumulator {
  let text = "";
  let reasoning = "";
  let finish: string | null = null;
  let usage: Usage | null = null;
  const calls: PartialCall[] = [];
  return {
    add(chunk) {
      const choice = chunk.choices?.[0];
      // A closing `message` repeats what the deltas already said, unless nothing came before it.
      const isFirst = text === "" && reasoning === "" && calls.length === 0;
      const delta = choice?.delta ?? (isFirst ? choice?.message : null);
      const added = (delta?.content ?? "") + (delta?.refusal ?? "");
      text += added;
      // Where both fields are sent they hold the same words.
      reasoning += delta?.reasoning_content ?? delta?.reasoning ?? "";
      for (const fragment of delta?.tool_calls ?? []) addFragment(calls, fragment);
      finish = choice?.finish_reason || finish;
      usage = readUsage(chunk.usage ?? choice?.usage) ?? usage;
      return added;
    },
    answer: () => ({ text, reasoning, calls, finish, usage }),
  };
}

function readUsage(usage: ChunkUsage | null | undefined): Usage | null {
  if (usage == null || (usage.prompt_tokens == null && usage.completion_tokens == null)) return null;
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
  };
}

/**
 * The outcome of an answer at its end. `end` says how the stream ended: with `[DONE]` (or a body that is whole by its
 * form), or by just ending. `taken` are call ids of the conversation so far; ids handed on differ from them.
 */
export function judgeAnswer(
  answer: Answer,
  end: "done" | "eof",
  host: string,
  taken: ReadonlySet<string>,
): ModelOutcome {
  const { text, usage } = answer;
  const cut = (code: "OUTPUT_LIMIT" | "STREAM_CUT", message: string): ModelOutcome => ({
    kind: "cut",
    code,
    message,
    text,
    usage,
  });
  const finish = answer.finish?.toLowerCase() ?? null;
  switch (finish) {
    case "length":
    case "max_tokens":
    case "max_output_tokens":
      return cut("OUTPUT_LIMIT", "the answer hit the output limit before it was whole");
    case "abort":
    case "error":
      return cut("STREAM_CUT", `${host} gave up on the answer (finish reason "${finish}")`);
    case "content_filter":
      return {
        kind: "failed",
        code: "CONTENT_FILTERED",
        message: `${host} withheld the answer (finish reason "content_filter"). Reword the task.`,
        retryable: false,
        retryAfterMs: null,
        text,
      };
    case null:
      if (end === "eof") return cut("STREAM_CUT", `the stream from ${host} ended before the answer was whole`);
      if (answer.calls.some(isHalfBuilt))
        return cut("STREAM_CUT", `${host} ended the stream in the middle of a tool call`);
      break;
    default:
      if (answer.calls.some((call) => call.name === ""))
        return cut("STREAM_CUT", `${host} sent a tool call without a name`);
  }
  return complete(answer, nameCalls(answer.calls, taken));
}

function complete(answer: Answer, toolCalls: readonly ToolCall[]): ModelOutcome {
  const { text, reasoning, usage } = answer;
  const finish = answer.finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop");
  return { kind: "completed", text, reasoning, toolCalls, finish, usage };
}
