// Records cassettes against a scripted server and asks models that play them. Files are gone after the test.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ChatMessage, ModelOutcome, ModelPort, ModelRequest } from "../../src/main/engine/ports/model.ts";
import type { Result } from "../../src/shared/lib/result.ts";
import { recordCassette } from "../../src/main/models/cassette.ts";
import { createOpenAiModel } from "../../src/main/models/openai.ts";
import { apiKey, keep, requestOf } from "./askModel.ts";
import { startScriptedModel } from "./scriptedModel.ts";

/** The path of a cassette that holds `text`, or is not there yet. */
export function makeCassette(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-cassette-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "run.cassette");
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** One request, with the text as it was streamed. */
export async function askModel(
  model: ModelPort,
  request: ModelRequest,
): Promise<{ outcome: ModelOutcome; pieces: string[] }> {
  const pieces: string[] = [];
  const watch = { signal: new AbortController().signal, onText: (text: string) => void pieces.push(text), onData() {} };
  return { outcome: await model.complete(request, watch), pieces };
}

export const readTool = { name: "readFile", description: "Reads", parameters: { type: "object" } };
/** A request that offers `readTool`. */
export const offering = (...messages: readonly ChatMessage[]): ModelRequest =>
  requestOf({ messages, tools: [readTool] });
export const user = (content: string): ChatMessage => ({ role: "user", content });

/** A turn of an agent after a tool call: what differs from run to run is `run`. */
export function secondTurn(task: string, run: { id: string; callId: string; folder: string }): ModelRequest {
  return offering(
    user(task),
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: run.callId, name: "readFile", arguments: `{"path":"${run.folder}/a.ts"}` }],
    },
    { role: "tool", callId: run.callId, content: `${run.folder}/a.ts of ${run.id}, read in 12 ms` },
  );
}
export const firstRun = { id: "k3v9x2m7qa", callId: "call_1", folder: "/tmp/coppice-Ab12" };
export const otherRun = { id: "zz9x2m7qab", callId: "toolu_77", folder: "/tmp/coppice-zZ98" };

export const tasks = ["alpha", "beta", "gamma", "delta"];

/** Answers each task by its name; the second turn in words, the first with a call. */
async function serveTasks() {
  const turn = (task: string) => ({ text: `Looking at ${task}.`, calls: [{ name: "readFile", args: { path: task } }] });
  return keep(
    await startScriptedModel(
      tasks.map((task) => ({
        match: new RegExp(task),
        turns: [turn(task), { text: `${task} is done.`, reasoning: "hm" }],
      })),
    ),
  );
}

/** Asks a real server all `requests` side by side and records the answers in `file`. */
export async function recordRequests(file: string, requests: readonly ModelRequest[]) {
  const server = await serveTasks();
  const model = unwrap(await recordCassette(createOpenAiModel({ baseUrl: server.baseUrl, apiKey }), file));
  const answers = await Promise.all(requests.map((request) => askModel(model, request)));
  await model.close();
  return answers;
}
