// Time and place are two sides of one thing, with idle time folded or without.

import fc from "fast-check";
import { expect, test } from "vitest";

import { findFolds, longestIdleMs } from "./folds.ts";
import type { Span } from "./folds.ts";
import { storyItem } from "./fixtures.ts";
import { createScale, fitScale, padding, timeOf, xOf } from "./scale.ts";

const start = Date.UTC(2026, 10, 30, 13);

/** An extent with what was worked in it. */
const works = fc
  .array(fc.record({ pause: fc.integer({ min: 0, max: 400_000 }), lasts: fc.integer({ min: 0, max: 200_000 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((parts) => {
    let at = start;
    const items = parts.map(({ pause, lasts }, index) => {
      at += pause;
      return storyItem({ n: index + 1, at, until: at + lasts });
    });
    const until = Math.max(...items.map((item) => item.until ?? 0)) + 100_000;
    return { items, extent: { from: start, until }, folds: findFolds(items, { from: start, until }) };
  });

test("a moment's place is that moment's again", () => {
  fc.assert(
    fc.property(
      works,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 200, max: 4_000 }),
      (work, share, room) => {
        const scale = fitScale(work.extent, work.folds, room);
        const time = work.extent.from + share * (work.extent.until - work.extent.from);
        expect(Math.abs(timeOf(scale, xOf(scale, time)) - time)).toBeLessThan(1);
      },
    ),
  );
});

test("later is never further left, and the whole fills its room", () => {
  fc.assert(
    fc.property(works, fc.integer({ min: 200, max: 4_000 }), ({ extent, folds }, room) => {
      const scale = fitScale(extent, folds, room);
      const places = Array.from({ length: 200 }, (_, step) =>
        xOf(scale, extent.from + ((extent.until - extent.from) * step) / 199),
      );
      expect({
        isOrdered: places.every((x, index) => index === 0 || x >= (places[index - 1] ?? 0)),
        first: places[0],
        last: Math.round(places.at(-1) ?? 0),
      }).toEqual({ isOrdered: true, first: padding.left, last: room - padding.right });
    }),
  );
});

test("a fold hides no work, and no idle time that is long stays unfolded", () => {
  fc.assert(
    fc.property(works, ({ items, extent, folds }) => {
      const hides = (fold: Span) => items.some(({ at, until }) => at < fold.until && (until ?? Infinity) > fold.from);
      const edges = [extent.from, ...items.flatMap(({ at, until }) => [at, until ?? at]), extent.until].toSorted(
        (a, b) => a - b,
      );
      const isBusy = (time: number) => items.some(({ at, until }) => at < time && (until ?? Infinity) > time);
      const unfolded = edges.filter((edge, index) => {
        const next = edges[index + 1] ?? edge;
        const middle = (edge + next) / 2;
        return (
          next - edge > longestIdleMs &&
          !isBusy(middle) &&
          !folds.some(({ from, until }) => from < middle && middle < until)
        );
      });
      expect({ hiding: folds.filter(hides), unfolded }).toEqual({ hiding: [], unfolded: [] });
    }),
  );
});

test("at a fixed scale, a fold keeps its width", () => {
  const folds = [{ from: start + 60_000, until: start + 600_000 }];
  const widths = [0.001, 0.01, 0.1].map((pxPerMs) => {
    const scale = createScale({ from: start, until: start + 700_000 }, folds, pxPerMs);
    return Math.round(xOf(scale, start + 600_000) - xOf(scale, start + 60_000));
  });
  expect(widths).toEqual([28, 28, 28]);
});
