// The transport to an OpenAI-compatible server, and the only file that imports `openai`. The SDK builds the request;
// it never retries, sleeps, times out or reads a stream here, because it does each of these without telling us.

import OpenAI from "openai";
import type { ModelOutcome, ModelPort, ModelRequest, ModelWatch } from "../engine/ports/model.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { Place } from "./classify.ts";
import type { CheckedEndpoint, Endpoint } from "./endpoint.ts";
import type { ListedModel } from "./modelList.ts";
import type { Reading } from "./readAnswer.ts";
import type { Watchdog } from "./watchdog.ts";
import type { Dialect } from "./wire.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { createAccumulator } from "./accumulate.ts";
import { classifyStatus, notAModelServer } from "./classify.ts";
import { checkEndpoint } from "./endpoint.ts";
import { readModelList } from "./modelList.ts";
import { classifyNetworkError, findCause } from "./network.ts";
import { readAnswer, readText, settleBroken } from "./readAnswer.ts";
import { isRefusal, Refusal, requireRefusal, wordsOfBody } from "./refusal.ts";
import { readRetryAfter } from "./retryAfter.ts";
import { startWatchdog } from "./watchdog.ts";
import { adaptDialect, firstDialect, toWireRequest } from "./wire.ts";

/** The longest that a Node timer can run: the SDK's own limit is out of the way. */
const neverMs = 2 ** 31 - 1;
const maxRefusalBytes = 64 * 1024;
const listLimitMs = 10_000;
const maxListBytes = 8 * 1024 * 1024;

/** A model server at `endpoint`. What it does not accept (such as `stream_options`) is remembered for the next requests. */
export function createOpenAiModel(endpoint: Endpoint): ModelPort {
  const checked = checkEndpoint(endpoint);
  const learned = { dialect: firstDialect };
  return {
    async complete(request, watch) {
      if (checked.problem !== null)
        return { kind: "failed", ...checked.problem, retryable: false, retryAfterMs: null, text: "" };
      if (watch.signal.aborted) return { kind: "aborted", text: "" };
      const watchdog = startWatchdog(request, watch.signal);
      const reading = startReading(checked, request, watchdog, watch);
      const connect = () => createClient(checked, endpoint.fetch ?? fetch, watchdog.signal);
      try {
        const outcome = await Promise.race([exchange(connect, request, learned, reading), watchdog.stopped]);
        // After our own stop whatever else the connection said is its echo.
        if (typeof outcome === "string" || watchdog.reason !== null) return stopped(watchdog, request, reading);
        return outcome;
      } finally {
        watchdog.dispose();
      }
    },
  };
}

/** The model names that a server lists, in its order. As `listModelEntries`. */
export async function listModels(endpoint: Endpoint, signal?: AbortSignal): Promise<Result<readonly string[]>> {
  const listed = await listModelEntries(endpoint, signal);
  return listed.ok ? succeed(listed.value.map((model) => model.id)) : listed;
}

/**
 * The models that a server lists, in its order. Errors are those of a request (`AUTH_FAILED`, `ENDPOINT_NOT_FOUND`,
 * `ENDPOINT_UNREACHABLE`, `NOT_A_MODEL_SERVER`, …); `CANCELLED` after `signal` aborts. Waits ten seconds at most.
 */
export async function listModelEntries(
  endpoint: Endpoint,
  signal?: AbortSignal,
): Promise<Result<readonly ListedModel[]>> {
  const checked = checkEndpoint(endpoint);
  if (checked.problem !== null) return fail({ ...checked.problem, retryable: false });
  const limit = AbortSignal.timeout(listLimitMs);
  const place = placeOf(checked, "GET", "/models", "");
  try {
    const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const client = createClient(checked, endpoint.fetch ?? fetch, stop);
    const response = await client.models.list().asResponse();
    const body = response.body === null ? "" : await readText(response.body, maxListBytes);
    const listed = readModelList(body);
    return listed === null
      ? toFailure(notAModelServer("no list of models", wordsOfBody(body, checked.apiKey), place))
      : succeed(listed);
  } catch (error) {
    if (signal?.aborted)
      return fail({ code: "CANCELLED", message: `Listing the models of ${checked.host} was cancelled.` });
    if (limit.aborted)
      return fail({
        code: "ENDPOINT_UNREACHABLE",
        message: `${checked.host} did not list its models within ${listLimitMs / 1000} s.`,
        retryable: true,
      });
    const refusal = findCause(error, isRefusal);
    if (refusal !== null) return toFailure(refused(refusal, checked, place));
    return toFailure(classifyNetworkError(error, { ...checked, hasBegun: false }, { text: "", usage: null }));
  }
}

