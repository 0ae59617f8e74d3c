// What servers say that they were sent, held against what it was estimated at. A tokenizer may count a third more or less
// than the estimate; a server that tells less than a third of a lot is not believed, so that a limit holds all the same.

import type { Balances } from "../../shared/contract/options.ts";
import type { EventData } from "./events.ts";
import { costOf, priceFor } from "./prices.ts";
import type { Usage } from "./records.ts";
import type { RequestState, RunState } from "./state.ts";

/** Less than one part in this many is no other way of counting. */
const factor = 3;
/** As little may be short of anything, input tokens by estimate. */
const least = 100_000;

/** Input tokens of a model's answered requests whose usage was told. */
export interface InputCount {
  readonly told: number;
  readonly estimated: number;
  /** It was put on record that they do not fit together. */
  readonly isDoubted: boolean;
}

/** With one more answered request. */
export function countInput(
  { counted }: RunState,
  { model, estimate }: RequestState,
  usage: Usage,
): RunState["counted"] {
  const before = countOf(counted, model);
  const told = before.told + toldInput(usage);
  return { ...counted, [model]: { ...before, told, estimated: before.estimated + estimate.inputTokens } };
}

/** From here on the model's input is charged at its estimate where that is more. */
export function doubt(counted: RunState["counted"], model: string): RunState["counted"] {
  return { ...counted, [model]: { ...countOf(counted, model), isDoubted: true } };
}

/** Models whose servers are to be doubted and are not yet. */
export function doubtsIn({ counted }: RunState): readonly EventData["usage.doubted"][] {
  return Object.entries(counted)
    .filter(([, { told, estimated, isDoubted }]) => !isDoubted && estimated >= least && told * factor < estimated)
    .map(([model, { told, estimated }]) => ({ model, told, estimated }));
}

/** What an answered request is charged at that its server says took `told`. */
export function chargedFor(
  state: RunState,
  { model, estimate }: RequestState,
  told: Balances<number>,
): Balances<number> {
  if (!countOf(state.counted, model).isDoubted) return told;
  const inputTokens = Math.max(told.inputTokens, estimate.inputTokens);
  const price = priceFor(state, model);
  const cost = price === null ? 0 : costOf({ inputTokens, outputTokens: told.outputTokens }, price);
  return { ...told, inputTokens, costMicros: Math.max(told.costMicros, cost) };
}

function countOf(counted: RunState["counted"], model: string): InputCount {
  const none: InputCount = { told: 0, estimated: 0, isDoubted: false };
  return Object.hasOwn(counted, model) ? (counted[model] ?? none) : none;
}

/** Some servers leave what they had in their cache out of the input. */
function toldInput({ inputTokens, cachedTokens }: Usage): number {
  return cachedTokens > inputTokens ? inputTokens + cachedTokens : inputTokens;
}
