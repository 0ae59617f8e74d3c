// What a model costs by its list price. A model that is not in the table has no price: `null`, never zero.

import { z } from "zod";
import type { Usage } from "../domain/events.ts";
import table from "../../../resources/prices.json?raw";

/** Micros (millionths of a US dollar) a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

const micros = z.number().int().nonnegative();
const priceTable = z.object({
  models: z.record(z.string(), z.object({ input: micros, output: micros, listedAt: z.iso.date() })),
});

const prices = priceTable.parse(JSON.parse(table)).models;

/** The list price of a model, by its name with or without a provider (`openai/gpt-4o`) and a date (`gpt-4o-2024-08-06`). */
export function findPrice(model: string): Price | null {
  const bare = model.toLowerCase().replace(/^.*\//, "");
  const undated = bare.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, "");
  // Some gateways write a version with a dot where the provider has a dash.
  for (const name of [bare, undated, undated.replaceAll(".", "-")]) {
    const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
    if (price !== undefined) return { input: price.input, output: price.output };
  }
  return null;
}

/** Cost in whole micros, rounded up. Cached tokens count in full, so it is the upper bound of what is charged. */
export function costMicros(usage: Usage, price: Price): number {
  return Math.ceil((usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000);
}
