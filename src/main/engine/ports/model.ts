// What the engine asks of a model server. One request, one outcome; retries are the caller's, because they are journalled.

import type { ToolCall, Usage } from "../../domain/records.ts";
import type { Json } from "../../../shared/lib/json.ts";

export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** A tool as offered to a model: OpenAI function calling, `parameters` a JSON Schema. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolOffer[];
  readonly maxOutputTokens?: number;
  /** Limit to the first data event, and between data events; comments do not count. ms. */
  readonly firstEventMs: number;
  readonly idleMs: number;
}

/**
 * How a request ended. Only `completed` may be stored as an answer or executed.
 * `cut`: the stream ended, stalled or hit the output limit before the answer was whole; `text` is what came.
 * `failed`: the server or the way to it said no. Retryable ones may name a wait.
 * `aborted`: our own signal; told apart from an end.
 */
export type ModelOutcome =
  | {
      readonly kind: "completed";
      readonly text: string;
      readonly reasoning: string;
      readonly toolCalls: readonly ToolCall[];
      readonly finish: string;
      readonly usage: Usage | null;
    }
  | {
      readonly kind: "cut";
      readonly code: "OUTPUT_LIMIT" | "STREAM_CUT" | "STREAM_STALLED" | "NO_FIRST_EVENT";
      readonly message: string;
      readonly text: string;
      readonly usage: Usage | null;
    }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly retryAfterMs: number | null;
      readonly text: string;
    }
  | { readonly kind: "aborted"; readonly text: string };

/** Who asks, while the request runs. */
export interface ModelWatch {
  readonly signal: AbortSignal;
  /** Streamed text as it comes, provisional. */
  onText(text: string): void;
  /** Called at each data event. */
  onData(): void;
  /** The request waits for its turn: for a place among those to its model, or because its server asked everyone to wait. `endsAt` (epoch ms) is known for the latter only. Called again when the reason changes; none of the request's own limits run meanwhile. */
  onQueued?(reason: string, endsAt: number | null): void;
}

export interface ModelPort {
  /** Never rejects. After `signal` aborts it resolves within a moment. */
  complete(request: ModelRequest, watch: ModelWatch): Promise<ModelOutcome>;
}

/** The rules around a request that belong to no single one: when to ask again, how large it is, how much its model takes at once. */
export interface ModelPolicy {
  /** `null`: no retry is left. `attempt` counts from 1; `spentMs` is what was waited in this turn by our own choice. */
  nextRetry(facts: {
    readonly attempt: number;
    readonly spentMs: number;
    readonly outcome: ModelOutcome;
    readonly random: number;
  }): { readonly waitMs: number; readonly reason: string; readonly isNamed: boolean } | null;
  /** Input tokens, roughly. */
  estimateTokens(messages: readonly ChatMessage[], tools: readonly ToolOffer[]): number;
  /** The context window of the model at this server; `null`: nobody knows. */
  contextTokens(model: string, baseUrl: string): number | null;
}
