import { expect, test } from "vitest";

import type { Moment, MomentKind } from "../../../shared/contract/pages.ts";
import {
  longestPauseMs,
  markFrom,
  momentAt,
  nextFrame,
  ordinalAt,
  ordinalOfShare,
  shareOf,
  stepFrom,
} from "./position.ts";

function momentsOf(...rows: readonly (readonly [n: number, at: number, kind?: MomentKind])[]): readonly Moment[] {
  return rows.map(([n, at, kind = "event"]) => ({ n, at, kind, count: 1 }));
}
// 4 stands for the events 3 and 4.
const moments = momentsOf([1, 0, "message"], [2, 100], [4, 10_000, "spawn"], [5, 10_001], [6, 10_002, "stop"]);

test("an ordinal is shown by the first moment at or past it", () => {
  expect([0, 1, 2, 3, 4, 6, 9].map((n) => momentAt(moments, n))).toEqual([0, 0, 1, 2, 2, 4, 4]);
  expect(momentAt([], 3)).toBe(-1);
});

test("a time is shown by what had happened by then", () => {
  expect([-5, 0, 99, 100, 10_001, 99_999].map((at) => ordinalAt(moments, at))).toEqual([1, 1, 1, 2, 5, 6]);
});

test("steps stop at both ends, and marks are found past what is plain", () => {
  expect([stepFrom(moments, 1, -1), stepFrom(moments, 1, 1), stepFrom(moments, 6, 1)]).toEqual([1, 2, 6]);
  expect([
    markFrom(moments, 1, 1),
    markFrom(moments, 4, 1),
    markFrom(moments, 6, -1),
    markFrom(moments, 1, -1),
  ]).toEqual([4, 6, 4, 1]);
});

test("playback shortens idle time, takes moments of one instant together, and ends", () => {
  expect(nextFrame(moments, 1, 1)).toEqual({ n: 2, afterMs: 100 });
  expect(nextFrame(moments, 1, 2)).toEqual({ n: 2, afterMs: 50 });
  expect(nextFrame(moments, 2, 1)).toEqual({ n: 4, afterMs: longestPauseMs });
  expect(nextFrame(moments, 4, 1)).toEqual({ n: 6, afterMs: 2 });
  expect(nextFrame(moments, 6, 1)).toBeNull();
});

test("a share and its ordinal are two sides of one thing", () => {
  expect([1, 250, 812, 2_310].map((n) => ordinalOfShare(shareOf(n, 2_310), 2_310))).toEqual([1, 250, 812, 2_310]);
  expect([shareOf(1, 1), ordinalOfShare(0.25, 1), ordinalOfShare(7, 9)]).toEqual([1, 1, 9]);
});
