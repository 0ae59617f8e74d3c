// Budgets as arithmetic: limits, what is used, what is held by slices of children. All balances at once or none.
// The lead keeps a share that no child can take, from which its wrap-up turn is paid.

import { type BalanceName, type Balances, balanceNames } from "../../shared/contract/options.ts";

export const nothing: Balances<number> = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

export interface Budget {
  readonly limit: Balances;
  readonly used: Balances<number>;
  readonly reserved: Balances<number>;
}

/** One balance at a time; `make` sees its name. */
export function mapBalances<T>(make: (name: BalanceName) => T): Balances<T> {
  return {
    steps: make("steps"),
    toolCalls: make("toolCalls"),
    inputTokens: make("inputTokens"),
    outputTokens: make("outputTokens"),
    costMicros: make("costMicros"),
  };
}

export function plus(left: Balances<number>, right: Balances<number | null>): Balances<number> {
  return mapBalances((name) => left[name] + (right[name] ?? 0));
}

export function minus(left: Balances<number>, right: Balances<number | null>): Balances<number> {
  return mapBalances((name) => left[name] - (right[name] ?? 0));
}

/** 10 % of each limit, at least 3 steps: what no child can take. */
export function keptShare(limit: Balances): Balances<number> {
  return mapBalances((name) => {
    const whole = limit[name];
    return whole === null ? 0 : keptOf(name, whole);
  });
}

/** The kept share of one balance that is limited to `whole`. */
export function keptOf(name: BalanceName, whole: number): number {
  const share = Math.ceil(whole / 10);
  return Math.min(whole, name === "steps" ? Math.max(3, share) : share);
}

/** What a new slice may be cut from; `null` = no limit. Never below 0. */
export function available(budget: Budget): Balances {
  const kept = keptShare(budget.limit);
  return mapBalances((name) => {
    const limit = budget.limit[name];
    return limit === null ? null : Math.max(0, limit - kept[name] - budget.used[name] - budget.reserved[name]);
  });
}

/** The slice of a spawn that names none: per limited balance, the role's ceiling or a quarter of what is available, whichever is smaller. */
export function defaultSlice(free: Balances, ceiling: Balances): Balances {
  return mapBalances((name) => {
    const limit = free[name];
    return limit === null ? ceiling[name] : smaller(ceiling[name], Math.ceil(limit / 4));
  });
}

/** What the caller asked for, never above the role's ceiling; what it did not name falls to the default. */
export function requestedSlice(free: Balances, ceiling: Balances, asked: Partial<Balances<number>>): Balances {
  const fallback = defaultSlice(free, ceiling);
  return mapBalances((name) => {
    const amount = asked[name];
    return amount === undefined ? fallback[name] : smaller(ceiling[name], amount);
  });
}

/** The balances that a slice does not fit into, would hold none of, or names below nothing. Empty = it can be reserved. */
export function shortOf(budget: Budget, slice: Balances): readonly BalanceName[] {
  const free = available(budget);
  return balanceNames.filter((name) => {
    const room = free[name];
    const wanted = slice[name];
    if (wanted !== null && wanted < 0) return true;
    if (room === null) return false;
    return wanted === null || wanted > room || (wanted <= 0 && room <= 0);
  });
}

export function reserve(budget: Budget, slice: Balances): Budget {
  return { ...budget, reserved: plus(budget.reserved, held(budget, slice)) };
}

/** Used is charged, the whole slice released, exactly once. */
export function settle(budget: Budget, slice: Balances, used: Balances<number>): Budget {
  return { ...budget, used: plus(budget.used, used), reserved: minus(budget.reserved, held(budget, slice)) };
}

export function charge(budget: Budget, used: Balances<number>): Budget {
  return { ...budget, used: plus(budget.used, used) };
}

/** Balances of an agent's own slice that one more request of this size would overrun. */
export function overrun(limit: Balances, used: Balances<number>, more: Balances<number>): readonly BalanceName[] {
  return balanceNames.filter((name) => {
    const whole = limit[name];
    return whole !== null && used[name] + more[name] > whole;
  });
}

/** A balance without a limit on the run is not held, even where the role sets a ceiling. */
function held(budget: Budget, slice: Balances): Balances<number> {
  return mapBalances((name) => (budget.limit[name] === null ? 0 : (slice[name] ?? 0)));
}

/** The smaller of two limits; `null` = no limit. */
export function smaller<T extends number | null>(left: number | null, right: T): number | T {
  if (left === null) return right;
  return right === null ? left : Math.min(left, right);
}

/** What limits come to together; `null` as soon as one of them is none. */
export function sumOf(limits: readonly (number | null)[]): number | null {
  return limits.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}
