import { expect, test } from "vitest";

import { counted, countSteps, type Progress, progressWords } from "./progress.ts";

function toldOf(total: number, by: readonly number[]): readonly Progress[] {
  const told: Progress[] = [];
  const step = countSteps(total, "event", (progress) => told.push(progress));
  for (const one of by) step(one);
  return told;
}

test("progress is told at the beginning, at the end, a hundred times between them at most, and never past its total", () => {
  expect(toldOf(3, [1, 1, 5]).map(({ done }) => done)).toEqual([0, 1, 2, 3]);
  expect(toldOf(0, [1])).toEqual([]);
  const many = toldOf(
    12_345,
    Array.from({ length: 12_345 }, () => 1),
  );
  expect([many[0]?.done, many.at(-1)?.done, many.length <= 102]).toEqual([0, 12_345, true]);
});

test("what is walked is counted once it has been seen to, from the first step on", () => {
  const seen: (string | number)[] = [];
  const items = counted(["a", "b"], 2, "text", ({ done }) => seen.push(done));
  expect(seen).toEqual([]);
  for (const item of items) seen.push(item);
  expect(seen).toEqual([0, "a", 1, "b", 2]);
});

test.each([
  [{ done: 1_200, total: 5_000, unit: "event" }, "1,200 of 5,000 events"],
  [{ done: 0, total: 1, unit: "run" }, "0 of 1 run"],
  [{ done: 300_000, total: 2_097_152, unit: "byte" }, "0.3 of 2.0 MiB"],
] as const)("%j is %j", (progress, words) => {
  expect(progressWords(progress)).toBe(words);
});
