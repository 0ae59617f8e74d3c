import { expect, test } from "vitest";
import { defaultLimits } from "../../shared/contract/options.ts";
import { type Caps, lowered } from "./lowering.ts";

const caps: Caps = {
  limits: { ...defaultLimits, maxExecutors: 4, maxConcurrent: 10 },
  budget: { steps: 400, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: 5_000_000 },
  wallMs: 7_200_000,
};

test("a repository lowers what a person has set, bounds what has no bound, and raises nothing", () => {
  const ceilings = {
    maxExecutors: 2,
    maxConcurrent: 50,
    steps: 1_000,
    toolCalls: 30,
    costMicros: 1_000_000,
    wallMs: 1,
  };
  expect(lowered(caps, ceilings, { named: [], isPriced: true })).toEqual({
    limits: { ...caps.limits, maxExecutors: 2 },
    budget: { ...caps.budget, toolCalls: 30, costMicros: 1_000_000 },
    wallMs: 1,
  });
});

test("what a person names for the run goes before the repository, and money is limited only where a price is known", () => {
  const unpriced = { ...caps, budget: { ...caps.budget, costMicros: null } };
  const ceilings = { maxExecutors: 2, steps: 10, costMicros: 1, wallMs: 1 };
  expect(lowered(unpriced, ceilings, { named: ["maxExecutors", "steps", "wallMs"], isPriced: false })).toEqual(
    unpriced,
  );
});

test("a repository that bounds nothing changes nothing", () => {
  expect(lowered(caps, {}, { named: [], isPriced: true })).toEqual(caps);
});
