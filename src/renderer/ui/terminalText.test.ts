import fc from "fast-check";
import { expect, test } from "vitest";

import { plainText, styledText } from "./terminalText.ts";

const shown = (text: string) =>
  styledText(text)
    .map(({ text }) => text)
    .join("");

test("[G14] colours stay, and clipboard, links, titles and cursor moves leave no trace", () => {
  const hostile = [
    "\u001b]52;c;cm0gLXJmIH4=\u0007",
    "\u001b]8;;file:///etc/passwd\u001b\\ok\u001b]8;;\u001b\\",
    "\n\u001b[31mFAIL\u001b[1A\u001b[2KPASS\u001b[0m",
    "\u001bP1;2|dcs\u001b\\\u009d0;title\u009c\u001bc",
  ].join("");
  expect(styledText(hostile)).toEqual([
    { text: "ok\n", classes: "" },
    { text: "FAILPASS", classes: "ansi-1" },
  ]);
  expect(plainText(hostile)).toBe("ok\nFAILPASS");
});

test("[G14] a control string that nobody ends takes a bounded piece of the text with it", () => {
  expect(plainText(`\u001b]0;${"x".repeat(10_000)}`).length).toBeGreaterThan(5_000);
});

test("colours of every kind become one of eight that both themes can read, and nothing can be concealed", () => {
  const sgr = (code: string) => styledText(`\u001b[${code}mx`)[0]?.classes;
  expect(
    ["31", "91", "38;5;9", "38;5;196", "38;2;250;10;20", "38;5;240", "1;4;32", "8", "30;40", "3;2"].map(sgr),
  ).toEqual([
    "ansi-1",
    "ansi-1",
    "ansi-1",
    "ansi-1",
    "ansi-1",
    "",
    "ansi-2 ansi-bold ansi-underlined",
    "",
    "ansi-0",
    "ansi-dim ansi-italic",
  ]);
});

test("characters that would hide or reorder text are shown by their codes", () => {
  expect(plainText("a\u202eb\u0000c\u200bd\te\r\nf\u00ad\u{e0041}")).toBe(
    "a⟨U+202E⟩b␀c⟨U+200B⟩d\te\nf⟨U+00AD⟩⟨U+E0041⟩",
  );
});

test("no text of any program leaves a control character, and its letters stay in order", () => {
  const piece = fc.constantFrom(
    "\u001b",
    "[",
    "]",
    "31m",
    "52;c;",
    "\u0007",
    "\u009b",
    "\\",
    "a",
    "b",
    "\n",
    "\u202e",
    ";",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      for (const out of [plainText(text), shown(text)])
        // Of all control characters, tab and line feed are left.
        expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }),
  );
});
