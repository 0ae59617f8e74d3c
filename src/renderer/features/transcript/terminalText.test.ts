import { expect, test } from "vitest";

import { plainText } from "./terminalText.ts";

test("colours, cursor moves and links of a terminal leave no trace", () => {
  expect(plainText("\u001b[31mred\u001b[0m \u001b[2K\u001b]8;;http://evil\u0007link\u001b]8;;\u0007")).toBe("red link");
});

test("characters that would hide or reorder text are shown by their codes", () => {
  expect(plainText("a\u202eb\u0000c\u200bd\te\r\nf")).toBe("a⟨U+202E⟩b␀c⟨U+200B⟩d\te\nf");
});
