import { expect, test } from "vitest";

import { storyRun } from "./fixtures.ts";
import { layoutGraph } from "./layout.ts";
import { readingOrder, stepFrom } from "./walk.ts";

const stops = readingOrder(layoutGraph(storyRun.subagents), new Map(storyRun.subagents.map(({ id }) => [id, id])));

test.each([
  ["subagent-1", "ArrowRight", "subagent-5"],
  ["subagent-2", "ArrowRight", "subagent-6"],
  ["subagent-6", "ArrowDown", "subagent-4"],
  ["subagent-4", "ArrowLeft", "subagent-3"],
  ["subagent-8", "ArrowLeft", "subagent-6"],
  ["subagent-1", "ArrowUp", "lead"],
  ["subagent-2", "ArrowLeft", "lead"],
  ["lead", "ArrowDown", "subagent-1"],
  ["subagent-10", "ArrowRight", null],
  ["subagent-10", "ArrowDown", null],
  ["subagent-7", "Home", "subagent-1"],
  ["subagent-1", "End", "subagent-10"],
  ["subagent-1", "x", null],
])("from %s, %s leads to %s", (from, key, to) => {
  expect(stepFrom(stops, from, key)).toBe(to);
});
