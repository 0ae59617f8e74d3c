// Cassettes: a model that records what it is asked and answers, and one that answers from such a recording. Requests are
// matched by content, never by order. Neither sees a key or a header: a model port has none.

import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { ModelOutcome, ModelPort, ModelWatch } from "../engine/ports/model.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { Content, ContentMessage, Redact } from "./cassetteContent.ts";
import type { Cassette, CassetteLine, RecordedOutcome, Recording } from "./cassetteFile.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { contentOf, keyOf, refsOf } from "./cassetteContent.ts";
import { cassetteVersion, readCassette } from "./cassetteFile.ts";
import { explainMismatch } from "./cassetteMismatch.ts";

export interface CassetteOptions {
  /** Taken over every text before it is written, and before a request is looked for. Give the same one to both. */
  readonly redact?: Redact;
}

export interface RecordingModel extends ModelPort {
  /** Waits for what is being written, then closes the file. Later requests fail with `CASSETTE_UNWRITABLE`. */
  close(): Promise<void>;
}

const keepText: Redact = (text) => text;

/**
 * `model`, with each finished request added to `file` (made when missing, else continued) before its outcome is handed
 * on. Aborted requests leave nothing. Codes: `CASSETTE_UNWRITABLE`, and those of `playCassette` for a file that is there
 * and is no cassette: it stays as it is. A request that cannot be recorded fails with `CASSETTE_UNWRITABLE`.
 */
export async function recordCassette(
  model: ModelPort,
  file: string,
  { redact = keepText }: CassetteOptions = {},
): Promise<Result<RecordingModel>> {
  const opened = await openForAppending(file);
  if (!opened.ok) return opened;
  const { handle, cassette } = opened.value;
  const toLine = createLineWriter(cassette);
  // One line after the other: the parts that a line leaves out must stand before it. So a line that could not be written
  // is the last that was tried.
  let written: Promise<void> = Promise.resolve();

  const write = (line: string): Promise<void> => {
    written = written.then(async () => {
      await handle.appendFile(line, "utf8");
      await handle.datasync();
    });
    return written;
  };
  return succeed({
    async complete(request, watch) {
      const streamed: string[] = [];
      const outcome = await model.complete(request, {
        ...watch,
        onText(text) {
          streamed.push(text);
          watch.onText(text);
        },
      });
      if (outcome.kind === "aborted") return outcome;
      try {
        const recorded = redactOutcome(outcome, redact);
        // Redacted piece by piece a secret that was cut in two would slip through.
        const pieces = recorded.text === streamed.join("") ? streamed : [recorded.text];
        await write(toLine(contentOf(request, redact), recorded, pieces));
        return outcome;
      } catch (error) {
        return { ...unwritable(file, error), kind: "failed", retryable: false, retryAfterMs: null, text: outcome.text };
      }
    },
    async close() {
      // Whoever asked for a line that failed was told.
      await written.catch(() => undefined);
      await handle.close();
    },
  });
}

/** Opens a cassette to be continued. A half line that a crash left at its end is cut off. */
async function openForAppending(
  file: string,
): Promise<Result<{ readonly handle: FileHandle; readonly cassette: Cassette }>> {
  try {
    const handle = await open(file, "a", 0o600);
    const cassette = await readCassette(file);
    if (!cassette.ok) {
      await handle.close();
      return cassette;
    }
    await handle.truncate(cassette.value.wholeBytes);
    return succeed({ handle, cassette: cassette.value });
  } catch (error) {
    return fail(unwritable(file, error));
  }
}

function unwritable(file: string, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "CASSETTE_UNWRITABLE",
    message: `The cassette ${file} cannot be written: ${reason}. Free the way, or go on without --record.`,
  };
}

/** Returns a function that words a request and its outcome as the next line of the file. */
function createLineWriter(cassette: Cassette) {
  const knownMessages = new Set(cassette.messages.keys());
  const knownTools = new Set(cassette.tools.keys());
  return (content: Content, outcome: RecordedOutcome, pieces: readonly string[]): string => {
    const refs = refsOf(content);
    const newMessages: Record<string, ContentMessage> = {};
    for (const [index, hash] of refs.messages.entries()) {
      const message = content.messages[index];
      if (message && !knownMessages.has(hash)) newMessages[hash] = message;
      knownMessages.add(hash);
    }
    const newTools = knownTools.has(refs.tools) ? {} : { [refs.tools]: content.tools };
    knownTools.add(refs.tools);
    const line = { version: cassetteVersion, ...refs, newMessages, newTools, outcome, pieces };
    return `${JSON.stringify(line satisfies WrittenLine)}\n`;
  };
}

/** What is written is what is read, but for what the reader may change. */
type WrittenLine = { readonly [Name in keyof CassetteLine]: unknown };

function redactOutcome(outcome: Exclude<ModelOutcome, { kind: "aborted" }>, redact: Redact): RecordedOutcome {
  const text = redact(outcome.text);
  switch (outcome.kind) {
    case "completed":
      return {
        ...outcome,
        text,
        reasoning: redact(outcome.reasoning),
        toolCalls: outcome.toolCalls.map((call) => ({ ...call, arguments: redact(call.arguments) })),
      };
    case "cut":
    case "failed":
      return { ...outcome, text, message: redact(outcome.message) };
  }
}

/**
 * A model that answers each request as the recording of equal content was answered, text streamed as then. Several of one
 * content are given in their order, the last again and again. A request without one fails with `CASSETTE_MISMATCH` and
 * says what differs. Codes `CASSETTE_NOT_FOUND`, `CASSETTE_INVALID`, `CASSETTE_TOO_NEW`. Safe to ask side by side.
 */
export async function playCassette(
  file: string,
  { redact = keepText }: CassetteOptions = {},
): Promise<Result<ModelPort>> {
  const read = await readCassette(file);
  if (!read.ok) return read;
  const cassette = read.value;
  const take = createTaker(cassette.recordings);
  return succeed({
    async complete(request, watch) {
      if (watch.signal.aborted) return { kind: "aborted", text: "" };
      const content = contentOf(request, redact);
      const recording = take(keyOf(refsOf(content)));
      if (recording !== null) return play(recording, watch);
      const message = explainMismatch(content, cassette);
      return { kind: "failed", code: "CASSETTE_MISMATCH", message, retryable: false, retryAfterMs: null, text: "" };
    },
  });
}

/** Returns a function that gives the next recording under a key. */
function createTaker(recordings: readonly Recording[]): (key: string) => Recording | null {
  const byKey = Map.groupBy(recordings, keyOf);
  const given = new Map<string, number>();
  return (key) => {
    const count = given.get(key) ?? 0;
    given.set(key, count + 1);
    const same = byKey.get(key);
    return same?.[count] ?? same?.at(-1) ?? null;
  };
}

async function play({ outcome, pieces }: Recording, watch: ModelWatch): Promise<ModelOutcome> {
  let text = "";
  for (const piece of pieces) {
    // A turn of the loop between pieces: others get on, and an abort is heard.
    await setImmediate();
    if (watch.signal.aborted) return { kind: "aborted", text };
    watch.onData();
    watch.onText(piece);
    text += piece;
  }
  await setImmediate();
  if (watch.signal.aborted) return { kind: "aborted", text };
  watch.onData();
  return outcome;
}
