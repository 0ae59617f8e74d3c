// The form of a cassette on disk: one JSON line for each finished request, appended and never changed. A line names the
// parts of its request by hash and brings those that no line before it brought, so that a conversation is stored once.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ToolOffer } from "../engine/ports/model.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { ContentMessage, ContentRefs } from "./cassetteContent.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { hashOf } from "./cassetteContent.ts";

export const cassetteVersion = 1;
/** What every line begins with: tells one that was cut short from a text of something else. */
const lineStart = '{"version":';

const count = z.number().int().nonnegative();
const usage = z.strictObject({ inputTokens: count, outputTokens: count, cachedTokens: count }).nullable();
const toolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
/** An aborted request is not finished, so it is in no cassette. */
const outcome = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("completed"),
    text: z.string(),
    reasoning: z.string(),
    toolCalls: z.array(toolCall),
    finish: z.string(),
    usage,
  }),
  z.strictObject({
    kind: z.literal("cut"),
    code: z.enum(["OUTPUT_LIMIT", "STREAM_CUT", "STREAM_STALLED", "NO_FIRST_EVENT"]),
    message: z.string(),
    text: z.string(),
    usage,
  }),
  z.strictObject({
    kind: z.literal("failed"),
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
    retryAfterMs: z.number().nonnegative().nullable(),
    text: z.string(),
  }),
]);
const message = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  text: z.string(),
  calls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })).exactOptional(),
  answers: z.number().int().positive().nullable().exactOptional(),
});
const tools = z.array(z.strictObject({ name: z.string(), description: z.string(), parameters: z.json() }));
const line = z.strictObject({
  version: z.literal(cassetteVersion),
  model: z.string(),
  messages: z.array(z.string()),
  tools: z.string(),
  /** Parts that no line before this one brought, by hash. */
  newMessages: z.record(z.string(), message),
  newTools: z.record(z.string(), tools),
  outcome,
  /** The text of the outcome as it was streamed. */
  pieces: z.array(z.string()),
});
const anyVersion = z.object({ version: z.number() });

export type CassetteLine = z.infer<typeof line>;
export type RecordedOutcome = z.infer<typeof outcome>;

/** One recorded request. `line` counts from 1. */
export interface Recording extends ContentRefs {
  readonly line: number;
  readonly outcome: RecordedOutcome;
  readonly pieces: readonly string[];
}

export interface Cassette {
  readonly file: string;
  readonly recordings: readonly Recording[];
  readonly messages: ReadonlyMap<string, ContentMessage>;
  readonly tools: ReadonlyMap<string, readonly ToolOffer[]>;
  /** Bytes of the whole lines: what comes after them was cut short by a crash and counts as not written. */
  readonly wholeBytes: number;
}

/**
 * Reads `file` through. Codes `CASSETTE_NOT_FOUND` (or unreadable), `CASSETTE_INVALID`, which names file and line, and
 * `CASSETTE_TOO_NEW` for a line of a later format. A last line without its end is left out.
 */
export async function readCassette(file: string): Promise<Result<Cassette>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail({ code: "CASSETTE_NOT_FOUND", message: `The cassette ${file} cannot be read: ${reason}` });
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const messages = new Map<string, ContentMessage>();
  const offers = new Map<string, readonly ToolOffer[]>();
  const recordings: Recording[] = [];
  for (const [index, source] of whole.split("\n").slice(0, -1).entries()) {
    const parsed = parseLine(source, `${file}:${index + 1}`);
    if (!parsed.ok) return parsed;
    const { newMessages, newTools, version: _version, ...recording } = parsed.value;
    for (const [hash, part] of Object.entries(newMessages)) messages.set(hash, part);
    for (const [hash, part] of Object.entries(newTools)) offers.set(hash, part);
    const problem = findDamage(parsed.value, messages, offers);
    if (problem !== null) return invalid(`${file}:${index + 1}`, problem);
    recordings.push({ ...recording, line: index + 1 });
  }
  const half = text.slice(whole.length, whole.length + lineStart.length);
  if (!lineStart.startsWith(half)) return invalid(`${file}:${recordings.length + 1}`, "it does not begin like one");
  return succeed({ file, recordings, messages, tools: offers, wholeBytes: Buffer.byteLength(whole) });
}

function invalid(place: string, problem: string): Result<never> {
  return fail({ code: "CASSETTE_INVALID", message: `${place} is not a line of a cassette: ${problem}` });
}

/** The model that the first request of the cassette was made to; `null` where the file says none. */
export function findFirstModel(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    const parsed = parseLine(text.slice(0, Math.max(0, text.indexOf("\n"))), file);
    return parsed.ok ? parsed.value.model : null;
  } catch {
    // Whoever opens it says what is wrong with it.
    return null;
  }
}

function parseLine(source: string, place: string): Result<CassetteLine> {
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch (error) {
    return invalid(place, error instanceof Error ? error.message : "it is not JSON");
  }
  const found = anyVersion.safeParse(json);
  if (found.success && found.data.version > cassetteVersion)
    return fail({
      code: "CASSETTE_TOO_NEW",
      message: `${place} was recorded in version ${found.data.version} of the format; this build reads up to ${cassetteVersion}. Update Coppice, or record it anew.`,
    });
  const parsed = line.safeParse(json);
  if (parsed.success) return succeed(parsed.data);
  const issues = parsed.error.issues.map((issue) => `${z.core.toDotPath(issue.path) || "the line"}: ${issue.message}`);
  return invalid(place, issues.join("; "));
}

/** Parts are named by their hash, so a part that was changed or went missing shows. */
function findDamage(
  { messages, tools: toolsRef, newMessages, newTools }: CassetteLine,
  known: ReadonlyMap<string, ContentMessage>,
  offers: ReadonlyMap<string, readonly ToolOffer[]>,
): string | null {
  const changed = [...Object.entries(newMessages), ...Object.entries(newTools)].some(
    ([hash, part]) => hashOf(part) !== hash,
  );
  if (changed) return "a part of its request is not what was recorded";
  const missing = messages.findIndex((hash) => !known.has(hash));
  if (missing !== -1) return `message ${missing + 1} is named, but no line up to this one brings it`;
  return offers.has(toolsRef) ? null : "the tools are named, but no line up to this one brings them";
}
