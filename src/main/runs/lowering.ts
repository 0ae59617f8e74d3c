// How far a repository may bound a run: it lowers what a person has set for good, never what they named for this run, and
// raises nothing. Pure.

import { type BalanceName, type Balances, balanceNames, type Limits } from "../../shared/contract/options.ts";

/** Limits that a repository may lower. Those of this machine and its servers are not among them. */
const lowerable = ["maxConcurrent", "maxExecutors", "maxSubagents", "maxChain", "leadSteps", "maxSubagentMs"] as const;

/** A number that bounds a run: a limit, a balance of its budget, its time. */
export type CapName = keyof Limits | BalanceName | "wallMs";

/** The bounds that a person named for a run. Steps of each agent are those of the lead too. */
export function namedIn(named: {
  readonly limits: Partial<Limits>;
  readonly budget: Partial<Balances>;
  readonly wallMs: number | null | undefined;
}): readonly CapName[] {
  const { limits, budget, wallMs } = named;
  return [
    ...(Object.keys(limits) as CapName[]),
    ...(limits.maxSteps == null ? [] : (["leadSteps"] as const)),
    ...(Object.keys(budget) as CapName[]),
    ...(wallMs === undefined ? [] : (["wallMs"] as const)),
  ];
}

/** What a repository bounds, by name. Money in millionths of a US dollar, times in ms. */
export type Ceilings = { readonly [N in (typeof lowerable)[number] | BalanceName | "wallMs"]?: number };

export interface Caps {
  readonly limits: Limits;
  readonly budget: Balances;
  readonly wallMs: number | null;
}

/** `named`: what a person said for this very run. Where money is not limited since no price is known, it stays so. */
export function lowered(
  { limits, budget, wallMs }: Caps,
  ceilings: Ceilings,
  { named, isPriced }: { readonly named: readonly CapName[]; readonly isPriced: boolean },
): Caps {
  const ceilingOf = (name: keyof Ceilings) => (named.includes(name) ? undefined : ceilings[name]);
  const lower = (value: number | null, name: keyof Ceilings) => {
    const ceiling = ceilingOf(name);
    return ceiling === undefined ? value : Math.min(value ?? ceiling, ceiling);
  };
  const balances = Object.fromEntries(
    balanceNames.map((name) => [
      name,
      name === "costMicros" && !isPriced ? budget.costMicros : lower(budget[name], name),
    ]),
  ) as unknown as Balances;
  return {
    limits: { ...limits, ...Object.fromEntries(lowerable.map((name) => [name, lower(limits[name], name)])) },
    budget: balances,
    wallMs: lower(wallMs, "wallMs"),
  };
}
