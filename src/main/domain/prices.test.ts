import { expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { costOf, isAnyUnknown, priceFor } from "./prices.ts";

test("a role's model has its own price, or none that is known; any other is charged like the run's", () => {
  const price = { input: 3, output: 9 };
  const small = { input: 1, output: 2 };
  const state = { ...new Story().start().state, price, rolePrices: { small, odd: null } };
  const { model } = state.options;
  expect([model, "small", "odd", "large"].map((name) => priceFor(state, name))).toEqual([price, small, null, price]);
  // Once the run's own model is another, that one's price is the run's.
  const options = { ...state.options, model: "small" };
  expect(priceFor({ ...state, options }, "small")).toEqual(price);
});

test("a cost is whole micros, rounded up, at the price of a million tokens", () => {
  const price = { input: 2_500_000, output: 10_000_000 };
  const used = [
    { inputTokens: 1000, outputTokens: 100 },
    { inputTokens: 1, outputTokens: 0 },
    { inputTokens: 0, outputTokens: 0 },
  ];
  expect(used.map((one) => costOf(one, price))).toEqual([3500, 3, 0]);
});

test("a price is unknown only where it is named as such, the run's or a role's", () => {
  const price = { input: 1, output: 2 };
  const named = [
    {},
    { price },
    { price: null },
    { price, rolePrices: { small: price } },
    { rolePrices: { odd: null } },
  ];
  expect(named.map(isAnyUnknown)).toEqual([false, false, true, false, true]);
});
