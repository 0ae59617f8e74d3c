// When a model request is made again, and after which wait. Pure: the agent loop journals the answer, then waits.

import type { ModelOutcome } from "../engine/ports/model.ts";

export interface RetryFacts {
  /** Requests made so far for this turn, the one that just ended included: 1 after the first. */
  readonly attempt: number;
  /** Waited so far in this turn by our own choice, ms. Waits that a server named do not count. */
  readonly spentMs: number;
  readonly outcome: ModelOutcome;
  /** From [0, 1). */
  readonly random: number;
}

/** `isNamed`: the server asked for this wait, so it does not count towards `spentMs` and may be long. */
export interface Retry {
  readonly waitMs: number;
  readonly reason: string;
  readonly isNamed: boolean;
}

const maxRetries = 4;
const maxSpentMs = 30_000;
/** Doubled with each retry. With the widest jitter four of them stay under `maxSpentMs`. */
const firstWaitMs = 1_000;
/** A server that is not there fails fast: 2.5 s over all retries at most. */
const unreachableWaitsMs = [200, 400, 600, 800] as const;

/**
 * The next retry, or `null` when the outcome stands. At most four; together ≤ 30 s of waiting, unless the server names a
 * wait: then exactly that, uncapped. Only retryable failures and cut streams are retried; a cut that cost a whole time
 * limit once, any other cut twice. An answer at its output limit would end the same way again, so it stands.
 */
export function nextRetry(facts: RetryFacts): Retry | null {
  const { attempt, outcome, random, spentMs } = facts;
  if (attempt > retriesFor(outcome) || (outcome.kind !== "failed" && outcome.kind !== "cut")) return null;
  const reason = outcome.message;
  if (outcome.kind === "failed" && outcome.retryAfterMs !== null)
    return { waitMs: outcome.retryAfterMs, reason, isNamed: true };
  const leftMs = maxSpentMs - spentMs;
  if (leftMs <= 0) return null;
  return { waitMs: Math.min(leftMs, chosenWait(outcome, attempt, random)), reason, isNamed: false };
}

function retriesFor(outcome: ModelOutcome): number {
  switch (outcome.kind) {
    case "failed":
      return outcome.retryable ? maxRetries : 0;
    case "cut":
      switch (outcome.code) {
        case "OUTPUT_LIMIT":
          return 0;
        case "STREAM_CUT":
          return 2;
        case "STREAM_STALLED":
        case "NO_FIRST_EVENT":
          return 1;
      }
    // Every code above returns; the compiler proves it.
    case "completed":
    case "aborted":
      return 0;
  }
}

function chosenWait(outcome: ModelOutcome, attempt: number, random: number): number {
  const isUnreachable = outcome.kind === "failed" && outcome.code === "ENDPOINT_UNREACHABLE";
  const baseMs = isUnreachable
    ? (unreachableWaitsMs[attempt - 1] ?? unreachableWaitsMs[3])
    : firstWaitMs * 2 ** (attempt - 1);
  const spread = isUnreachable ? 0.25 : 0.5;
  return Math.round(baseMs * (1 - spread + 2 * spread * random));
}
