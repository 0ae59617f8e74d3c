import fc from "fast-check";
import { expect, test } from "vitest";

import { maxContentChars } from "../../shared/contract/content.ts";
import { maxMessageBytes } from "../../shared/contract/channels.ts";
import { jsonBytes } from "./fit.ts";
import { pieceOf } from "./contents.ts";

test("the pieces of a text make up the text, and each fits into a message without half a character", () => {
  const character = fc.constantFrom("a", "\u0000", "é", "漢", "🌳");
  const longText = fc.tuple(fc.array(character, { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 20_000 }));
  fc.assert(
    fc.property(longText, ([characters, count]) => {
      const text = characters.join("").repeat(count);
      let read = "";
      for (let after: number | null = 0; after !== null;) {
        const piece = pieceOf(text, after);
        expect(piece.text.isWellFormed() && jsonBytes(piece) < maxMessageBytes).toBe(true);
        expect(piece.text.length).toBeLessThanOrEqual(maxContentChars);
        read += piece.text;
        after = piece.next;
      }
      expect(read === text).toBe(true);
    }),
    { numRuns: 30 },
  );
});
