import fc from "fast-check";
import { expect, test } from "vitest";

import type { RunEvent } from "../events.ts";
import { momentsOf } from "./moments.ts";

function eventOf(n: number, isSpawn: boolean): RunEvent {
  return { n, at: n * 10, type: isSpawn ? "handoff.recorded" : "note.added", data: {} } as unknown as RunEvent;
}

test("whatever the journal, stops are bounded, in order, end with it, and count every event once", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 400 }), fc.integer({ min: 1, max: 60 }), (kinds, max) => {
      const { total, moments } = momentsOf(
        kinds.map((isSpawn, index) => eventOf(index + 1, isSpawn)),
        max,
      );
      expect(moments.length).toBeLessThanOrEqual(max);
      expect(moments.reduce((sum, { count }) => sum + count, 0)).toBe(total);
      expect(moments.at(-1)?.n ?? 0).toBe(total);
      expect(moments.every((moment, index) => moment.n > (moments[index - 1]?.n ?? 0))).toBe(true);
    }),
  );
});
