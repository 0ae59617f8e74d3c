// What is known of a model by its name: its list price and its context window. What the table does not say is `null`,
// never zero and never a guess.

import { z } from "zod";
import table from "./prices.json?raw";

/** Micros (millionths of a US dollar) a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

const micros = z.number().int().nonnegative();
const listing = z.object({
  input: micros,
  output: micros,
  contextTokens: z.number().int().positive().optional(),
  listedAt: z.iso.date(),
});
const priceTable = z.object({ models: z.record(z.string(), listing) });

const listings = priceTable.parse(JSON.parse(table)).models;

/** The list price of a model, by its name with or without a provider (`openai/gpt-4o`) and a date (`gpt-4o-2024-08-06`). */
export function findPrice(model: string): Price | null {
  const found = findListing(model);
  return found === undefined ? null : { input: found.input, output: found.output };
}

/** The context window of a model in tokens, by its name as in `findPrice`. */
export function findContextTokens(model: string): number | null {
  return findListing(model)?.contextTokens ?? null;
}

function findListing(model: string): z.infer<typeof listing> | undefined {
  const bare = model.toLowerCase().replace(/^.*\//, "");
  const undated = bare.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, "");
  // Some gateways write a version with a dot where the provider has a dash.
  const name = [bare, undated, undated.replaceAll(".", "-")].find((each) => Object.hasOwn(listings, each));
  return name === undefined ? undefined : listings[name];
}
