// The arithmetic of slices: what is kept, what may be taken, what is freed.

import { describe, expect, test } from "vitest";

import type { Balances } from "../../shared/contract/options.ts";
import {
  available,
  type Budget,
  defaultSlice,
  keptShare,
  nothing,
  overrun,
  requestedSlice,
  reserve,
  settle,
  shortOf,
} from "./budget.ts";

const unlimited: Balances = { steps: null, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null };

function limits(limit: Partial<Balances>): Budget {
  return { limit: { ...unlimited, ...limit }, used: nothing, reserved: nothing };
}

describe("the lead keeps", () => {
  test.each([
    [100, 10],
    [25, 3],
    [10, 3],
    [2, 2],
  ])("of %i steps %i", (limit, kept) => {
    expect(keptShare({ ...unlimited, steps: limit }).steps).toBe(kept);
  });

  test("a tenth of every other balance, and nothing of one without a limit", () => {
    expect(keptShare({ ...unlimited, inputTokens: 1_001 })).toEqual({ ...nothing, inputTokens: 101 });
  });
});

describe("what is available", () => {
  test("is the limit less what is kept, used and held", () => {
    const budget = { ...limits({ steps: 100 }), used: { ...nothing, steps: 20 }, reserved: { ...nothing, steps: 30 } };
    expect(available(budget)).toEqual({ ...unlimited, steps: 40 });
  });

  test("is never below nothing", () => {
    expect(available({ ...limits({ steps: 10 }), used: { ...nothing, steps: 10 } }).steps).toBe(0);
  });
});

describe("a slice", () => {
  test("that is not named is a quarter of what is free, at most the role's ceiling, per limited balance", () => {
    const free = { ...unlimited, steps: 90, inputTokens: 90 };
    const ceiling = { ...unlimited, steps: 20, toolCalls: 80 };
    expect(defaultSlice(free, ceiling)).toEqual({ ...unlimited, steps: 20, toolCalls: 80, inputTokens: 23 });
  });

  test("that is asked for never exceeds the role's ceiling", () => {
    expect(
      requestedSlice({ ...unlimited, steps: 90 }, { ...unlimited, steps: 20 }, { steps: 50, inputTokens: 7 }),
    ).toEqual({ ...unlimited, steps: 20, inputTokens: 7 });
  });

  test("is short of a balance that cannot hold it, or that nothing is left of", () => {
    const budget = limits({ steps: 10, inputTokens: 0 });
    expect([
      shortOf(budget, { ...unlimited, steps: 8, inputTokens: 0 }),
      shortOf(budget, { ...unlimited, steps: 7, inputTokens: 1 }),
    ]).toEqual([["steps", "inputTokens"], ["inputTokens"]]);
  });

  test("without a number is short of every balance that has a limit", () => {
    expect(shortOf(limits({ costMicros: 5 }), unlimited)).toEqual(["costMicros"]);
  });

  test("below nothing is short", () => {
    expect(shortOf(limits({ steps: 100 }), { ...unlimited, steps: -1 })).toEqual(["steps"]);
  });

  test("is held until it is settled; then what was used is charged and the rest is free again", () => {
    const slice = { ...unlimited, steps: 20, toolCalls: 80 };
    const held = reserve(limits({ steps: 100 }), slice);
    const settled = settle(held, slice, { ...nothing, steps: 4, toolCalls: 9 });
    expect([held.reserved, settled]).toEqual([
      { ...nothing, steps: 20 },
      { ...limits({ steps: 100 }), used: { ...nothing, steps: 4, toolCalls: 9 } },
    ]);
  });
});

test("a request overruns the balances that it does not fit into, and none that has no limit", () => {
  const more = { steps: 1, toolCalls: 0, inputTokens: 50, outputTokens: 9_999, costMicros: 0 };
  expect(overrun({ ...unlimited, steps: 3, inputTokens: 60 }, { ...nothing, steps: 2, inputTokens: 20 }, more)).toEqual(
    ["inputTokens"],
  );
});
