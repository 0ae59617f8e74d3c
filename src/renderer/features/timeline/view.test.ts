import { expect, test } from "vitest";

import { timeOf } from "./scale.ts";
import { panBy, panTo, seenIn, wholeView, zoomAt } from "./view.ts";

const extent = { from: 0, until: 1_000_000 };
const room = { extent, folds: [{ from: 300_000, until: 500_000 }], width: 800 };

test("zooming keeps the moment under the pointer where it is", () => {
  const before = timeOf(seenIn(wholeView, room).scale, 500);
  const zoomed = zoomAt(wholeView, room, 4, 500);
  const { scale, offset } = seenIn(zoomed, room);
  expect(Math.round(timeOf(scale, offset + 500) - before)).toBe(0);
});

test("zooming out ends at the whole", () => {
  expect(zoomAt(zoomAt(wholeView, room, 3, 100), room, 0.1, 100)).toBe(wholeView);
});

test("panning stops at both ends, and the whole cannot be panned", () => {
  const zoomed = zoomAt(wholeView, room, 4, 400);
  const { scale } = seenIn(zoomed, room);
  expect([panBy(zoomed, room, -99_999).offset, panBy(zoomed, room, 99_999).offset, panBy(wholeView, room, 50)]).toEqual(
    [0, scale.width - 800, wholeView],
  );
});

test("what is in sight needs no pan, what is not comes into sight", () => {
  const zoomed = panBy(zoomAt(wholeView, room, 6, 400), room, -99_999);
  const { scale, offset } = seenIn(panTo(zoomed, room, 900_000), room);
  const isSeen = timeOf(scale, offset) < 900_000 && timeOf(scale, offset + 800) > 900_000;
  expect([panTo(zoomed, room, 50_000) === zoomed, isSeen]).toEqual([true, true]);
});

test("a zoomed view stays where it is while the run grows", () => {
  const zoomed = zoomAt(wholeView, room, 5, 400);
  const grown = { ...room, extent: { ...extent, until: 1_060_000 } };
  const left = ({ scale, offset }: ReturnType<typeof seenIn>) => Math.round(timeOf(scale, offset));
  expect(left(seenIn(zoomed, grown))).toBe(left(seenIn(zoomed, room)));
});
