// What can be reached from here, for `coppice models`: the models of an endpoint with what is known of them, and the
// local servers that answer at their usual places. Asks for lists only; no model is loaded or run.

import type { Result } from "../../shared/lib/result.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Price } from "./pricing.ts";
import { succeed } from "../../shared/lib/result.ts";
import { listModelEntries } from "./openai.ts";
import { findContextTokens, findPrice } from "./pricing.ts";

export interface CatalogModel {
  readonly id: string;
  /** The server's own word, else what is known of a model of this name; `null`: nobody says. */
  readonly contextTokens: number | null;
  /** Micros a million tokens, `null` where unknown. */
  readonly price: Price | null;
}

/** The models of an endpoint in its order. Errors and limits as `listModels`. */
export async function describeEndpoint(
  endpoint: Endpoint,
  signal?: AbortSignal,
): Promise<Result<readonly CatalogModel[]>> {
  const listed = await listModelEntries(endpoint, signal);
  if (!listed.ok) return listed;
  return succeed(
    listed.value.map(({ id, contextTokens }) => ({
      id,
      contextTokens: contextTokens ?? findContextTokens(id),
      price: findPrice(id),
    })),
  );
}

/** A server on this machine that answered. */
export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

export interface LocalPlace {
  readonly name: string;
  readonly port: number;
}

/** Where these servers listen unless they are told otherwise. */
export const usualPlaces: readonly LocalPlace[] = [
  { name: "Ollama", port: 11434 },
  { name: "LM Studio", port: 1234 },
  { name: "llama.cpp", port: 8080 },
  { name: "vLLM", port: 8000 },
];

const probeLimitMs = 600;

/** The model servers that answer at `places` on this machine within 600 ms each, in that order. Never fails: what is no model server, asks for a key or stays silent is left out. */
export async function findLocalServers(
  places: readonly LocalPlace[] = usualPlaces,
  limitMs: number = probeLimitMs,
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(places.map((place) => probe(place, limitMs)));
  return found.filter((server) => server !== null);
}

async function probe({ name, port }: LocalPlace, limitMs: number): Promise<LocalServer | null> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const listed = await listModelEntries({ baseUrl, apiKey: null }, AbortSignal.timeout(limitMs));
  return listed.ok ? { name, baseUrl, models: listed.value.map((model) => model.id) } : null;
}
