// The servers beside a run's own: which models are there, and with which key each is asked. A key goes only to the server
// that it was given for.

import type { Provider, Settings } from "../../shared/contract/settings.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { findProvider } from "./providers.ts";
import { type ModelElsewhere, sayElsewhere } from "../domain/modelServers.ts";
import type { ModelPort } from "../engine/ports/model.ts";
import { routeModels } from "../models/route.ts";
import { isOnThisMachine } from "./modelServer.ts";
import type { Connect } from "./runDefaults.ts";

/** A model elsewhere, and the key that was given for its server; `null`: none. */
export interface KeyedModel extends ModelElsewhere {
  readonly apiKey: string | null;
}

/** Of these models the first whose server needs a key and has none. Code `NO_MODEL`: names role, model and server, and what to do. */
export function keylessIn(models: readonly KeyedModel[], settings: Settings): Failure | null {
  const keyless = models.find(({ apiKey, baseUrl }) => apiKey === null && !isOnThisMachine(baseUrl));
  if (keyless === undefined) return null;
  const remedy = remedyFor(findProvider(settings, keyless.baseUrl));
  return { code: "NO_MODEL", message: `${sayElsewhere(keyless)} needs a key: ${remedy}` };
}

function remedyFor(provider: Provider | undefined): string {
  if (provider === undefined)
    return "no server of the settings has this address any more; add it under Settings, Models.";
  const { name, key } = provider;
  switch (key.from) {
    case "none":
      return `give ${name} one under Settings, Models.`;
    case "environment":
      return `set ${key.name}, or give ${name} another under Settings, Models.`;
    case "keychain":
      return `that of ${name} is not in the keychain, or cannot be read from here; give ${name} one, or the variable that has it, under Settings, Models.`;
  }
}

/** `own`, with these models asked at their own servers, each with its own key. */
export function withModelsElsewhere(connect: Connect, own: ModelPort, models: readonly KeyedModel[]): ModelPort {
  if (models.length === 0) return own;
  const routes = models.map(({ apiKey, ...one }) => {
    const port = connect({ baseUrl: one.baseUrl, apiKey });
    return [one.model, { port, name: sayElsewhere(one) }] as const;
  });
  return routeModels(own, new Map(routes));
}
