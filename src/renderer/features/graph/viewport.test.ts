import { expect, test } from "vitest";

import { fitInto, keepInSight, openOnto, reveal, zoomBy } from "./viewport.ts";

const room = { width: 800, height: 400 };

test("zooming keeps what is under the pointer where it is, at any zoom", () => {
  const at = { x: 300, y: 120 };
  const before = { x: -50, y: 20, zoom: 0.5 };
  const world = (viewport: typeof before) => [(at.x - viewport.x) / viewport.zoom, (at.y - viewport.y) / viewport.zoom];
  const zoomed = [2, 0.5, 100, 0.001].map((factor) =>
    world(zoomBy(before, factor, at)).map((each) => Math.round(each * 1e6)),
  );
  expect(zoomed).toEqual(Array.from({ length: 4 }, () => world(before).map((each) => Math.round(each * 1e6))));
});

test("fitting shows all of it and never magnifies", () => {
  expect([fitInto({ width: 1_600, height: 400 }, room), fitInto({ width: 100, height: 100 }, room)]).toEqual([
    { x: 0, y: 0, zoom: 0.5 },
    { x: 0, y: 0, zoom: 1 },
  ]);
});

test("a graph too wide to be read whole opens at its end, a large one as an overview", () => {
  const extent = { width: 2_000, height: 300 };
  expect([openOnto(extent, room, 12), openOnto(extent, room, 60)]).toEqual([
    { x: -1_200, y: 0, zoom: 1 },
    { x: 0, y: 0, zoom: 0.4 },
  ]);
});

test("panning never loses the graph", () => {
  const extent = { width: 1_000, height: 500 };
  expect([
    keepInSight({ x: -9_999, y: -9_999, zoom: 1 }, extent, room),
    keepInSight({ x: 9_999, y: 9_999, zoom: 1 }, extent, room),
  ]).toEqual([
    { x: -910, y: -410, zoom: 1 },
    { x: 710, y: 310, zoom: 1 },
  ]);
});

test("what is in sight already is revealed without a move", () => {
  const viewport = { x: 0, y: 0, zoom: 1 };
  expect(reveal(viewport, { x: 100, y: 100, width: 200, height: 90 }, room)).toEqual(viewport);
});

test("what is out of sight is brought in whole", () => {
  const box = { x: 1_500, y: 900, width: 200, height: 90 };
  const { x, y } = reveal({ x: 0, y: 0, zoom: 1 }, box, room);
  const isInside = box.x + x >= 0 && box.x + box.width + x <= 800 && box.y + y >= 0 && box.y + box.height + y <= 400;
  expect(isInside).toBe(true);
});
