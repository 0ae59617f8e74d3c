import { expect, test } from "vitest";

import type { SearchHit } from "../../../shared/contract/care.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import { groupHits, splitExcerpt } from "./hits.ts";

const hit = (run: string, n: number): SearchHit => ({
  run: run as RunId,
  runTitle: `Run ${run}`,
  repo: "/home/ada/shop",
  kind: "transcript",
  agent: "lead",
  n,
  at: 0,
  where: "the task",
  excerpt: "",
});

test("finds are shown by run, in the order of the first of each", () => {
  const groups = groupHits([hit("b", 1), hit("a", 4), hit("b", 2)]);
  expect(groups.map(({ title, repo, hits }) => [title, repo, hits.map(({ n }) => n)])).toEqual([
    ["Run b", "shop", [1, 2]],
    ["Run a", "shop", [4]],
  ]);
});

test("an excerpt comes apart into what matches and what does not", () => {
  expect(splitExcerpt("…is \u0002charged\u0003\n\ntwice \u0002cut")).toEqual([
    { text: "…is ", isMatch: false },
    { text: "charged", isMatch: true },
    { text: " twice ", isMatch: false },
    { text: "cut", isMatch: true },
  ]);
  expect(splitExcerpt("\u001b[31mnot ok\u001b[0m \u0002charges\u0003 \u202etwice").map(({ text }) => text)).toEqual([
    "not ok ",
    "charges",
    " ⟨U+202E⟩twice",
  ]);
});
