// What subagents can cost at most, by the prices of their models and the tokens that they may use. Pure; a price that is not
// known is no price of nothing.

import type { Balances } from "../../../shared/contract/options.ts";
import { smaller } from "../budget.ts";
import { costOf, priceFor } from "../prices.ts";
import { modelOfRole, type RoleTable } from "../roles.ts";
import type { RunState } from "../state.ts";

/** What is known of a run's prices. */
export type Priced = Pick<RunState, "price" | "rolePrices" | "options" | "roles">;

/** The roles with what one subagent of each can cost at most as their money: what its tokens come to at its model's price, where both are known, or less where it has a ceiling of its own. */
export function withCosts(roles: RoleTable, run: Priced): RoleTable {
  const priced = Object.entries(roles).map(([name, role]) => {
    const cost = costOfTokens(role.budget, priceFor(run, modelOfRole(run, name)));
    return [name, { ...role, budget: { ...role.budget, costMicros: smaller(role.budget.costMicros, cost) } }] as const;
  });
  return Object.fromEntries(priced);
}

/** What a run can cost at most under these limits: its limit on money, or less where its tokens come to less at the dearest price of these roles. */
export function costLimit(limit: Balances, run: Priced, roles: readonly string[]): number | null {
  const costs = roles.map((role) => costOfTokens(limit, priceFor(run, modelOfRole(run, role))));
  return smaller(limit.costMicros, costs.includes(null) ? null : Math.max(0, ...costs.map((cost) => cost ?? 0)));
}

/** The most money of a forecast in words: `$1.20`, or `the run's limit of $5.00` where nothing less is known; empty: no limit. */
export function moneyWords(costMicros: number | null, limit: Balances): string {
  if (costMicros === null) return "";
  const amount = `$${(costMicros / 1_000_000).toFixed(2)}`;
  return costMicros === limit.costMicros ? `the run's limit of ${amount}` : amount;
}

function costOfTokens({ inputTokens, outputTokens }: Balances, price: RunState["price"]): number | null {
  if (inputTokens === null || outputTokens === null || price === null) return null;
  return costOf({ inputTokens, outputTokens }, price);
}
