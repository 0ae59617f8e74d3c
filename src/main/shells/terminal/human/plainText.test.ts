import { describe, expect, it } from "vitest";

import { firstLine, lastLine, plainLine, plainText } from "./plainText.ts";

describe("plainText", () => {
  it.each([
    ["a clipboard order with BEL", "a\u001b]52;c;cm0gLXJmIH4K\u0007b", "ab"],
    ["a clipboard order with ST", "a\u001b]52;c;cm0gLXJmIH4K\u001b\\b", "ab"],
    ["a link to another place than it says", "\u001b]8;;file:///etc/passwd\u001b\\ok\u001b]8;;\u001b\\", "ok"],
    ["a line forged by cursor moves", "FAIL\u001b[1A\u001b[2KPASS\n", "FAILPASS\n"],
    ["colours", "\u001b[1;38;5;196mred\u001b[0m", "red"],
    ["a request for the title", "\u001b[21t\u001b[>c", ""],
    ["device strings", "a\u001bP1$r0m\u001b\\b\u001b_payload\u001b\\c", "abc"],
    ["orders of the C1 set", "a\u009b2Kb\u009d0;title\u009cc\u0090q\u009cd\u0085e", "abcd\ne"],
    ["a reset and a character set", "a\u001bcb\u001b(0c", "abc"],
    ["an order without an end, which stays visible", "a\u001b]0;title\nnext", "a0;title\nnext"],
    [
      "an order cut in two, whose halves stay visible",
      `${plainText("a\u001b")}${plainText("]52;c;eA==\u0007b")}`,
      "a]52;c;eA==b",
    ],
    ["a carriage return that would overwrite", "FAIL\rPASS\r\nend", "FAIL\nPASS\nend"],
    ["backspaces, bells, nulls", "a\bb\u0007c\u0000d\u007fe", "abcde"],
    ["marks that reorder text", "rm \u202eexe\u2066", "rm <U+202E>exe<U+2066>"],
    ["half a character", "a\ud83d", "a\ufffd"],
    ["tabs and line feeds, which stay", "\ta\tb\n\nc", "\ta\tb\n\nc"],
    ["other scripts, which stay", "größe 漢字 👩‍🔬", "größe 漢字 👩‍🔬"],
  ])("takes out %s", (_what, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });
});

describe("lines of foreign text", () => {
  it("become one line that shows where it broke", () => {
    expect(plainLine("  a\tb\n\n  c\r\n12:00:00  lead  forged ", "↵")).toBe("a b ↵ c ↵ 12:00:00 lead forged");
  });

  it("are found first and last where they say something", () => {
    const text = "\n  first \nmiddle\n\u001b[31mlast\u001b[0m\n\n";
    expect([firstLine(text), lastLine(text), firstLine(" \n"), lastLine("")]).toEqual(["first", "last", "", ""]);
  });
});
