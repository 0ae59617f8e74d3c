import { expect, test } from "vitest";

import type { RunEvent } from "../events.ts";
import { momentsOf } from "./moments.ts";

function eventOf(n: number, isSpawn: boolean): RunEvent {
  return { n, at: n * 10, type: isSpawn ? "handoff.recorded" : "note.added", data: {} } as unknown as RunEvent;
}

test("a short journal has a stop at each of its events", () => {
  expect(momentsOf([eventOf(1, false), eventOf(2, true)], 5)).toEqual({
    total: 2,
    moments: [
      { n: 1, at: 10, kind: "event", count: 1 },
      { n: 2, at: 20, kind: "spawn", count: 1 },
    ],
  });
});

test("a long one keeps what is notable and merges the rest", () => {
  const events = Array.from({ length: 100 }, (_, index) => eventOf(index + 1, index === 49));
  const { moments } = momentsOf(events, 10);
  expect(moments.length).toBeLessThanOrEqual(10);
  expect(moments.filter(({ kind }) => kind === "spawn")).toEqual([{ n: 50, at: 500, kind: "spawn", count: 1 }]);
});
