// Which provider stands behind an address, where its key is, and what a person has said of its models. A key is fetched
// for one connection and never kept here.

import type { Provider, ProviderModel, Settings } from "../../shared/contract/settings.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import type { Price } from "../models/pricing.ts";
import { findContextTokens, findPrice } from "../models/pricing.ts";
import type { Environment } from "./runDefaults.ts";

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

/** The key that was given for the provider at this address, and no other; `null`: none, or no such provider. */
export async function findOwnKey(
  settings: Settings,
  baseUrl: string,
  env: Environment,
  keys: KeyStore,
): Promise<string | null> {
  const provider = findProvider(settings, baseUrl);
  return provider === undefined ? null : keyOf(provider, env, keys);
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

/** The variables of the environment that hold keys of model servers. */
export function variablesWithKeys({ providers }: Settings): readonly string[] {
  return providers.flatMap(({ key }) => (key.from === "environment" ? key.name : []));
}

/** The price of a model as a person has set it, else as Coppice's table has it. */
export function priceOf(settings: Settings, baseUrl: string, model: string): Price | null {
  return findModel(settings, baseUrl, model)?.price ?? findPrice(model);
}

/** How much a model takes at once: as a person has it for this server. Else, and without an address, the smallest number that any provider has for its name, or Coppice's own. */
export function contextTokensOf(settings: Settings, model: string, baseUrl?: string): number | null {
  const here = baseUrl === undefined ? undefined : findModel(settings, baseUrl, model);
  if (here?.contextTokens != null) return here.contextTokens;
  const { providers } = settings;
  const said = providers.flatMap(({ models }) =>
    models.flatMap(({ name, contextTokens }) => (name === model && contextTokens !== null ? [contextTokens] : [])),
  );
  return said.length > 0 ? Math.min(...said) : findContextTokens(model);
}

function findModel(settings: Settings, baseUrl: string, model: string): ProviderModel | undefined {
  return findProvider(settings, baseUrl)?.models.find(({ name }) => name === model);
}

/** Whether two addresses are one, whichever way each is written. */
export function isSameAddress(left: string, right: string): boolean {
  return plain(left) === plain(right);
}

function plain(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, "");
  return URL.parse(trimmed)?.href.replace(/\/+$/, "") ?? trimmed;
}

export function readVariable(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}