function toFailure(outcome: ModelOutcome): Result<never> {
  if (outcome.kind === "failed")
    return fail({ code: outcome.code, message: outcome.message, retryable: outcome.retryable });
  return fail({
    code: "ENDPOINT_UNREACHABLE",
    message: outcome.kind === "cut" ? outcome.message : "",
    retryable: true,
  });
}

function createClient(checked: CheckedEndpoint, send: typeof fetch, signal: AbortSignal): OpenAI {
  return new OpenAI({
    baseURL: checked.baseUrl,
    apiKey: checked.apiKey ?? "none",
    // A server without keys gets no header at all, and none gets what the environment says of an OpenAI account.
    ...(checked.apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: neverMs,
    logLevel: "off",
    async fetch(input, init) {
      // A followed redirect would turn the POST into a GET and end in a page; it is a wrong base URL and says so.
      const response = await send(input, { ...init, signal, redirect: "manual" });
      if (response.ok) return response;
      throw new Refusal(
        response.status,
        response.headers,
        response.body === null ? "" : await readText(response.body, maxRefusalBytes),
      );
    },
  });
}

/** One request on the wire, asked again only where the server rejects a field that we can do without. Never rejects. */
async function exchange(
  connect: () => OpenAI,
  request: ModelRequest,
  learned: { dialect: Dialect },
  reading: Exchange,
): Promise<ModelOutcome> {
  let hasBegun = false;
  // Its own copy: a request beside this one may learn the same from its refusal, and this one must still ask again.
  let { dialect } = learned;
  try {
    const client = connect();
    for (;;) {
      const reply = await client.chat.completions
        .create(toWireRequest(request, dialect))
        .asResponse()
        .catch(requireRefusal);
      if (reply instanceof Response) {
        hasBegun = true;
        return await readAnswer(reply, reading);
      }
      const adapted = adaptDialect(dialect, reply.status, reply.body);
      if (adapted === null) return refused(reply, reading.checked, reading.place);
      dialect = adapted;
      learned.dialect = adapted;
    }
  } catch (error) {
    const { text, usage } = reading.accumulator.answer();
    return settleBroken(classifyNetworkError(error, { ...reading.checked, hasBegun }, { text, usage }), reading);
  }
}

interface Exchange extends Reading {
  readonly checked: CheckedEndpoint;
}

function startReading(
  checked: CheckedEndpoint,
  request: ModelRequest,
  watchdog: Watchdog,
  watch: ModelWatch,
): Exchange {
  const calls = request.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return {
    checked,
    place: placeOf(checked, "POST", "/chat/completions", request.model),
    apiKey: checked.apiKey,
    taken: new Set(calls.map((call) => call.id)),
    accumulator: createAccumulator(),
    onText(text) {
      if (watchdog.reason === null && text !== "") watch.onText(text);
    },
    onData() {
      if (watchdog.reason !== null) return;
      watchdog.dataArrived();
      watch.onData();
    },
  };
}

function placeOf(checked: CheckedEndpoint, method: string, path: string, model: string): Place {
  const { host, baseUrl } = checked;
  return { host, baseUrl, request: `${method} ${baseUrl}${path}`, model, hasKey: checked.apiKey !== null };
}

function stopped(watchdog: Watchdog, request: ModelRequest, reading: Reading): ModelOutcome {
  const { text, usage } = reading.accumulator.answer();
  const { host } = reading.place;
  switch (watchdog.reason) {
    case "NO_FIRST_EVENT":
      return {
        kind: "cut",
        code: "NO_FIRST_EVENT",
        message: `${host} sent no event within ${request.firstEventMs / 1000} s`,
        text,
        usage,
      };
    case "STREAM_STALLED":
      return settleBroken(
        {
          kind: "cut",
          code: "STREAM_STALLED",
          message: `the stream from ${host} stalled: no event for ${request.idleMs / 1000} s`,
          text,
          usage,
        },
        reading,
      );
    case "aborted":
    case null:
      return { kind: "aborted", text };
  }
}

function refused(refusal: Refusal, checked: CheckedEndpoint, place: Place): ModelOutcome {
  const location = refusal.headers.get("location");
  const words = wordsOfBody(location === null ? refusal.body : `moved to ${location}`, checked.apiKey);
  return classifyStatus(refusal.status, words, readRetryAfter(refusal.headers, Date.now()), place);
}
