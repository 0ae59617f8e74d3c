// An author goes on with its own change: the same worktree and base, a new slice, and the comments as its next message.

import { available, defaultSlice, mapBalances, shortOf } from "../budget.ts";
import type { BalanceName } from "../../../shared/contract/options.ts";
import type { Facts } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { spendable } from "../spendable.ts";
import type { NodeState, RunState } from "../state.ts";

/** The events of a round on half the role's ceiling, or the balances that the run has too little of. */
export function anotherRound(
  state: RunState,
  node: NodeState,
  comments: string,
  facts: Facts,
): { readonly events: readonly DraftEvent[] } | { readonly short: readonly BalanceName[] } {
  const ceiling = facts.roles[node.role]?.budget ?? node.packet.budget;
  const half = mapBalances((name) => (ceiling[name] === null ? null : Math.ceil(ceiling[name] / 2)));
  const slice = defaultSlice(available(spendable(state)), half);
  const short = shortOf(spendable(state), slice);
  if (short.length > 0) return { short };
  return {
    events: [
      { agent: "lead", type: "slice.renewed", data: { subagent: node.id, slice } },
      { agent: node.id, type: "subagent.messaged", data: { text: comments } },
      { agent: node.id, type: "subagent.queued", data: { code: "READY", sentence: "Sent back with comments." } },
    ],
  };
}
