// Options of a standing run that a person changes for what is still to come: what of a wish is new, which events say so,
// and what cannot be any more. What was handed over, proposed or landed stays as it is.

import { type Balances, balanceNames, type Limits, type RunOptions } from "../../shared/contract/options.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import { mapBalances } from "./budget.ts";
import type { Rejection } from "./commands.ts";
import { withdraw } from "./decisions/decided.ts";
import type { DraftEvent, EventData } from "./events.ts";
import { lateSlices, leastLimit, unboundedIn } from "./lateSlices.ts";
import { isAnyUnknown } from "./prices.ts";
import type { Target } from "./records.ts";
import type { RunState } from "./state.ts";

/** Options that may change while a run stands. The others are what it was built from: its base, its worktrees, its policy. */
type StandingOptions = Pick<
  RunOptions,
  "model" | "baseUrl" | "cassette" | "record" | "approve" | "commands" | "network" | "landOn" | "verify" | "isAttended"
>;

/** What is to hold from here on. What is absent stays. */
export interface Overrides {
  readonly options: Partial<StandingOptions>;
  readonly limits: Partial<Limits>;
  /** With `options.landOn`: where the run lands, or, under `final`, where its one review at the end does. */
  readonly landsOn?: Target;
  /** With `options.model` or `options.baseUrl`. */
  readonly price?: RunState["price"];
  readonly rolePrices?: RunState["rolePrices"];
  readonly budget?: Partial<Balances>;
  readonly wallMs?: number | null;
  readonly by: string;
}

/** The events that say what changes; none where all of it holds already. */
export function overriding(state: RunState, overrides: Overrides): readonly DraftEvent[] {
  const set = optionsSet(state, overrides);
  if (set === null) return [];
  const limit = limitAfter(state, overrides);
  return [
    { agent: "lead", type: "options.set", data: set },
    ...mootRaises(state, limit),
    ...(isSame(limit, state.budget.limit) ? [] : [budgetSet(state, limit, overrides.by)]),
  ];
}

function budgetSet(state: RunState, limit: Balances, by: string): DraftEvent {
  const slices = lateSlices(state, limit);
  const given = Object.keys(slices).length === 0 ? {} : { slices };
  return { agent: "lead", type: "budget.set", data: { limit, ...given, by } };
}

/** Why this cannot hold of the run any more; `null`: it can. Code `BAD_USAGE`. */
export function obstacleTo(state: RunState, overrides: Overrides): Rejection | null {
  if (state.status === "stopped")
    return {
      code: "BAD_USAGE",
      sentence: `${state.run} has stopped, so there is nothing that its options could hold for; coppice message ${state.run} TEXT goes on with it.`,
    };
  const sentence =
    approveObstacle(state, overrides) ?? landOnObstacle(state, overrides) ?? budgetObstacle(state, overrides);
  return sentence === null ? null : { code: "BAD_USAGE", sentence };
}

function optionsSet(state: RunState, overrides: Overrides): EventData["options.set"] | null {
  const options = changesIn(state.options, overrides.options);
  const limits = changesIn(state.limits, overrides.limits);
  const budget = changesIn(state.budget.limit, overrides.budget ?? {});
  const { landsOn, price, rolePrices, wallMs, by } = overrides;
  const end = state.finalTarget === null ? "target" : "finalTarget";
  const data = {
    ...(options === null ? {} : { options }),
    ...(limits === null ? {} : { limits }),
    ...(landsOn === undefined || isSame(landsOn, state[end]) ? {} : { [end]: landsOn }),
    ...(price === undefined || isSame(price, state.price) ? {} : { price }),
    ...(rolePrices === undefined || isSame(rolePrices, state.rolePrices) ? {} : { rolePrices }),
    ...(budget === null ? {} : { budget }),
    ...(wallMs === undefined || wallMs === state.wallMs ? {} : { wallMs }),
  };
  return Object.keys(data).length === 0 ? null : { ...data, by };
}

/** The members of `wished` that `held` has otherwise; `null`: none. */
function changesIn<T extends object>(held: T, wished: Partial<T>): Partial<T> | null {
  const changed = Object.entries(wished).filter(([name, value]) => !isSame(value, held[name as keyof T] ?? null));
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<T>);
}

/** Money is limited only where every price is known. */
function limitAfter({ budget }: RunState, overrides: Overrides): Balances {
  const isUnpriced = isAnyUnknown(overrides);
  return mapBalances((name) => {
    if (name === "costMicros" && isUnpriced) return null;
    const wished = overrides.budget?.[name];
    return wished === undefined ? budget.limit[name] : wished;
  });
}

/** Whoever sets a limit has answered the question for more of it. */
function mootRaises(state: RunState, limit: Balances): readonly DraftEvent[] {
  return state.approvals
    .filter(({ status, raise }) => status === "open" && raise !== null && limit[raise.balance] !== raise.limit)
    .map((one) => withdraw(one, "The budget was set anew."));
}

function approveObstacle({ options }: RunState, { options: { approve } }: Overrides): string | null {
  if (approve === undefined || (approve === "final") === (options.approve === "final")) return null;
  return options.approve === "final"
    ? `This run lands on a branch of its own and is reviewed once, at the end (--approve final), so it cannot go on under --approve ${approve}.`
    : `This run lands each change by itself (--approve ${options.approve}): --approve final, one review at the end, is for a run from its start on.`;
}

function landOnObstacle({ options, changeSets }: RunState, { options: { landOn } }: Overrides): string | null {
  if (landOn === undefined || isSame(landOn, options.landOn)) return null;
  if (options.approve === "final" && landOn.kind === "run-branch")
    return "--approve final lands on the run's own branch first, so --land-on must name another: current or branch:NAME.";
  return changeSets.length === 0
    ? null
    : "Changes have been proposed, or have landed, for the branch that this run was started for, so --land-on holds until its end. coppice land RUN lands the run's branch elsewhere.";
}

function budgetObstacle(state: RunState, overrides: Overrides): string | null {
  const limit = limitAfter(state, overrides);
  for (const balance of balanceNames) {
    const whole = limit[balance];
    if (whole === null || whole === state.budget.limit[balance]) continue;
    const least = leastLimit(state, balance);
    if (whole >= least) continue;
    const [name, unit] = balance === "costMicros" ? ["costUsd", 1_000_000] : [balance, 1];
    const sharers = unboundedIn(state, balance).map(({ id }) => id);
    const shares =
      sharers.length === 0 ? "" : `, and ${sharers.join(", ")}, without a limit of that kind, need a share`;
    return `--budget ${name}=${whole / unit}: it takes at least ${least / unit}, since that much is used already or held for what is under way${shares}. Name that or more, or set it once they have ended.`;
  }
  return null;
}

function isSame(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}
