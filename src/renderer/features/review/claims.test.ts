// What is claimed beside what was seen.

import { expect, test } from "vitest";

import type { ResultPage } from "../../../shared/contract/pages.ts";
import { claimsOf } from "./claims.ts";

const page: ResultPage = {
  agent: "subagent-1",
  status: "completed",
  code: null,
  sentence: null,
  said: {
    status: "done",
    schema: "ok",
    answer: "",
    uncertainty: "low",
    followups: [],
    verdicts: [{ criterion: "No new dependency", verdict: "met", evidence: "package.json is as it was" }],
    dataJson: null,
  },
  evidence: [
    { source: "a.ts", line: 3, quote: "return a", mark: "found" },
    { source: "b.ts", mark: "not found" },
  ],
  observed: {
    toolsUsed: [],
    steps: 1,
    inputTokens: 1,
    outputTokens: 1,
    costMicros: null,
    verification: "failed",
    changeset: null,
    filesChanged: [],
    diagnostic: null,
  },
};

test("each claim stands beside what was observed of it, and a verdict alone proves nothing", () => {
  expect(claimsOf(page).map(({ claimed, observed, holds }) => `${holds}: ${claimed} | ${observed}`)).toEqual([
    "no: It is done | the checks failed",
    "open: No new dependency: met | says: package.json is as it was",
    "yes: a.ts:3 “return a” | found there",
    "no: b.ts | not found there",
  ]);
});

test("nothing is claimed before a result was handed in, and a result that was not in form is no claim that holds", () => {
  const { said } = page;
  expect(claimsOf({ ...page, said: null })).toEqual([]);
  expect(claimsOf({ ...page, said: said && { ...said, schema: "unstructured" } }).at(-1)?.holds).toBe("no");
});
