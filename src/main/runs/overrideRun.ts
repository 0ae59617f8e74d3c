// What a person asks to hold of a standing run from here on, made whole: the branch looked up, the price found. Refuses
// what cannot hold any more; changes nothing.

import type { Balances } from "../../shared/contract/options.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { roleModelsElsewhere } from "../domain/modelServers.ts";
import { isTerminal } from "../domain/lifecycle.ts";
import { obstacleTo, type Overrides } from "../domain/overrides.ts";
import { priceFor } from "../domain/prices.ts";
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
  const own = model ?? state.options.model;
  const held = pricesAfter(state, order, (_server, name) => priceFor(state, name));
  const asksAnother = model !== undefined || baseUrl !== undefined;
  // A price may have become known since.
  const areAskedAnew = asksAnother || (order.budget.costMicros != null && unpricedOf(own, held) !== null);
  const prices = areAskedAnew ? pricesAfter(state, order, priceOf) : held;
  const unpriced = unpricedOf(own, prices);
  const costMicros = moneyLimit(order.budget.costMicros, state.budget.limit.costMicros, unpriced);
  if (!costMicros.ok) return costMicros;
  const landsOn = await targetFor(git, state, order);
  if (!landsOn.ok) return landsOn;
  const overrides: Overrides = {
    ...order,
    ...(areAskedAnew ? prices : {}),
    ...(landsOn.value === null ? {} : { landsOn: landsOn.value }),
  };
  const obstacle = obstacleTo(state, overrides);
  return obstacle === null ? succeed(overrides) : fail({ code: obstacle.code, message: obstacle.sentence });
}

/** What the run's models cost from here on, those of subagents at work among them. At another server roles keep only what they have at servers beside it. */
function pricesAfter(state: RunState, { options }: OverrideOrder, priceOf: RunGround["priceOf"]): ModelPrices {
  const { model = state.options.model, baseUrl = state.options.baseUrl } = options;
  const isElsewhere = baseUrl !== state.options.baseUrl;
  const { roleModels: before, ...others } = state.options;
  const roleModels = isElsewhere ? roleModelsElsewhere(state.options) : before;
  const ofFiles = isElsewhere ? [] : state.roles.flatMap((role) => role.model ?? []);
  // Those that ask the run's own go along with it.
  const atWork = state.nodes.filter((node) => !isTerminal(node.status) && node.model !== state.options.model);
  const offered = [...ofFiles, ...atWork.map((node) => node.model)];
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
