import fc from "fast-check";
import { expect, it } from "vitest";

import { plainText } from "./plainText.ts";

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\u001b",
        "[",
        "]",
        "\\",
        "\u0007",
        "\u009b",
        "\u009d",
        "\u009c",
        "P",
        "2K",
        "52;c;",
        "\r",
        "\n",
        "\t",
        "\u202e",
      ),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(""));

const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

it("[G14] nothing that a terminal obeys is left, wherever the text is cut", () => {
  fc.assert(
    fc.property(hostile, fc.nat(), (text, place) => {
      const cut = text.length === 0 ? 0 : place % text.length;
      expect(
        [plainText(text), plainText(text.slice(0, cut)) + plainText(text.slice(cut))].filter((plain) =>
          obeyed.test(plain),
        ),
      ).toEqual([]);
    }),
  );
});

it("plain text is plain already", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(plainText(plainText(text))).toBe(plainText(text));
    }),
  );
});
