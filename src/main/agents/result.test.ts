import { expect, test } from "vitest";

import { unfitResult } from "./result.ts";

test.each([
  [{ status: "done", answer: "Two callers.", uncertainty: "low" }, "Two callers."],
  [
    { answer: "Two callers.", evidence: [{ path: "a.ts" }] },
    'Two callers.\n\nWhat it handed in beside this is not in the agreed form: {"evidence":[{"path":"a.ts"}]}',
  ],
  [{ answer: " " }, '{"answer":" "}'],
  [["an", "array"], '["an","array"]'],
])("what does not fit, %j, keeps its answer in its own words", (args, answer) => {
  expect(unfitResult(JSON.stringify(args))).toEqual({
    status: "done_with_concerns",
    answer,
    evidence: [],
    uncertainty: "high",
    followups: [],
  });
});

test("what is no JSON is kept as it is", () => {
  expect(unfitResult("Two callers, I think").answer).toBe("Two callers, I think");
});
