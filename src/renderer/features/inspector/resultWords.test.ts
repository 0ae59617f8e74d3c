import { expect, test } from "vitest";

import { answerIn } from "./resultWords.ts";

test("a result says its answer, unless its text is no whole result", () => {
  const result = JSON.stringify({ subagentId: "subagent-1", answer: "Two callers.", evidence: [] });
  expect([answerIn(result), answerIn(result.slice(0, -3)), answerIn("{}"), answerIn('"text"')]).toEqual([
    "Two callers.",
    null,
    null,
    null,
  ]);
});
