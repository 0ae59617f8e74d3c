import fc from "fast-check";
import { expect, it } from "vitest";

import { fit, textWidth, wrap, wrapFacts } from "./layout.ts";

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(" ", "  ", "\n", "漢", "é", "👩‍🔬", "word", "a-very-long-word-without-a-space"),
      fc.string(),
    ),
  )
  .map((parts) => parts.join("").replace(/\p{Cc}(?<!\n)/gu, ""));
const width = fc.integer({ min: 4, max: 40 });

it("no line is wider than its room", () => {
  fc.assert(
    fc.property(text, width, (text, width) => {
      const lines = [
        ...wrap(text, width),
        ...wrapFacts(text.split("\n"), width, "·"),
        fit(text.replaceAll("\n", " "), width, "…"),
      ];
      expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
    }),
  );
});

it("wrapping loses nothing but white space", () => {
  const bare = (text: string) => text.replace(/\s+/gu, "");
  fc.assert(
    fc.property(text, width, (text, width) => {
      expect(bare(wrap(text, width).join(""))).toBe(bare(text));
    }),
  );
});
