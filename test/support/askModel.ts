// Asks a scripted server through the real transport, and closes the servers of a test behind it.

import type { ModelOutcome, ModelRequest } from "../../src/main/engine/ports/model.ts";
import type { ScriptedModelServer, ScriptedTurn } from "./scriptedModel.ts";
import { createOpenAiModel } from "../../src/main/models/openai.ts";
import { startScriptedModel } from "./scriptedModel.ts";

export const apiKey = "test-secret-key";
/** Long enough for a busy machine; tests of the limits name short ones. ms. */
export const patientMs = 15_000;

const servers: ScriptedModelServer[] = [];

/** A server whose turns answer any request. Closed by `closeServers`. */
export async function serve(...turns: readonly ScriptedTurn[]): Promise<ScriptedModelServer> {
  return keep(await startScriptedModel([{ match: /./, turns }]));
}

/** Leaves a server to `closeServers`. */
export function keep(server: ScriptedModelServer): ScriptedModelServer {
  servers.push(server);
  return server;
}

/** For `afterEach`. */
export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()));
}

export interface Asked {
  readonly baseUrl?: string;
  /** `null`: no key. */
  readonly apiKey?: string | null;
  readonly signal?: AbortSignal;
  readonly request?: Partial<ModelRequest>;
  readonly onText?: (text: string) => void;
}

/** One request and what was seen of it on the way. */
export async function ask(
  server: ScriptedModelServer,
  asked: Asked = {},
): Promise<{ outcome: ModelOutcome; streamed: string; dataCount: number }> {
  let streamed = "";
  let dataCount = 0;
  const model = createOpenAiModel({
    baseUrl: asked.baseUrl ?? server.baseUrl,
    apiKey: asked.apiKey === undefined ? apiKey : asked.apiKey,
  });
  const outcome = await model.complete(requestOf(asked.request), {
    signal: asked.signal ?? new AbortController().signal,
    onText(text) {
      streamed += text;
      asked.onText?.(text);
    },
    onData: () => (dataCount += 1),
  });
  return { outcome, streamed, dataCount };
}

export function requestOf(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "scripted",
    messages: [{ role: "user", content: "Hi" }],
    tools: [],
    firstEventMs: patientMs,
    idleMs: patientMs,
    ...fields,
  };
}

/** The outcome of one request that is answered with `turn`. */
export async function outcomeOf(turn: ScriptedTurn, asked?: Asked): Promise<ModelOutcome> {
  return (await ask(await serve(turn), asked)).outcome;
}
