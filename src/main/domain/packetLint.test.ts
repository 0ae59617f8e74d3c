// What is said of a packet before it is sent.

import { describe, expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import type { SpawnArguments } from "./commands.ts";
import { lintPacket } from "./packetLint.ts";

function warningsOf(input: Partial<SpawnArguments>): readonly string[] {
  const story = new Story().start();
  const node = story.node(story.spawn(input));
  return lintPacket(node.packet, node.writes);
}

test.each(["Fix it as discussed.", "Do as mentioned in the chat.", "See above.", "Use the previous result."])(
  "%j leans on what a subagent cannot see",
  (task) => {
    expect(warningsOf({ task })).toEqual([expect.stringContaining("sees its packet and nothing else")]);
  },
);

test.each<Partial<SpawnArguments>>([
  { task: "Read pay.js and say where it charges." },
  { task: "Fix it as discussed.", context: "We agreed to use cents." },
  { task: "Fix pay.js.", role: "executor", paths: ["pay.js"] },
])("%j needs no warning", (input) => {
  expect(warningsOf(input)).toEqual([]);
});

test("an executor without paths is warned of", () => {
  expect(warningsOf({ role: "executor" })).toEqual([expect.stringContaining("No paths are claimed")]);
});

describe("a task that another subagent has already", () => {
  const twin = { task: "look at  PAY.js. " };
  const warningsOfSecond = (more: Partial<SpawnArguments> = {}, first?: (story: Story) => void) => {
    const story = new Story().start();
    story.spawn({ task: "Look at pay.js." });
    first?.(story);
    story.spawn({ ...twin, ...more });
    return story.ofType("handoff.recorded").at(-1)?.data.warnings;
  };

  test("is warned of, with where that one stands", () => {
    expect(warningsOfSecond()).toEqual([expect.stringContaining("subagent-1 has the same task and is running")]);
    expect(warningsOfSecond({}, (story) => story.complete("subagent-1"))).toEqual([
      expect.stringContaining("subagent-1 has the same task and is completed"),
    ]);
  });

  test("is a new attempt where that one failed or is named, and another task for another role", () => {
    expect([
      warningsOfSecond({}, (story) => story.fail("subagent-1")),
      warningsOfSecond({ replaces: "subagent-1" }),
      warningsOfSecond({ role: "planner" }),
    ]).toEqual([[], [], []]);
  });
});
