// What a line would hide is named.

import { expect, test } from "vitest";

import { isTreacherous, partsOf } from "./hiddenText.ts";

/** Text as it is, hidden characters in brackets, treacherous ones in two. */
const shown = (text: string) =>
  partsOf(text)
    .map(({ from, to, name, isTreacherous }) =>
      name === null ? text.slice(from, to) : isTreacherous ? `[[${name}]]` : `[${name}]`,
    )
    .join("");

test.each([
  ["const a = 1;\t// tab", "const a = 1;\t// tab"],
  ["", ""],
  ["if (a\u202e \u2066// ok\u2069 \u2066) {", "if (a[[U+202E]] [[U+2066]]// ok[[U+2069]] [[U+2066]]) {"],
  ["\u001b[31mred\u001b[0m\r", "[ESC][31mred[ESC][0m[CR]"],
  ["zero\u200bwidth \u00ad \ufeff \u{e0041}", "zero[U+200B]width [U+00AD] [U+FEFF] [U+E0041]"],
  ["日本 é 👩", "日本 é 👩"],
])("%j is shown as %j", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test("only what turns the direction of writing is treacherous", () => {
  expect(["a\u202eb", "a\u200bb", "abc"].map(isTreacherous)).toEqual([true, false, false]);
});
