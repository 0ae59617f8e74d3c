import { expect, test } from "vitest";

import { fitBounds } from "./windowState.ts";

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const screen = { x: 1440, y: 0, width: 2560, height: 1440 };

test("a window opens where it stood, on whichever display that was", () => {
  const saved = { x: 1600, y: 100, width: 1800, height: 1200 };
  expect(fitBounds(saved, [laptop, screen])).toEqual(saved);
});

test("a window whose display is gone, or that cannot be taken hold of, opens as at first", () => {
  const lost = [
    { x: 1600, y: 100, width: 1800, height: 1200 },
    { x: 1400, y: 100, width: 1000, height: 700 },
    { x: 100, y: 880, width: 1000, height: 700 },
    { x: 100, y: -600, width: 1000, height: 700 },
  ];
  for (const saved of lost) expect(fitBounds(saved, [laptop])).toEqual({ width: 1440, height: 875 });
  expect(fitBounds(null, [])).toEqual({ width: 1440, height: 900 });
});

test("a window is never larger than its display, nor too small to be used", () => {
  expect(fitBounds({ x: 0, y: 25, width: 9_000, height: 9_000 }, [laptop])).toEqual(laptop);
  expect(fitBounds({ x: 10, y: 30, width: 130, height: 50 }, [laptop])).toEqual({
    x: 10,
    y: 30,
    width: 480,
    height: 360,
  });
});
