// How events of the run's budget change its state. What agents use is charged where they use it.

import { type BalanceName, type Balances, balanceNames } from "../../../shared/contract/options.ts";
import { mapBalances } from "../budget.ts";
import { doubt } from "../doubt.ts";
import type { EventOf } from "../events.ts";
import { heldOf } from "../lateSlices.ts";
import type { RunState } from "../state.ts";
import { type Evolution, patchLead } from "./patch.ts";

/** A balance that is no longer limited is not held either, so nothing of it stays reserved; one that is limited now is held as the slices at work have it. */
export const budgetSet: Evolution<EventOf<"budget.set">> = (before, { data: { limit, slices = {} } }) => {
  const nodes = before.nodes.map((node) => ({ ...node, slice: { ...node.slice, ...slices[node.id] } }));
  const state = { ...before, nodes };
  return {
    ...state,
    budget: {
      ...state.budget,
      limit,
      reserved: mapBalances((name) => {
        if (limit[name] === null) return 0;
        return state.budget.limit[name] === null ? heldOf(state, name) : state.budget.reserved[name];
      }),
    },
    warned: state.warned.filter(
      (name) => !balanceNames.some((balance) => name === `lead ${balance}` && isRaised(state, limit, balance)),
    ),
  };
};

function isRaised({ budget }: RunState, limit: Balances, balance: BalanceName): boolean {
  return limit[balance] !== budget.limit[balance];
}

export const budgetWarned: Evolution<EventOf<"budget.warned">> = (state, { data }) => ({
  ...state,
  warned: [...state.warned, `${data.agent} ${data.balance}`],
});

export const usageDoubted: Evolution<EventOf<"usage.doubted">> = (state, { data }) => ({
  ...state,
  counted: doubt(state.counted, data.model),
});

export const budgetExhausted: Evolution<EventOf<"budget.exhausted">> = (state, { data }) =>
  data.agent === "lead"
    ? patchLead(state, (lead) => ({
        ...lead,
        limitReached: data.balance === "maxSteps" ? "max_steps" : "budget_exhausted",
      }))
    : state;
