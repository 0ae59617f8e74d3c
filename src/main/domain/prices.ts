// What a model of a run costs. Pure.

import type { Usage } from "./records.ts";
import type { RunState } from "./state.ts";

/** Micros a million tokens; `null`: not known. The run's own model has the run's price, and so has every model that none is on record for. */
export function priceFor(
  { price, rolePrices, options }: Pick<RunState, "price" | "rolePrices" | "options">,
  model: string,
): RunState["price"] {
  return model !== options.model && Object.hasOwn(rolePrices, model) ? (rolePrices[model] ?? null) : price;
}

/** Whether a price that is named is not known: then money cannot be limited. */
export function isAnyUnknown({ price, rolePrices = {} }: Named): boolean {
  return [price, ...Object.values(rolePrices)].includes(null);
}

interface Named {
  readonly price?: RunState["price"] | undefined;
  readonly rolePrices?: RunState["rolePrices"] | undefined;
}

/** Cost in whole micros, rounded up. Cached tokens count in full, so it is the upper bound of what is charged. */
export function costOf(
  { inputTokens, outputTokens }: Pick<Usage, "inputTokens" | "outputTokens">,
  price: NonNullable<RunState["price"]>,
): number {
  return Math.ceil((inputTokens * price.input + outputTokens * price.output) / 1_000_000);
}
