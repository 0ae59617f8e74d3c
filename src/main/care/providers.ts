// Which provider stands behind an address, where its key is, and what a person has said of its models. A key is fetched
// for one connection and never kept here.

import type { Provider, ProviderModel, Settings } from "../../shared/contract/settings.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import type { Price } from "../models/pricing.ts";
import { findContextTokens, findPrice } from "../models/pricing.ts";
import type { Environment } from "../runs/runDefaults.ts";

/** The provider at this address, whichever way it is written. */
export function findProvider({ providers }: Settings, baseUrl: string): Provider | undefined {
  return providers.find((provider) => isSameAddress(provider.baseUrl, baseUrl));
}

/** The key for requests to this address: of the provider there, else of the environment; `null` when there is none. */
export async function findKey(
  settings: Settings,
  baseUrl: string,
  env: Environment,
  keys: KeyStore,
): Promise<string | null> {
  const provider = findProvider(settings, baseUrl);
  return provider === undefined ? readVariable(env, "OPENAI_API_KEY") : keyOf(provider, env, keys);
}

export async function keyOf({ id, key }: Provider, env: Environment, keys: KeyStore): Promise<string | null> {
  switch (key.from) {
    case "none":
      return null;
    case "environment":
      return readVariable(env, key.name);
    case "keychain":
      return keys.find(id);
  }
}

/** The price of a model as a person has set it, else as Coppice's table has it. */
export function priceOf(settings: Settings, baseUrl: string, model: string): Price | null {
  return findModel(settings, baseUrl, model)?.price ?? findPrice(model);
}

/** The models that roles have of their own in a run on this server. */
export function roleModelsAt(settings: Settings, baseUrl: string): Readonly<Record<string, string>> {
  const id = findProvider(settings, baseUrl)?.id;
  const own = Object.entries(settings.roleModels).filter(([, { provider }]) => provider === id);
  return Object.fromEntries(own.map(([role, { name }]) => [role, name]));
}

/** How much a model takes at once. Providers that disagree about one name are asked for the smaller number. */
export function contextTokensOf({ providers }: Settings, model: string): number | null {
  const said = providers.flatMap(({ models }) =>
    models.flatMap(({ name, contextTokens }) => (name === model && contextTokens !== null ? [contextTokens] : [])),
  );
  return said.length > 0 ? Math.min(...said) : findContextTokens(model);
}

function findModel(settings: Settings, baseUrl: string, model: string): ProviderModel | undefined {
  return findProvider(settings, baseUrl)?.models.find(({ name }) => name === model);
}

function isSameAddress(left: string, right: string): boolean {
  return plain(left) === plain(right);
}

function plain(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, "");
  return URL.parse(trimmed)?.href.replace(/\/+$/, "") ?? trimmed;
}

function readVariable(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}
