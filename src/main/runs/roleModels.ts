// What models cost that roles have of their own. Pure; what of a run cannot be priced cannot be limited in money.

import type { Assignment } from "./assignment.ts";

type Price = Assignment["price"];

/** The prices of the models that roles have and the lead has not. */
export function rolePricesOf(
  roleModels: Readonly<Record<string, string>>,
  model: string,
  priceOf: (model: string) => Price,
): Readonly<Record<string, Price>> {
  const others = new Set(Object.values(roleModels).filter((name) => name !== model));
  return Object.fromEntries([...others].map((name) => [name, priceOf(name)]));
}

/** The first model whose price is not known; `null`: all are. */
export function unpricedIn(prices: Readonly<Record<string, Price>>): string | null {
  return Object.entries(prices).find(([, price]) => price === null)?.[0] ?? null;
}
