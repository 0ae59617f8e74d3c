import { expect, test } from "vitest";

import { axisTicks, stepFor } from "./axis.ts";
import { createScale } from "./scale.ts";

const start = Date.UTC(2026, 10, 30, 13, 54, 8);
const write = (at: number) => new Date(at).toISOString().slice(11, 19);
const extent = { from: start, until: start + 1_544_000 };

test("words stand at round moments, as close as there is room for", () => {
  const scale = createScale(extent, [], 0.0004);
  const words = axisTicks(scale, 0, scale.width, 0, write).filter(({ label }) => label !== "");
  expect(words.map(({ label }) => label)).toEqual([
    "13:56",
    "13:58",
    "14:00",
    "14:02",
    "14:04",
    "14:06",
    "14:08",
    "14:10",
    "14:12",
    "14:14",
    "14:16",
    "14:18",
  ]);
});

test("seconds are written where they differ", () => {
  const scale = createScale(extent, [], 0.02);
  expect(
    axisTicks(scale, 0, 300, 0, write)
      .filter(({ label }) => label !== "")
      .map(({ label }) => label),
  ).toEqual(["13:54:10", "13:54:15", "13:54:20"]);
});

test("hours are round where the person is, also half an hour off", () => {
  const scale = createScale({ from: start, until: start + 6 * 3_600_000 }, [], 0.00002);
  const [first] = axisTicks(scale, 0, scale.width, 5.5 * 3_600_000, (at) => write(at + 5.5 * 3_600_000)).filter(
    ({ label }) => label !== "",
  );
  expect(first?.label).toBe("20:00");
});

test("no tick stands inside a fold, and no word beside one", () => {
  const fold = { from: start + 300_000, until: start + 900_000 };
  const scale = createScale(extent, [fold], 0.0004);
  const ticks = axisTicks(scale, 0, scale.width, 0, write);
  const [place] = scale.folds;
  const middle = (place?.x ?? 0) + (place?.width ?? 0) / 2;
  expect({
    inside: ticks.filter(({ at }) => at > fold.from && at < fold.until),
    beside: ticks.filter(({ label, x }) => label !== "" && Math.abs(x - middle) < 46),
  }).toEqual({ inside: [], beside: [] });
});

test("far in, only what is seen is made", () => {
  const scale = createScale({ from: start, until: start + 86_400_000 }, [], 0.4);
  expect(axisTicks(scale, scale.width / 2, scale.width / 2 + 800, 0, write).length).toBeLessThan(20);
});

test("steps grow beyond a day", () => {
  expect(stepFor(42 / (3 * 86_400_000))).toBe(3 * 86_400_000);
});
