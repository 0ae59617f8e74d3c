// The models that roles of a new run have of their own, and at which servers: as the settings say, or as a person chose for
// the run. A repository has no say in either.

import type { RunOptions } from "../../shared/contract/options.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { findProvider, isSameAddress } from "./providers.ts";
import { sayElsewhere } from "../domain/modelServers.ts";
import { checkEndpoint } from "../models/endpoint.ts";

/** Options of a run; each absent where it would be empty. */
export type RoleModels = Pick<RunOptions, "roleModels" | "modelServers">;

type OwnModel = Pick<RunOptions, "model" | "baseUrl">;

interface Wish {
  readonly role: string;
  readonly model: string;
  readonly baseUrl: string;
}

/** As the settings say, for a run of this model at this server. Codes: those of `chosenRoleModels`. */
export function usualRoleModels(settings: Settings, own: OwnModel): Result<RoleModels> {
  const wishes = Object.entries(settings.roleModels).flatMap(([role, { provider, name }]): Wish | readonly [] => {
    const baseUrl = settings.providers.find(({ id }) => id === provider)?.baseUrl;
    return baseUrl === undefined ? [] : { role, model: name, baseUrl };
  });
  return roleModelsOf(settings, own, wishes);
}

/**
 * As a person chose them: a model whose server is not named is at the run's. A model of the run's own name is the run's own.
 * Codes `NO_MODEL` (no server of the settings), `ENDPOINT_INVALID`, `BAD_USAGE` (models of one name at two servers): each
 * names role, model and server.
 */
export function chosenRoleModels(settings: Settings, own: OwnModel, chosen: RoleModels): Result<RoleModels> {
  const { roleModels = {}, modelServers = {} } = chosen;
  const wishes = Object.entries(roleModels).map(([role, model]) => {
    const named = Object.hasOwn(modelServers, model) ? modelServers[model] : undefined;
    return { role, model, baseUrl: named ?? own.baseUrl };
  });
  return roleModelsOf(settings, own, wishes);
}

function roleModelsOf(settings: Settings, own: OwnModel, wishes: readonly Wish[]): Result<RoleModels> {
  const placed = new Map<string, Wish>();
  for (const wish of wishes) {
    const isOwn = wish.model === own.model || isSameAddress(wish.baseUrl, own.baseUrl);
    const place = isOwn ? { ...wish, baseUrl: own.baseUrl } : wish;
    const problem = isOwn ? null : problemOf(settings, wish);
    if (problem !== null) return problem;
    const other = placed.get(wish.model);
    if (other !== undefined && !isSameAddress(other.baseUrl, place.baseUrl)) return twoServers(other, place);
    placed.set(wish.model, other ?? place);
  }
  const roleModels = Object.fromEntries(wishes.map(({ role, model }) => [role, model]));
  const away = [...placed.values()].filter(({ baseUrl }) => baseUrl !== own.baseUrl);
  const modelServers = Object.fromEntries(away.map(({ model, baseUrl }) => [model, baseUrl]));
  return succeed({
    ...(wishes.length === 0 ? {} : { roleModels }),
    ...(away.length === 0 ? {} : { modelServers }),
  });
}

/** The address is stored with the run, so a secret in it is refused, and never repeated. */
function problemOf(settings: Settings, { role, model, baseUrl }: Wish): Result<never> | null {
  if (checkEndpoint({ baseUrl, apiKey: null }).problem !== null) {
    const name = findProvider(settings, baseUrl)?.name ?? "a server";
    return fail({
      code: "ENDPOINT_INVALID",
      message: `${role}: the model ${model} is at ${name}, whose address is none of a model server: it looks like http://127.0.0.1:11434/v1, without user name, password or query.`,
    });
  }
  if (findProvider(settings, baseUrl) !== undefined) return null;
  return fail({
    code: "NO_MODEL",
    message: `${sayElsewhere({ model, baseUrl, roles: [role] })} cannot be asked: no server of the settings has this address. Add it under Settings, Models, or choose another model for ${role}.`,
  });
}

function twoServers(one: Wish, other: Wish): Result<never> {
  return fail({
    code: "BAD_USAGE",
    message: `${one.role} has the model ${one.model} at ${one.baseUrl}, and ${other.role} one of this name at ${other.baseUrl}: a run asks for each name at one server. Choose one of them for both, or another model, under Settings, Models.`,
  });
}
