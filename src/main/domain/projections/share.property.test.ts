// Sharing changes identity, never content.

import fc from "fast-check";
import { expect, test } from "vitest";

import { shareWith } from "./share.ts";

test("what is shared is equal to what was asked for, and what is equal is the same object", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (previous, next) => {
      expect(shareWith(previous, next)).toEqual(next);
      expect(shareWith(previous, structuredClone(previous))).toBe(previous);
    }),
    { numRuns: 1_000 },
  );
});

test("equal parts of unequal wholes are the same objects", () => {
  const previous = { rows: [{ id: 1 }, { id: 2 }], total: { count: 2 } };
  const next = shareWith(previous, { rows: [{ id: 1 }, { id: 3 }], total: { count: 2 } });
  expect([next.rows[0] === previous.rows[0], next.rows[1] === previous.rows[1], next.total === previous.total]).toEqual(
    [true, false, true],
  );
});
