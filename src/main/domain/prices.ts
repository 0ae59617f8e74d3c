// What a model of a run costs. Pure.

import type { RunState } from "./state.ts";

/** Micros a million tokens; `null`: not known. A model that is no role's own, but named by the lead, is charged like the run's. */
export function priceFor({ price, rolePrices, options }: RunState, model: string): RunState["price"] {
  return model !== options.model && Object.hasOwn(rolePrices, model) ? (rolePrices[model] ?? null) : price;
}
