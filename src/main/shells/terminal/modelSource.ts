// Where a command's model answers come from: a server, or a cassette; recorded or not. Read from flags before anything is
// opened, connected after.

import { resolve } from "node:path";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import type { Result } from "../../../shared/lib/result.ts";
import type { ModelPort } from "../../engine/ports/model.ts";
import { isOnThisMachine } from "../../runs/modelServer.ts";
import { readSettings } from "../../settings/settings.ts";
import { openCassette, recordModel } from "../../cassettes.ts";
import { connectModel, findProvider } from "../../workbench.ts";
import { dataFolder } from "../dataFolder.ts";
import type { Surroundings } from "./runCommands.ts";
import { readKey } from "./usage.ts";

export interface ModelSourceFlags {
  readonly apiKeyFile?: string;
  readonly record?: string;
  readonly cassette?: string;
}

export interface ModelSource {
  readonly baseUrl: string;
  readonly apiKey: string | null;
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

/** The environment with the key of the settings' provider at this address, where that is in a variable of it. */
export function withKeyOf(settings: Settings, baseUrl: string, surroundings: Surroundings): Surroundings {
  const key = findProvider(settings, baseUrl)?.key;
  if (key?.from !== "environment") return surroundings;
  return { ...surroundings, env: { ...surroundings.env, OPENAI_API_KEY: surroundings.env[key.name] } };
}

/** Throws `NO_MODEL` for a server that needs a key and gets none, `BAD_USAGE` for options that contradict each other. */
export function readModelSource(flags: ModelSourceFlags, baseUrl: string, { env, folder }: Surroundings): ModelSource {
  if (flags.record !== undefined && flags.cassette !== undefined)
    throw new WorkbenchError("BAD_USAGE", "Give either --record or --cassette: what is played needs no recording.");
  const apiKey = flags.cassette === undefined ? readKey(flags.apiKeyFile, env, folder) : null;
  if (flags.cassette === undefined && apiKey === null && !isOnThisMachine(baseUrl)) {
    throw new WorkbenchError("NO_MODEL", `${baseUrl} needs a key: set OPENAI_API_KEY, or pass --api-key-file FILE.`);
  }
  return {
    baseUrl,
    apiKey,
    record: flags.record === undefined ? null : resolve(folder, flags.record),
    cassette: flags.cassette === undefined ? null : resolve(folder, flags.cassette),
  };
}

/** Codes `CASSETTE_NOT_FOUND`, `CASSETTE_INVALID`, `CASSETTE_TOO_NEW`, `CASSETTE_UNWRITABLE`. */
export async function openModel({ baseUrl, apiKey, record, cassette }: ModelSource): Promise<Result<ModelPort>> {
  if (cassette !== null) return openCassette(cassette);
  const model = connectModel({ baseUrl, apiKey });
  return record === null ? { ok: true, value: model } : recordModel(model, record);
}
