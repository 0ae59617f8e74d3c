// However many marks there are, a pixel column is drawn once at most, and nothing that is there goes missing.

import fc from "fast-check";
import { expect, test } from "vitest";

import { emitBars, emitTicks } from "./columns.ts";
import { storyItem } from "./fixtures.ts";
import { buildLanes } from "./lanes.ts";
import type { Bars } from "./lanes.ts";
import { fitScale, xOf } from "./scale.ts";

const extent = { from: 0, until: 1_000_000 };

const turns = fc
  .array(fc.record({ pause: fc.integer({ min: 0, max: 3_000 }), lasts: fc.integer({ min: 1, max: 3_000 }) }), {
    minLength: 1,
    maxLength: 300,
  })
  .map((parts) => {
    let at = 0;
    return parts.map(({ pause, lasts }, index) => {
      at += pause + lasts;
      return storyItem({ n: index + 1, at: at - lasts, until: at });
    });
  });

function barsOf(items: Parameters<typeof buildLanes>[0]): Bars {
  const [lead] = buildLanes(items, []);
  if (lead === undefined) throw new Error("There is always the lead's lane.");
  return lead.turns;
}

test("bars never overlap, and every turn lies under one", () => {
  fc.assert(
    fc.property(turns, fc.integer({ min: 50, max: 2_000 }), (items, width) => {
      const scale = fitScale(extent, [], width);
      const drawn: (readonly [number, number])[] = [];
      emitBars(barsOf(items), scale, extent.from, extent.until, (left, right) => drawn.push([left, right]));
      const overlapping = drawn.filter(([left], index) => index > 0 && left < (drawn[index - 1]?.[1] ?? 0) - 0.001);
      const missing = items.filter(({ at }) => {
        const x = xOf(scale, at);
        return !drawn.some(([left, right]) => left - 0.001 <= x && x <= right + 0.001);
      });
      expect({ overlapping, missing }).toEqual({ overlapping: [], missing: [] });
    }),
  );
});

test("only what reaches into the window is drawn", () => {
  fc.assert(
    fc.property(
      turns,
      fc.integer({ min: 0, max: 500_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      (items, from, length) => {
        const scale = fitScale(extent, [], 1_000);
        let outside = 0;
        emitBars(barsOf(items), scale, from, from + length, (left, right) => {
          if (right < xOf(scale, from) - 0.001 || left > xOf(scale, from + length) + 0.001) outside += 1;
        });
        expect(outside).toBe(0);
      },
    ),
  );
});

test("a column has one tick at most, and each beginning has one in its column", () => {
  fc.assert(
    fc.property(turns, fc.integer({ min: 50, max: 2_000 }), (items, width) => {
      const scale = fitScale(extent, [], width);
      const columns: number[] = [];
      emitTicks(barsOf(items), scale, extent.from, extent.until, 1, (x) => columns.push(x));
      const wanted = new Set(items.map(({ at }) => Math.floor(xOf(scale, at))));
      expect([...columns]).toEqual([...wanted]);
    }),
  );
});
