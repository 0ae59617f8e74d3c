// The limit of a run that is nearest to being reached, as figures and words. Pure.

import { balanceNames } from "../../../shared/contract/options.ts";
import type { BalanceName } from "../../../shared/contract/options.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { formatCount, formatMoney } from "../../ui/formats.ts";

export interface BudgetPicture {
  /** `$1.84`, or `48` and the unit `steps`; money has none. */
  readonly used: string;
  readonly held: string;
  /** `null`: nothing limits it. */
  readonly limit: string | null;
  readonly unit: string;
  /** Parts of the limit, 0 to 1. */
  readonly usedShare: number;
  readonly heldShare: number;
}

const units: Readonly<Record<BalanceName, string>> = {
  costMicros: "",
  steps: "steps",
  toolCalls: "tool calls",
  inputTokens: "tokens in",
  outputTokens: "tokens out",
};

/** Money where it is limited, else the limit of which the largest part is gone; money without a limit when there is none. */
export function pictureBudget({ budget: { limit, used, reserved } }: Pick<RunSnapshot, "budget">): BudgetPicture {
  const limited = balanceNames.filter((name) => limit[name] !== null && limit[name] > 0);
  const gone = (name: BalanceName) => (used[name] + reserved[name]) / (limit[name] ?? 1);
  const name = limited.includes("costMicros") ? "costMicros" : limited.toSorted((a, b) => gone(b) - gone(a))[0];
  const shown = name ?? "costMicros";
  const max = limit[shown];
  const write = (count: number) => (shown === "costMicros" ? formatMoney(count / 1_000_000) : formatCount(count));
  const share = (count: number) => (max === null || max <= 0 ? 0 : Math.min(1, count / max));
  const usedShare = share(used[shown]);
  return {
    used: write(used[shown]),
    held: write(reserved[shown]),
    limit: max === null ? null : write(max),
    unit: shown === "steps" && used[shown] === 1 ? "step" : units[shown],
    usedShare,
    heldShare: Math.min(1 - usedShare, share(reserved[shown])),
  };
}

/** Why what was used is no server's own count. */
export function doubtWords(models: readonly string[]): string {
  return `Too few input tokens are told of ${models.join(", ")}, so they are counted as they are estimated.`;
}
