// Where a command's model answers come from: a server, or a cassette; recorded or not. Read from flags before anything is
// opened, connected after.

import { resolve } from "node:path";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import type { RunOptions } from "../../../shared/contract/options.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import type { Result } from "../../../shared/lib/result.ts";
import { isSameAddress, readVariable } from "../../runs/providers.ts";
import { modelsElsewhere } from "../../domain/modelServers.ts";
import type { ModelPort } from "../../engine/ports/model.ts";
import { type KeyedModel, keylessIn, withModelsElsewhere } from "../../runs/modelsElsewhere.ts";
import { isOnThisMachine } from "../../runs/modelServer.ts";
import { readSettings } from "../../settings/settings.ts";
import { modelOfCassette, openCassette, recordModel } from "../../cassettes.ts";
import { connectModel, findProvider } from "../../workbench.ts";
import { dataFolder } from "../dataFolder.ts";
import type { Surroundings } from "./invocation.ts";
import { readKey } from "./usage.ts";

export interface ModelSourceFlags {
  readonly apiKeyFile?: string;
  readonly record?: string;
  readonly cassette?: string;
}

export interface ModelSource {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Models of roles at other servers, each with its own key. */
  readonly others: readonly KeyedModel[];
  /** Absolute paths. */
  readonly record: string | null;
  readonly cassette: string | null;
}

/** What the person has set. Throws `BAD_CONFIGURATION` for a file that cannot be used: a run must not go by other limits than theirs. */
export function requireSettings(env: NodeJS.ProcessEnv): Settings {
  const { settings, problem } = readSettings(dataFolder(env));
  if (problem !== null) throw new WorkbenchError("BAD_CONFIGURATION", problem);
  return settings;
}

/** The environment with the key that was given for this address as `OPENAI_API_KEY`: that of the settings' provider there, else the environment's own. One that was given for another server is left out. */
function withKeyOf(settings: Settings, baseUrl: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const key = findProvider(settings, baseUrl)?.key;
  if (key?.from === "environment") return { ...env, OPENAI_API_KEY: env[key.name] };
  const isGivenForIt = key === undefined || isSameAddress(env["OPENAI_BASE_URL"] ?? "", baseUrl);
  return isGivenForIt ? env : { ...env, OPENAI_API_KEY: undefined };
}

/** Where the key of a server is looked for, as what is to be done. */
function remedyFor(settings: Settings, baseUrl: string): string {
  const key = findProvider(settings, baseUrl)?.key ?? { from: "environment", name: "OPENAI_API_KEY" };
  if (key.from === "environment") return `set ${key.name}, or pass --api-key-file FILE.`;
  const said = key.from === "none" ? "it has none" : "it is in the keychain, which is not read here";
  return `by the settings ${said}; name a variable for it there, or pass --api-key-file FILE.`;
}

/** With the model that a cassette was recorded with, where nobody names one: it has answers for no other. */
export function withRecordedModel<T extends ModelSourceFlags & { readonly model?: string }>(
  flags: T,
  folder: string,
): T {
  if (flags.model !== undefined || flags.cassette === undefined) return flags;
  const model = modelOfCassette(resolve(folder, flags.cassette));
  return model === null ? flags : { ...flags, model };
}

/** Throws `NO_MODEL` for a server, of the run or of a role's model, that needs a key and gets none, `BAD_USAGE` for options that contradict each other. */
export function readModelSource(
  flags: ModelSourceFlags,
  options: Pick<RunOptions, "model" | "roleModels" | "baseUrl" | "modelServers">,
  settings: Settings,
  { env, folder }: Surroundings,
): ModelSource {
  const { baseUrl } = options;
  if (flags.record !== undefined && flags.cassette !== undefined)
    throw new WorkbenchError("BAD_USAGE", "Give either --record or --cassette: what is played needs no recording.");
  // What is played needs no server.
  if (flags.cassette !== undefined)
    return { baseUrl, apiKey: null, others: [], record: null, cassette: resolve(folder, flags.cassette) };
  const apiKey = readKey(flags.apiKeyFile, withKeyOf(settings, baseUrl, env), folder);
  if (apiKey === null && !isOnThisMachine(baseUrl)) {
    throw new WorkbenchError("NO_MODEL", `${baseUrl} needs a key: ${remedyFor(settings, baseUrl)}`);
  }
  const others = modelsElsewhere(options).map((one) => ({ ...one, apiKey: ownKey(settings, one.baseUrl, env) }));
  const keyless = keylessIn(others, settings);
  if (keyless !== null) throw new WorkbenchError("NO_MODEL", keyless.message);
  return {
    baseUrl,
    apiKey,
    others,
    record: flags.record === undefined ? null : resolve(folder, flags.record),
    cassette: null,
  };
}

/** The key that was given for this very server: that of no other, and no keychain is read here. */
function ownKey(settings: Settings, baseUrl: string, env: NodeJS.ProcessEnv): string | null {
  const key = findProvider(settings, baseUrl)?.key;
  return key?.from === "environment" ? readVariable(env, key.name) : null;
}

/** Codes `CASSETTE_NOT_FOUND`, `CASSETTE_INVALID`, `CASSETTE_TOO_NEW`, `CASSETTE_UNWRITABLE`. */
export async function openModel(source: ModelSource): Promise<Result<ModelPort>> {
  const { baseUrl, apiKey, others, record, cassette } = source;
  if (cassette !== null) return openCassette(cassette);
  const model = withModelsElsewhere(connectModel, connectModel({ baseUrl, apiKey }), others);
  return record === null ? { ok: true, value: model } : recordModel(model, record);
}
