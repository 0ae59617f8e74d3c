// The merging order does not depend on who finished first, nor on where it is computed.

import fc from "fast-check";
import { expect, test } from "vitest";

import { compareOutcomes, inMergingOrder } from "./merge.ts";

const names = fc.constantFrom("a", "B", "ä", "z", "Z", "ı", "10", "9", "😀", "￿");
const outcome = fc.record({
  step: fc.option(names),
  role: names,
  ordinal: fc.integer({ min: 1, max: 5 }),
  id: fc.uuid(),
});

test("every permutation of the outcomes is merged in the same order", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(outcome, { selector: ({ id }) => id, maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (outcomes, numbers) => {
        const keys = new Map(outcomes.map((each) => [each.id, numbers.next().value]));
        const shuffled = outcomes.toSorted((left, right) => (keys.get(left.id) ?? 0) - (keys.get(right.id) ?? 0));
        expect(inMergingOrder(shuffled)).toEqual(inMergingOrder(outcomes));
      },
    ),
    { numRuns: 500 },
  );
});

test("the order is by step, role, ordinal and id, those without a step last", () => {
  const sorted = inMergingOrder([
    { step: null, role: "a", ordinal: 1, id: "5" },
    { step: "2", role: "a", ordinal: 1, id: "4" },
    { step: "10", role: "b", ordinal: 2, id: "3" },
    { step: "10", role: "b", ordinal: 1, id: "2" },
    { step: "10", role: "a", ordinal: 9, id: "1" },
  ]);
  expect(sorted.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
});

test("names are compared by code unit, where locales would disagree with each other", () => {
  const roles = ["z", "ä", "Z", "a"];
  const byUnit = inMergingOrder(roles.map((role) => ({ step: null, role, ordinal: 1, id: "1" }))).map(
    ({ role }) => role,
  );
  const byLocale = ["sv", "de"].map((locale) => roles.toSorted(new Intl.Collator(locale).compare));
  expect([byUnit, ...byLocale]).toEqual([
    ["Z", "a", "z", "ä"],
    ["a", "z", "Z", "ä"],
    ["a", "ä", "z", "Z"],
  ]);
});

test("an outcome stands with itself", () => {
  expect(
    compareOutcomes({ step: null, role: "a", ordinal: 1, id: "1" }, { step: null, role: "a", ordinal: 1, id: "1" }),
  ).toBe(0);
});
