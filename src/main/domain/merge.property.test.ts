// What outcomes are merged to does not depend on who finished first, nor on where it is computed, nor on how many say a thing.

import fc from "fast-check";
import { expect, test } from "vitest";

import { compareOutcomes, inMergingOrder, type JudgedOutcome, oppositesAmong } from "./merge.ts";

const names = fc.constantFrom("a", "B", "ä", "z", "Z", "ı", "10", "9", "😀", "￿");
const outcome = fc.record({
  step: fc.option(names),
  role: names,
  ordinal: fc.integer({ min: 1, max: 5 }),
  id: fc.uuid(),
});

const judged = fc.record({
  step: fc.option(names),
  role: names,
  ordinal: fc.integer({ min: 1, max: 5 }),
  id: fc.constantFrom("subagent-1", "subagent-2", "subagent-3", "subagent-4"),
  criterion: fc.constantFrom("Total", "total", "spec", "ß"),
  tree: fc.constantFrom("t1", "t2"),
  verdict: fc.constantFrom<JudgedOutcome["verdict"]>("passed", "failed"),
});

test("verdicts contradict each other in the same groups and order for every permutation, and only on one tree, from two sources", () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(judged, { selector: ({ id, criterion, tree }) => `${id} ${criterion} ${tree}`, maxLength: 12 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const groups = oppositesAmong(all);
        expect(oppositesAmong(shuffled).map((group) => group.toSorted(compareOutcomes))).toEqual(
          groups.map((group) => group.toSorted(compareOutcomes)),
        );
        for (const group of groups) {
          expect(new Set(group.map(({ tree }) => tree)).size).toBe(1);
          expect(group.some((one) => group.some(({ id, verdict }) => id !== one.id && verdict !== one.verdict))).toBe(
            true,
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("one that objects stands against any number that do not", () => {
  const says = (id: string, verdict: JudgedOutcome["verdict"]) => ({
    step: null,
    role: "reviewer",
    ordinal: 1,
    criterion: "spec",
    tree: "t1",
    id,
    verdict,
  });
  const passed = ["1", "2", "3"].map((id) => says(id, "passed"));
  expect(oppositesAmong(passed)).toEqual([]);
  expect(oppositesAmong([says("9", "failed"), ...passed])).toEqual([[...passed, says("9", "failed")]]);
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
