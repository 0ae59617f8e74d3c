// A response with status 200 read to its outcome: an event stream, a completion sent whole, or something that no model
// server sends. Content type and shape are looked at before anything is taken for an answer.

import type { ModelOutcome } from "../engine/ports/model.ts";
import type { Accumulator } from "./accumulate.ts";
import type { Place } from "./classify.ts";
import { judgeAnswer } from "./accumulate.ts";
import { readChunk } from "./chunk.ts";
import { classifyErrorObject, notAModelServer } from "./classify.ts";
import { isHtml, wordsOf, wordsOfBody } from "./refusal.ts";
import { MalformedStream, readEvents } from "./sse.ts";

export interface Reading {
  readonly place: Place;
  readonly apiKey: string | null;
  /** Call ids of the conversation so far. */
  readonly taken: ReadonlySet<string>;
  readonly accumulator: Accumulator;
  onText(text: string): void;
  onData(): void;
}

const maxBodyBytes = 16 * 1024 * 1024;

/** Reads the body to its end or to `[DONE]`, then lets go of the connection. Throws what the connection throws. */
export async function readAnswer(response: Response, reading: Reading): Promise<ModelOutcome> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null) return notAModelServer("an empty body", wordsOfBody("", null), reading.place);
  if (!/\b(?:json|html|xml)\b/i.test(type)) return readStream(response.body, reading);
  const body = await readText(response.body, maxBodyBytes);
  // Some proxies label an event stream as JSON.
  if (/^\s*(?:data|event|id|retry)?:/.test(body)) return readStream(new Blob([body]).stream(), reading);
  return readWhole(body, reading);
}

/** A body as text, cut off after `maxBytes`. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (bytes >= maxBytes) break;
  }
  return text + decoder.decode();
}

/** A completion that came in one piece although a stream was asked for is an answer too. */
function readWhole(body: string, reading: Reading): ModelOutcome {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return notAModelServer(
      isHtml(body) ? "an HTML page" : "text that is no JSON",
      wordsOfBody(body, reading.apiKey),
      reading.place,
    );
  }
  const chunk = readChunk(value);
  const words = wordsOf(value, reading.apiKey);
  if (chunk?.error) return classifyErrorObject(words, "NOT_A_MODEL_SERVER", reading.place);
  if (!chunk?.choices?.length) return notAModelServer("JSON that is no completion", words, reading.place);
  reading.onData();
  reading.onText(reading.accumulator.add(chunk));
  return end("done", reading);
}

async function readStream(body: AsyncIterable<Uint8Array>, reading: Reading): Promise<ModelOutcome> {
  const { accumulator, apiKey, place } = reading;
  let isModelServer = false;
  let foreign: ModelOutcome | null = null;
  const failInStream = (value: unknown): ModelOutcome => ({
    ...classifyErrorObject(wordsOf(value, apiKey), "SERVER_ERROR", place),
    text: accumulator.answer().text,
  });
  try {
    for await (const item of readEvents(body)) {
      if (item.kind === "noise") {
        foreign ??= notAModelServer(
          isHtml(item.line) ? "an HTML page" : "text that is no event stream",
          wordsOfBody(item.line, apiKey),
          place,
        );
        continue;
      }
      reading.onData();
      if (item.kind === "done") return foreign !== null && !isModelServer ? foreign : end("done", reading);
      if (item.kind === "error") return failInStream(item.value);
      const chunk = readChunk(item.value);
      if (chunk?.error) return failInStream(item.value);
      if (chunk?.choices == null && chunk?.usage == null) {
        foreign ??= notAModelServer("events that are no completion", wordsOf(item.value, apiKey), place);
        continue;
      }
      isModelServer = true;
      reading.onText(accumulator.add(chunk));
    }
  } catch (error) {
    if (!(error instanceof MalformedStream)) throw error;
    const { text, usage } = accumulator.answer();
    return settleBroken(
      {
        kind: "cut",
        code: "STREAM_CUT",
        message: `malformed stream from ${place.host}: ${error.message}`,
        text,
        usage,
      },
      reading,
    );
  }
  return foreign !== null && !isModelServer ? foreign : end("eof", reading);
}

/** What breaks after the server said how the answer finished takes nothing from it; otherwise `outcome` stands. */
export function settleBroken(outcome: ModelOutcome, reading: Reading): ModelOutcome {
  return reading.accumulator.answer().finish === null ? outcome : end("eof", reading);
}

function end(how: "done" | "eof", reading: Reading): ModelOutcome {
  return judgeAnswer(reading.accumulator.answer(), how, reading.place.host, reading.taken);
}
