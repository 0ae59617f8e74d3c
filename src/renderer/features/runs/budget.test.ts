import { expect, test } from "vitest";

import type { Balances } from "../../../shared/contract/options.ts";
import { doubtWords, pictureBudget } from "./budget.ts";

const zero: Balances<number> = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
const unlimited: Balances = { steps: null, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null };

test("money is shown where it is limited, with what is held beside what is spent", () => {
  const budget = {
    limit: { ...unlimited, steps: 10, costMicros: 6_000_000 },
    used: { ...zero, steps: 9, costMicros: 1_500_000 },
    reserved: { ...zero, costMicros: 3_000_000 },
  };
  expect(pictureBudget({ budget })).toEqual({
    used: "$1.50",
    held: "$3.00",
    limit: "$6.00",
    unit: "",
    usedShare: 0.25,
    heldShare: 0.5,
  });
});

test("without a limit on money the nearest limit is shown", () => {
  const budget = {
    limit: { ...unlimited, steps: 400, inputTokens: 1_000 },
    used: { ...zero, steps: 4, inputTokens: 900 },
    reserved: { ...zero, inputTokens: 500 },
  };
  expect(pictureBudget({ budget })).toMatchObject({ used: "900", unit: "tokens in", usedShare: 0.9 });
  expect(pictureBudget({ budget }).heldShare).toBeCloseTo(0.1);
});

test("a run that nothing limits has a figure and no bar", () => {
  expect(pictureBudget({ budget: { limit: unlimited, used: zero, reserved: zero } })).toMatchObject({
    used: "$0.00",
    limit: null,
    usedShare: 0,
  });
});

test("models whose servers tell too little are named", () => {
  expect(doubtWords(["m", "small"])).toBe(
    "Too few input tokens are told of m, small, so they are counted as they are estimated.",
  );
});
