// What a person asks to hold of a standing run from here on, made whole: the branch looked up, the price found. Refuses
// what cannot hold any more; changes nothing.

import type { Balances } from "../../shared/contract/options.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { roleModelsElsewhere } from "../domain/modelServers.ts";
import { obstacleTo, type Overrides } from "../domain/overrides.ts";
import type { Target } from "../domain/records.ts";
import type { RunState } from "../domain/state.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { namedTarget, runBranch } from "./assignment.ts";
import { type ModelPrices, moneyLimit, pricesOf, unpricedOf } from "./modelPrices.ts";
import type { RunGround } from "./runDefaults.ts";

/** As it is worded. Money in millionths of a US dollar. */
export interface OverrideOrder extends Pick<Overrides, "options" | "limits" | "wallMs" | "by"> {
  readonly budget: Partial<Balances<number>>;
}

/** Codes `BAD_USAGE` (it cannot hold any more, and why), `BAD_BRANCH_NAME`, `NO_PRICE`. */
export async function overridesOf(
  git: GitPort,
  state: RunState,
  order: OverrideOrder,
  priceOf: RunGround["priceOf"],
): Promise<Result<Overrides>> {
  const { model, baseUrl } = order.options;
  const asksAnother = model !== undefined || baseUrl !== undefined;
  const prices = asksAnother ? pricesAfter(state, order, priceOf) : state;
  const unpriced = unpricedOf(model ?? state.options.model, prices);
  const costMicros = moneyLimit(order.budget.costMicros, state.budget.limit.costMicros, unpriced);
  if (!costMicros.ok) return costMicros;
  const landsOn = await targetFor(git, state, order);
  if (!landsOn.ok) return landsOn;
  const overrides: Overrides = {
    ...order,
    ...(asksAnother ? prices : {}),
    ...(landsOn.value === null ? {} : { landsOn: landsOn.value }),
  };
  const obstacle = obstacleTo(state, overrides);
  return obstacle === null ? succeed(overrides) : fail({ code: obstacle.code, message: obstacle.sentence });
}

/** What the run's models cost once it asks another, or another server: there roles keep only what they have at servers beside it. */
function pricesAfter(state: RunState, { options }: OverrideOrder, priceOf: RunGround["priceOf"]): ModelPrices {
  const { model = state.options.model, baseUrl = state.options.baseUrl } = options;
  const isElsewhere = baseUrl !== state.options.baseUrl;
  const { roleModels: before, ...others } = state.options;
  const roleModels = isElsewhere ? roleModelsElsewhere(state.options) : before;
  const offered = isElsewhere ? [] : state.roles.flatMap((role) => role.model ?? []);
  return pricesOf({ ...others, ...(roleModels && { roleModels }), model, baseUrl }, offered, priceOf);
}

/** `null`: where it lands stays as it is. */
async function targetFor(git: GitPort, state: RunState, { options }: OverrideOrder): Promise<Result<Target | null>> {
  const { landOn } = options;
  if (landOn === undefined || (landOn.kind === "run-branch" && state.options.landOn.kind === "run-branch"))
    return succeed(null);
  const { repo, base, run, title } = state;
  // `current` is the branch that was checked out when the run was assigned, by name.
  const named = await namedTarget(git, { facts: repo, branch: base.branch }, { landOn });
  if (!named.ok) return named;
  return succeed(named.value ?? (await runBranch(git, repo, run, title)));
}
