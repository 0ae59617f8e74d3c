// Which server a model of a run is asked at. Pure.

import type { RunOptions } from "../../shared/contract/options.ts";

/** What says where models are. */
export type ServerOptions = Pick<RunOptions, "model" | "baseUrl" | "modelServers">;

/** The base URL that requests to this model go to. The run's own model is at the run's server, whatever else has its name, and so is every model that is said to be nowhere else. */
export function serverOf({ model: own, baseUrl, modelServers = {} }: ServerOptions, model: string): string {
  return model !== own && Object.hasOwn(modelServers, model) ? (modelServers[model] ?? baseUrl) : baseUrl;
}

/** A model of a run that is asked at another server than the run's. */
export interface ModelElsewhere {
  readonly model: string;
  readonly baseUrl: string;
  /** The roles that a person gave it to, in their order. None: the lead alone may name it. */
  readonly roles: readonly string[];
}

/** The models of a run that are at other servers than its own. */
export function modelsElsewhere(options: ServerOptions & Pick<RunOptions, "roleModels">): readonly ModelElsewhere[] {
  const { modelServers = {}, roleModels = {} } = options;
  return Object.keys(modelServers).flatMap((model) => {
    const baseUrl = serverOf(options, model);
    const roles = Object.entries(roleModels).flatMap(([role, name]) => (name === model ? role : []));
    return baseUrl === options.baseUrl ? [] : { model, baseUrl, roles };
  });
}

/** What stays of the models of roles where the run moves to another server: those that were not at its own. `undefined`: none. */
export function roleModelsElsewhere(options: ServerOptions & Pick<RunOptions, "roleModels">): RunOptions["roleModels"] {
  const kept = Object.entries(options.roleModels ?? {}).filter(
    ([, model]) => serverOf(options, model) !== options.baseUrl,
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Such a model, whose it is and where, to begin a sentence with. */
export function sayElsewhere({ model, baseUrl, roles }: ModelElsewhere): string {
  return `${roles.length === 0 ? "The model" : `${roles.join(" and ")}: the model`} ${model} at ${baseUrl}`;
}
