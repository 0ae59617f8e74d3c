// Clipped texts keep to their bounds and are beginnings of the whole.

import fc from "fast-check";
import { expect, test } from "vitest";

import { clipBytes } from "./clip.ts";

test("a text clipped by bytes fits, is a beginning of the whole, and is whole where that fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 3, max: 80 }), (text, max) => {
      const clipped = clipBytes(text, max);
      expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(max);
      expect(clipped === text).toBe(Buffer.byteLength(text) <= max);
      expect(clipped === text || (text.startsWith(clipped.slice(0, -1)) && clipped.endsWith("…"))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
