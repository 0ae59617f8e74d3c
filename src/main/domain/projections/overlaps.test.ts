// Executors that touch the same files.

import { expect, test } from "vitest";

import { fileChange, Story } from "../../../../test/support/runStory.ts";
import { overlapsOf } from "./overlaps.ts";

test("two claims that overlap are named with the narrower of their entries, until one of them has ended", () => {
  const story = new Story({ limits: { maxExecutors: 4 } }).start();
  const first = story.spawn({ role: "executor", paths: ["src"] });
  const second = story.spawn({ role: "executor", paths: ["test", "src/pay"] });
  story.spawn({ role: "executor", paths: ["docs"] });
  expect(overlapsOf(story.state)).toEqual([{ agents: [first, second], path: "src/pay", fileCount: 1 }]);
  story.fail(first);
  expect(overlapsOf(story.state)).toEqual([]);
});

test("readers and whoever claims nothing overlap with nobody", () => {
  const story = new Story().start();
  story.spawn();
  story.spawn({ role: "executor", paths: ["src"] });
  expect(overlapsOf(story.state)).toEqual([]);
});

test("who has claimed nothing overlaps once both have proposed", () => {
  const story = new Story({ options: { approve: "each" } }).start();
  const [first, second] = [story.spawn({ role: "executor" }), story.spawn({ role: "executor" })];
  story.review(first, [fileChange("a.ts"), fileChange("b.ts")]);
  expect(overlapsOf(story.state)).toEqual([]);
  story.review(second, [fileChange("b.ts")]);
  expect(overlapsOf(story.state)).toEqual([{ agents: [first, second], path: "b.ts", fileCount: 1 }]);
});

test("of two that have proposed it is the files of both that count", () => {
  const story = new Story({ options: { approve: "each" } }).start();
  const first = story.spawn({ role: "executor", paths: ["a.ts", "b.ts"] });
  story.review(first, [fileChange("a.ts"), fileChange("b.ts")]);
  const second = story.spawn({ role: "executor", paths: ["c.ts"] });
  story.review(second, [fileChange("c.ts", 1, "OUTSIDE_PATHS"), fileChange("b.ts", 1, "OUTSIDE_PATHS")]);
  expect(overlapsOf(story.state)).toEqual([{ agents: [first, second], path: "b.ts", fileCount: 1 }]);
});
