import { expect, test } from "vitest";

import { deciderOf, decisionWords } from "./deciders.ts";

test("whoever decided is named: a person, the run's mode, or as the journal has it", () => {
  expect(["a person", "policy auto", "Ada", ""].map(deciderOf)).toEqual(["you", "automatic", "Ada", ""]);
});

test.each([
  ["approved", "a person", "Approved by you"],
  ["approved", "policy auto", "Approved automatically"],
  ["approved", "policy final", "Approved for the review at the end"],
  ["sent_back", "Ada", "Sent back by Ada"],
  ["withdrawn", "", "Withdrawn"],
])("%s by %j is %j", (decision, by, words) => {
  expect(decisionWords({ decision, by })).toBe(words);
});
