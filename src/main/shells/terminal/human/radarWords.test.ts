// What a person who watches is told of conflicts.

import { expect, test } from "vitest";

import { radarWords } from "./radarWords.ts";

test("each conflict is a line with its files, then the order that is suggested; their end is told too", () => {
  const paths = ["a.js", "b.js"];
  expect([
    radarWords({
      conflicts: [
        { agent: "subagent-1", other: "subagent-2", paths, fileCount: 4 },
        { agent: "subagent-3", other: null, paths: ["c.js"], fileCount: 1 },
      ],
      order: ["subagent-2", "subagent-1"],
    }),
    radarWords({ conflicts: [], order: [] }),
  ]).toEqual([
    [
      "Radar: subagent-1 would conflict with subagent-2 in a.js, b.js and 2 more.",
      "Radar: subagent-3 would conflict with its target in c.js.",
      "Radar: land in the order subagent-2, subagent-1, and send the rest back.",
    ],
    ["Radar: what is being worked on fits together again."],
  ]);
});
