// What a template can cost at most, as the form of a new run says it before the start. Pure.

import type { FoundModel } from "../../../shared/contract/care.ts";
import type { TemplateFigures } from "../../../shared/contract/template.ts";
import { formatMoney } from "../../ui/formats.ts";

/** What the form knows of the models of its run. */
export interface ModelPrices {
  /** Of the run's own; `null`: not known. */
  readonly price: FoundModel["price"];
  /** Some role has a model of its own, whose price the form does not know. */
  readonly areOthers: boolean;
}

/** Joins on to what else the template comes to; empty where neither its price nor a limit of its money is known. */
export function worstMoney({ budget }: TemplateFigures, { price, areOthers }: ModelPrices): string {
  const { inputTokens, outputTokens, costMicros } = budget;
  if (price === null) return costMicros === null ? "" : say(costMicros);
  const ofTokens =
    areOthers || inputTokens === null || outputTokens === null
      ? null
      : Math.ceil((inputTokens * price.input + outputTokens * price.output) / 1_000_000);
  if (costMicros === null && ofTokens === null) return ", in money at most the run’s limit";
  return say(Math.min(costMicros ?? Infinity, ofTokens ?? Infinity));
}

function say(micros: number): string {
  return `, at most ${formatMoney(micros / 1_000_000)}`;
}
