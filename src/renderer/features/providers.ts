// A provider as a person makes one: named after its address, with a model in it. Pure.

import type { KeyPlace, Provider, Settings, SettingsChanges } from "../../shared/contract/settings.ts";
import { slugOf } from "../../shared/lib/slug.ts";

export interface NewProvider {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: KeyPlace;
}

/** An id that is not taken: made of the name, with a number where it must be. */
export function providerIdOf(name: string, taken: readonly string[]): string {
  const plain = slugOf(name, 32) || "server";
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? plain : `${plain}-${number}`;
    if (!taken.includes(id)) return id;
  }
}

/** What an address is called until somebody names it: its host, without what all have. */
export function nameOfAddress(baseUrl: string): string {
  const url = URL.parse(baseUrl.trim());
  if (url === null || url.hostname === "") return "Server";
  const isHere = url.hostname === "localhost" || url.hostname === "[::1]" || url.hostname.startsWith("127.");
  return isHere ? `This computer, port ${url.port || "80"}` : url.hostname.replace(/^(?:api|www)\./, "");
}

/** The changes that add a provider with a model, or a model to the provider at that address, and offer it to new runs first. */
export function choosing(
  settings: Settings,
  server: NewProvider,
  model: string,
): SettingsChanges & { readonly model: NonNullable<Settings["model"]> } {
  const { providers } = settings;
  const known = providers.find(({ baseUrl }) => trimmed(baseUrl) === trimmed(server.baseUrl));
  const id =
    known?.id ??
    providerIdOf(
      server.name,
      providers.map((one) => one.id),
    );
  const added: Provider =
    known === undefined
      ? { id, name: server.name, baseUrl: trimmed(server.baseUrl), key: server.key, models: [] }
      : { ...known, key: server.key.from === "none" ? known.key : server.key };
  const withModel = added.models.some(({ name }) => name === model)
    ? added
    : { ...added, models: [...added.models, { name: model, price: null, contextTokens: null }] };
  return {
    providers:
      known === undefined ? [...providers, withModel] : providers.map((one) => (one.id === id ? withModel : one)),
    model: { provider: id, name: model },
  };
}

/** Names of the models that are set up at this address, in their order. */
export function modelsAt({ providers }: Settings, baseUrl: string): readonly string[] {
  return providers.find((one) => trimmed(one.baseUrl) === trimmed(baseUrl))?.models.map(({ name }) => name) ?? [];
}

/** The models that roles have of their own in a run at this address. */
export function roleModelsAt({ providers, roleModels }: Settings, baseUrl: string): Readonly<Record<string, string>> {
  const id = providers.find((one) => trimmed(one.baseUrl) === trimmed(baseUrl))?.id;
  const own = Object.entries(roleModels).filter(([, { provider }]) => provider === id);
  return Object.fromEntries(own.map(([role, { name }]) => [role, name]));
}

/** Other providers, and of what names a model that which they still have. */
export function withProviders(settings: Settings, providers: Settings["providers"]): SettingsChanges {
  const isHere = (model: { readonly provider: string; readonly name: string }) =>
    providers.some(({ id, models }) => id === model.provider && models.some(({ name }) => name === model.name));
  const kept = Object.entries(settings.roleModels).filter(([, model]) => isHere(model));
  return {
    providers,
    ...(settings.model === null || isHere(settings.model) ? {} : { model: null }),
    ...(kept.length === Object.keys(settings.roleModels).length ? {} : { roleModels: Object.fromEntries(kept) }),
  };
}

/** Whether keys are of no use at this address: it is on this computer. */
export function isOnThisComputer(baseUrl: string): boolean {
  const host = URL.parse(baseUrl.trim())?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

function trimmed(address: string): string {
  return address.trim().replace(/\/+$/, "");
}
