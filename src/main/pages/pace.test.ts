import { expect, test } from "vitest";

import type { Clock } from "../engine/ports/clock.ts";
import { createPace } from "./pace.ts";

/** A clock that the test moves. */
function createHandClock() {
  const timers = new Set<{ readonly at: number; readonly act: () => void }>();
  let now = 0;
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after(ms, act) {
      const timer = { at: now + ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const pass = (ms: number) => {
    now += ms;
    for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.act();
  };
  return { clock, pass };
}

test("acts at once, then at most once an interval, and never loses the last ask", () => {
  const { clock, pass } = createHandClock();
  const acts: number[] = [];
  const pace = createPace(clock, 100, () => acts.push(clock.now()));
  pace.ask();
  pace.ask();
  pace.ask();
  pass(100);
  pass(100);
  pace.ask();
  expect(acts).toEqual([0, 100, 200]);
});

test("what begins at different moments falls into step, and is never less than half an interval apart", () => {
  const { clock, pass } = createHandClock();
  const begin = () => {
    const acts: number[] = [];
    const pace = createPace(clock, 100, () => {
      acts.push(clock.now());
      pace.ask();
    });
    pace.ask();
    return acts;
  };
  const early = begin();
  pass(30);
  const middle = begin();
  pass(50);
  const late = begin();
  for (let count = 0; count < 22; count++) pass(10);
  expect({ early, middle, late }).toEqual({
    early: [0, 100, 200, 300],
    middle: [30, 100, 200, 300],
    late: [80, 200, 300],
  });
});

test("does nothing more once it was stopped", () => {
  const { clock, pass } = createHandClock();
  let count = 0;
  const pace = createPace(clock, 100, () => (count += 1));
  pace.ask();
  pace.ask();
  pace.stop();
  pass(100);
  pace.ask();
  expect(count).toBe(1);
});
