import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { onBeat } from "./beat.ts";

beforeEach(() => void vi.useFakeTimers({ now: 250 }));
afterEach(() => void vi.useRealTimers());

test("all who listen at one pace are told by one timer, on the multiples of it, until none is left", () => {
  const told: string[] = [];
  const listen = (name: string, everyMs: number) => onBeat(everyMs, (now) => told.push(`${name} ${now}`));
  const first = listen("first", 1_000);
  vi.advanceTimersByTime(500);
  const second = listen("second", 1_000);
  expect(vi.getTimerCount()).toBe(1);
  const slow = listen("slow", 3_000);
  vi.advanceTimersByTime(1_300);
  first();
  vi.advanceTimersByTime(1_000);
  second();
  slow();
  vi.runAllTimers();
  expect(told).toEqual(["first 1000", "second 1000", "first 2000", "second 2000", "slow 3000", "second 3000"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("who comes back after the last has gone hears one beat at a time", () => {
  const told: number[] = [];
  onBeat(1_000, (now) => told.push(now))();
  const end = onBeat(1_000, (now) => told.push(now));
  vi.advanceTimersByTime(2_000);
  end();
  expect(told).toEqual([1_000, 2_000]);
});
