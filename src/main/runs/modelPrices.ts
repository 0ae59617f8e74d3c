// What the models of a run cost, and whether its money can be limited: only where every price is known. Pure.

import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RunOptions } from "../../shared/contract/options.ts";
import { type ServerOptions, serverOf } from "../domain/modelServers.ts";
import type { OwnRole } from "../domain/roles.ts";
import type { Assignment } from "./assignment.ts";

type Price = Assignment["price"];

/** What the run's own model costs, and by model those that roles have of their own. Micros a million tokens; `null`: not known. */
export interface ModelPrices {
  readonly price: Price;
  readonly rolePrices: Readonly<Record<string, Price>>;
}

/** The prices of a run's own model and of all that roles may have, each at its server: those that a person gave them, and `offered`, which files of the repository may name. */
export function pricesOf(
  options: ServerOptions & Pick<RunOptions, "roleModels">,
  offered: readonly string[],
  priceOf: (baseUrl: string, model: string) => Price,
): ModelPrices {
  const priced = (model: string) => priceOf(serverOf(options, model), model);
  const models = [...Object.values(options.roleModels ?? {}), ...offered];
  return {
    price: priced(options.model),
    rolePrices: Object.fromEntries(models.map((model) => [model, priced(model)])),
  };
}

/** The prices of a run that is asked for, as `pricesOf`, and the first model whose price is not known among those that it asks for certain. */
export function chosenPrices(...[options, offered, priceOf]: Parameters<typeof pricesOf>): {
  readonly prices: ModelPrices;
  readonly unpriced: string | null;
} {
  const prices = pricesOf(options, offered, priceOf);
  const rolePrices = pricesInUse(prices.rolePrices, options.roleModels ?? {}, []);
  return { prices, unpriced: unpricedOf(options.model, { ...prices, rolePrices }) };
}

/** Of these prices the ones of models that some role has. The run's own is kept too where a role has it: the run may get another. */
export function pricesInUse(
  rolePrices: ModelPrices["rolePrices"],
  roleModels: Readonly<Record<string, string>>,
  roles: readonly OwnRole[],
): ModelPrices["rolePrices"] {
  const used = new Set([...Object.values(roleModels), ...roles.flatMap(({ model }) => model ?? [])]);
  return Object.fromEntries(Object.entries(rolePrices).filter(([name]) => used.has(name)));
}

/** The first model whose price is not known, the run's own before those of roles; `null`: all are. */
export function unpricedOf(model: string, { price, rolePrices }: ModelPrices): string | null {
  if (price === null) return model;
  return Object.entries(rolePrices).find(([, one]) => one === null)?.[0] ?? null;
}

/** What bounds the money of a run, in micros; `null`: nothing. `asked`: by a person for this run, absent where they said nothing. Code `NO_PRICE`: a limit was asked for that cannot be kept. */
export function moneyLimit(
  asked: number | null | undefined,
  usual: number | null,
  unpriced: string | null,
): Result<number | null> {
  if (unpriced === null) return succeed(asked === undefined ? usual : asked);
  if (asked == null) return succeed(null);
  return fail({
    code: "NO_PRICE",
    message: `The price of ${unpriced} is not known, so money (costUsd) cannot be limited; limit tokens or steps instead, or say under Settings, Models what it costs.`,
  });
}
