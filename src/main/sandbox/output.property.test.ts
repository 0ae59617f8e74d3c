import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectOutput } from "./output.ts";

const limits = { headChars: 40, tailChars: 40, limitBytes: 1e6 };
const text = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\r", "\n", "\r\n", "word "), maxLength: 300 });

describe("the output of a command", () => {
  it("does not depend on where the bytes are split", () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (whole, sizes) => {
        const bytes = Buffer.from(whole);
        const [once, pieces] = [collectOutput(limits), collectOutput(limits)];
        let streamed = "";
        once.write(bytes);
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          streamed += pieces.write(bytes.subarray(at, at + size));
          at += size;
        }
        expect([pieces.finish(), streamed]).toEqual([once.finish(), whole]);
      }),
    );
  });

  it("stays small whatever comes", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (chunks) => {
        const output = collectOutput(limits);
        for (const chunk of chunks) output.write(Buffer.from(chunk));
        const kept = output.finish();
        expect(kept.length).toBeLessThanOrEqual(40 + 40 + 60);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
  });
});
