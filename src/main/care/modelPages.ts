// What can be known of model servers from here: who answers on this machine, which models a server lists, and whether one
// of them does what an agent needs. Each asks the network only because a person pressed something.

import { answerLimitOf } from "../../shared/contract/answerLimits.ts";
import type { CareBodies, CareQueries, FoundModel, ModelTest } from "../../shared/contract/care.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import type { ModelOutcome, ModelPort, ModelRequest } from "../engine/ports/model.ts";
import { describeEndpoint, findLocalServers, type LocalPlace, usualPlaces } from "../models/catalog.ts";
import type { Endpoint } from "../models/endpoint.ts";
import type { Environment } from "../runs/runDefaults.ts";
import { baseUrlOf } from "../runs/modelServer.ts";
import { contextTokensOf, findKey, priceOf } from "../runs/providers.ts";

export interface ModelParts {
  readonly settings: () => Settings;
  readonly env: Environment;
  readonly keys: KeyStore;
  readonly connect: (endpoint: Endpoint) => ModelPort;
  /** Where servers on this machine are looked for; the usual places by default. */
  readonly localPlaces?: readonly LocalPlace[];
  /** How long the test of a model may take in all, ms; by default as long as its answer is waited for. */
  readonly testMs?: number;
}

/** A model may have to be loaded into memory first. */
const firstEventMs = 60_000;
const idleMs = 20_000;

export async function localServers({ localPlaces = usualPlaces }: ModelParts): Promise<CareBodies["localServers"]> {
  const servers = await findLocalServers(localPlaces);
  const silent = localPlaces.filter(({ port }) => !servers.some(({ baseUrl }) => baseUrl.includes(`:${port}/`)));
  return { servers, silent };
}

/** Codes: those of `listModels`. */
export async function serverModels(
  parts: ModelParts,
  query: CareQueries["serverModels"],
): Promise<Result<CareBodies["serverModels"]>> {
  const settings = parts.settings();
  const listed = await describeEndpoint(await endpointOf(parts, query));
  if (!listed.ok) return listed;
  const models = listed.value.map(({ id, contextTokens }) => ({
    name: id,
    contextTokens: contextTokens ?? contextTokensOf(settings, id, query.baseUrl),
    price: priceOf(settings, query.baseUrl, id),
  }));
  return succeed({ models });
}

/** What the settings and Coppice's own table say of a model. Without an address: of the environment's server. */
export function modelFacts({ settings, env }: ModelParts, { baseUrl, model }: CareQueries["modelFacts"]): FoundModel {
  const address = baseUrlOf(baseUrl === "" ? undefined : baseUrl, env);
  return {
    name: model,
    contextTokens: contextTokensOf(settings(), model, address),
    price: priceOf(settings(), address, model),
  };
}

/** Asks a model to call one tool. That it does not is an answer, never a failure. */
export async function testModel(parts: ModelParts, query: CareQueries["modelTest"]): Promise<ModelTest> {
  const endpoint = await endpointOf(parts, query);
  const begunAt = performance.now();
  const outcome = await parts.connect(endpoint).complete(question(query.model), {
    // A model that never comes to an end is paid for as long as it is listened to.
    signal: AbortSignal.timeout(
      parts.testMs ?? answerLimitOf({ channel: "page/read", body: { kind: "modelTest", ...query } }),
    ),
    onText: () => undefined,
    onData: () => undefined,
  });
  const answeredMs = Math.round(performance.now() - begunAt);
  const seen = judge(outcome, query.model);
  const known = contextTokensOf(parts.settings(), query.model, query.baseUrl);
  const contextTokens = known ?? (seen.answered ? await listedContext(endpoint, query.model) : null);
  return { ...seen, answeredMs, contextTokens };
}

/** What the server itself says of the model's window; `null` where it does not. */
async function listedContext(endpoint: Endpoint, model: string): Promise<number | null> {
  const listed = await describeEndpoint(endpoint);
  return listed.ok ? (listed.value.find(({ id }) => id === model)?.contextTokens ?? null) : null;
}

async function endpointOf(parts: ModelParts, { baseUrl, key }: CareQueries["serverModels"]): Promise<Endpoint> {
  return { baseUrl, apiKey: key ?? (await findKey(parts.settings(), baseUrl, parts.env, parts.keys)) };
}

function question(model: string): ModelRequest {
  return {
    model,
    messages: [
      { role: "system", content: "You are being tested. Use the tool that you are given." },
      { role: "user", content: "Call the tool `ready` with the word yes." },
    ],
    tools: [
      {
        name: "ready",
        description: "Says that you can call tools.",
        parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
      },
    ],
    firstEventMs,
    idleMs,
  };
}

function judge(outcome: ModelOutcome, model: string): Pick<ModelTest, "answered" | "callsTools" | "problem"> {
  if (outcome.kind === "completed") {
    const callsTools = outcome.toolCalls.some(({ name }) => name === "ready");
    const problem = callsTools
      ? null
      : {
          code: "NO_TOOL_CALL",
          message: `${model} answered, and did not call the tool that it was asked to. Agents work by calling tools: choose a model that can.`,
        };
    return { answered: true, callsTools, problem };
  }
  if (outcome.kind === "aborted")
    return { answered: false, callsTools: false, problem: { code: "CANCELLED", message: "The test was cut short." } };
  const { code, message } = outcome;
  return { answered: outcome.text !== "", callsTools: false, problem: { code, message: sentence(message) } };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
