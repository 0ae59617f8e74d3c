// A balance that is limited while subagents are at work who began without a limit of that kind: each gets a slice of it, cut
// like that of a spawn, so that the run's limit is kept without ending anybody. Pure.

import type { SubagentId } from "../../shared/contract/ids.ts";
import { type BalanceName, type Balances, balanceNames } from "../../shared/contract/options.ts";
import { keptOf } from "./budget.ts";
import { spendable } from "./spendable.ts";
import type { NodeState, RunState } from "./state.ts";
import { sliceUsed } from "./turn.ts";

/** By subagent, the balances that its slice holds from here on. */
export type LateSlices = { readonly [subagent: SubagentId]: Partial<Balances<number>> };

/** The slices that those at work get under this limit; each holds what its subagent has used already. Empty: nobody needs one. */
export function lateSlices(state: RunState, limit: Balances): LateSlices {
  const slices: Record<SubagentId, Partial<Balances<number>>> = {};
  for (const balance of balanceNames) {
    const whole = limit[balance];
    if (whole === null) continue;
    const unbounded = unboundedIn(state, balance);
    let free = whole - keptOf(balance, whole) - takenOf(state, balance);
    for (const [index, node] of unbounded.entries()) {
      const share = Math.max(0, Math.min(Math.ceil(free / 4), free - (unbounded.length - 1 - index)));
      slices[node.id] = { ...slices[node.id], [balance]: drawnBy(node, balance) + share };
      free -= share;
    }
  }
  return slices;
}

/** The least that this balance can be limited to: what is used, held or under way already, and, where subagents at work have no slice of it, a share for each beside the lead's. */
export function leastLimit(state: RunState, balance: BalanceName): number {
  const taken = takenOf(state, balance);
  const sharers = unboundedIn(state, balance).length;
  if (sharers === 0) return taken;
  let whole = Math.ceil(((taken + sharers) * 10) / 9);
  while (whole - keptOf(balance, whole) < taken + sharers) whole += 1;
  return whole;
}

/** Subagents at work whose slice holds as much of this balance as they like. */
export function unboundedIn({ nodes }: RunState, balance: BalanceName): readonly NodeState[] {
  return nodes.filter((node) => node.holdsSlice && node.slice[balance] === null);
}

/** What the slices at work hold of a balance. */
export function heldOf({ nodes }: RunState, balance: BalanceName): number {
  return nodes.reduce((sum, node) => sum + (node.holdsSlice ? (node.slice[balance] ?? 0) : 0), 0);
}

/** What the run has used of a balance, what its subagents hold of it, what those without a slice of it have drawn, and what its lead has under way. */
function takenOf(state: RunState, balance: BalanceName): number {
  const { budget, lead } = state;
  const drawn = unboundedIn(state, balance).reduce((sum, node) => sum + drawnBy(node, balance), 0);
  const asked = spendable(state).reserved[balance] - budget.reserved[balance];
  return budget.used[balance] + heldOf(state, balance) + drawn + asked + (lead.request?.estimate[balance] ?? 0);
}

/** A request in flight may still come to what it was estimated at. */
function drawnBy(node: NodeState, balance: BalanceName): number {
  return sliceUsed(node)[balance] + (node.request?.estimate[balance] ?? 0);
}
