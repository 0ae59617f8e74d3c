import { expect, test } from "vitest";

import type { Moment } from "../../../shared/contract/pages.ts";
import { paceOf } from "./pace.ts";

const moment = (n: number, at: number, count = 1): Moment => ({ n, at, kind: "event", count });

test("what happened fast is high, what took long is low, and where nothing was written there is nothing", () => {
  const quick = Array.from({ length: 10 }, (_, index) => moment(index + 1, index * 20));
  const slow = [moment(11, 60_000), moment(12, 120_000)];
  const [first, second, third] = paceOf([...quick, ...slow, moment(40, 120_010)], 40, 4);
  expect(first).toBeGreaterThan(0.9);
  expect(second).toBeLessThan(0.5);
  expect(third).toBe(0);
});

test("a merged moment counts for all of its events, and no journal has no height", () => {
  const [one] = paceOf([moment(1, 0), moment(2, 1_000)], 2, 1);
  const [many] = paceOf([moment(1, 0), moment(40, 1_000, 39)], 40, 1);
  expect(many).toBeGreaterThan(one ?? 1);
  expect(paceOf([], 0, 3)).toEqual([0, 0, 0]);
});
