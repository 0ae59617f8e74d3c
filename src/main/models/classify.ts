// Failures by kind: what a status, an error body or a network error means for the run, and what the person can do about it.
// Pure. Every message names the server and leaves out keys.

import type { ModelOutcome } from "../engine/ports/model.ts";
import type { Words } from "./refusal.ts";
import { suggestBaseUrl } from "./endpoint.ts";

export type Failed = Extract<ModelOutcome, { readonly kind: "failed" }>;

/** Where the request went. */
export interface Place {
  readonly host: string;
  readonly baseUrl: string;
  /** Method and exact URL that were tried, such as `POST http://127.0.0.1:11434/v1/chat/completions`. */
  readonly request: string;
  readonly model: string;
  readonly hasKey: boolean;
}

type FailureCode =
  | "AUTH_FAILED"
  | "QUOTA_EXHAUSTED"
  | "MODEL_NOT_FOUND"
  | "ENDPOINT_NOT_FOUND"
  | "CONTEXT_OVERFLOW"
  | "BAD_REQUEST"
  | "RATE_LIMITED"
  | "SERVER_ERROR"
  | "NOT_A_MODEL_SERVER";

const retryableCodes: ReadonlySet<FailureCode> = new Set<FailureCode>(["RATE_LIMITED", "SERVER_ERROR"]);

/** A refusal by HTTP status. `retryAfterMs` is what the server asked for, uncapped, `null` when it named no wait. */
export function classifyStatus(status: number, words: Words, retryAfterMs: number | null, place: Place): Failed {
  const code = codeOf(status, words);
  return failed(code, explain(code, status, words, place), retryAfterMs);
}

/** An error object inside a stream or under status 200. `fallback` is the code when it names neither a status nor a known kind. */
export function classifyErrorObject(
  words: Words,
  fallback: "SERVER_ERROR" | "NOT_A_MODEL_SERVER",
  place: Place,
): Failed {
  const status = words.status ?? statusOfKind(words);
  if (status !== null) return classifyStatus(status, words, null, place);
  if (fallback === "NOT_A_MODEL_SERVER") return notAModelServer("an error", words, place);
  return failed(fallback, `${place.host} reported an error in the stream${quote(words)}.`, null);
}

/** A 200 that is not what a model server sends. `what` names it, such as `an HTML page`. */
export function notAModelServer(what: string, words: Words, place: Place): Failed {
  return failed(
    "NOT_A_MODEL_SERVER",
    `${place.request} answered with ${what}${quote(words)}. ${suggestBaseUrl(place.baseUrl)}`,
    null,
  );
}

function failed(code: FailureCode, message: string, retryAfterMs: number | null): Failed {
  return { kind: "failed", code, message, retryable: retryableCodes.has(code), retryAfterMs, text: "" };
}

const overflowWords =
  /context[ _-]?(?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens|input (?:length|is too long)|exceeds? .{0,40}(?:token|context) limit|reduce the length/i;
const missingModelWords =
  /\bmodel\b.*(?:not (?:be )?found|not exist|unknown|not supported)|\b(?:no such|unknown|invalid) model\b/i;

function codeOf(status: number, words: Words): FailureCode {
  if (status === 401 || status === 403) return "AUTH_FAILED";
  if (status === 402 || /insufficient_quota|billing/.test(words.codes)) return "QUOTA_EXHAUSTED";
  if (status === 429) return "RATE_LIMITED";
  if (status === 413 || isOverflow(words)) return "CONTEXT_OVERFLOW";
  if (/model_?not_?found/.test(words.codes)) return "MODEL_NOT_FOUND";
  if ((status === 404 || status === 400) && missingModelWords.test(words.message)) return "MODEL_NOT_FOUND";
  if (status === 404 || status === 405 || status < 400) return "ENDPOINT_NOT_FOUND";
  if (status >= 500 || status === 408 || status === 409 || status === 425) return "SERVER_ERROR";
  return "BAD_REQUEST";
}

function isOverflow(words: Words): boolean {
  return /context_length|exceed_context|context_window/.test(words.codes) || overflowWords.test(words.message);
}

/** The status that an error object means when it names its kind in words only. */
function statusOfKind(words: Words): number | null {
  if (/rate_?limit|too_many_requests|resource_exhausted/.test(words.codes)) return 429;
  if (/insufficient_quota|billing/.test(words.codes)) return 402;
  if (/auth|permission|invalid_api_key/.test(words.codes)) return 401;
  if (/model_?not_?found/.test(words.codes)) return 404;
  if (/server_error|internal|overloaded|unavailable/.test(words.codes)) return 500;
  if (isOverflow(words) || /invalid_request/.test(words.codes)) return 400;
  return null;
}

function explain(code: FailureCode, status: number, words: Words, place: Place): string {
  const { host } = place;
  const said = quote(words);
  switch (code) {
    case "AUTH_FAILED":
      if (!place.hasKey) return `${host} asks for an API key (${status})${said}. Set one for this provider.`;
      return `${host} refused the API key (${status})${said}. Set a key that is valid for this provider.`;
    case "QUOTA_EXHAUSTED":
      return `The account at ${host} has no quota left (${status})${said}. Check its plan and billing.`;
    case "MODEL_NOT_FOUND":
      return `${host} does not know the model "${place.model}" (${status})${said}. Choose one that the server lists.`;
    case "ENDPOINT_NOT_FOUND":
      return `${place.request} answered ${status}${said}: there is no such endpoint. ${suggestBaseUrl(place.baseUrl)}`;
    case "CONTEXT_OVERFLOW":
      return `The conversation does not fit into the context of "${place.model}" (${status})${said}.`;
    case "RATE_LIMITED":
      return `${host} is limiting the rate of requests (${status})${said}.`;
    case "SERVER_ERROR":
      return `${host} failed (${status})${said}.`;
    case "BAD_REQUEST":
    case "NOT_A_MODEL_SERVER":
      return `${host} refused the request (${status})${said}.`;
  }
}

function quote(words: Words): string {
  return words.message === "" ? "" : `: "${words.message}"`;
}
