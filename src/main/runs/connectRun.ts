// Where the answers of a run that a window or a server drives come from: its servers, each with its own key, or a cassette.

import type { Settings } from "../../shared/contract/settings.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { findKey, findOwnKey } from "./providers.ts";
import { openCassette, recordModel } from "../cassettes.ts";
import { modelsElsewhere } from "../domain/modelServers.ts";
import type { KeyStore } from "../engine/ports/keys.ts";
import type { ModelPort } from "../engine/ports/model.ts";
import { keylessIn, withModelsElsewhere } from "./modelsElsewhere.ts";
import { type Connect, connectWith, type Environment } from "./runDefaults.ts";
import type { ModelSource } from "./runManager.ts";

export interface RunServers {
  readonly connect: Connect;
  readonly settings: Settings;
  readonly env: Environment;
  readonly keys: KeyStore;
}

/** Codes `NO_MODEL` (a server needs a key and has none), those of `openCassette` and `recordModel`. What is played needs no server. */
export async function connectRun(servers: RunServers, source: ModelSource): Promise<Result<ModelPort>> {
  const { connect, settings, env, keys } = servers;
  const { baseUrl, cassette, record } = source;
  if (cassette != null) return openCassette(cassette);
  const own = connectWith(connect, baseUrl, await findKey(settings, baseUrl, env, keys));
  if (!own.ok) return own;
  const others = await Promise.all(
    modelsElsewhere(source).map(async (one) => ({
      ...one,
      apiKey: await findOwnKey(settings, one.baseUrl, env, keys),
    })),
  );
  const keyless = keylessIn(others, settings);
  if (keyless !== null) return fail(keyless);
  const model = withModelsElsewhere(connect, own.value, others);
  return record == null ? succeed(model) : recordModel(model, record);
}
