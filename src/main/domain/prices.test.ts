import { expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { priceFor } from "./prices.ts";

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
