import { expect, it } from "vitest";

import { fit, pad, padStart, textWidth, wrap, wrapFacts } from "./layout.ts";

it("counts what a terminal shows", () => {
  expect(["abc", "größe", "e\u0301", "漢字", "👩‍🔬", "● …"].map(textWidth)).toEqual([3, 5, 1, 4, 2, 3]);
});

it("cuts at the end, never inside a character", () => {
  expect([fit("abcdef", 6, "…"), fit("abcdefg", 6, "…"), fit("漢字漢字", 6, "…"), fit("abcdefg", 6, "...")]).toEqual([
    "abcdef",
    "abcde…",
    "漢字…",
    "abc...",
  ]);
});

it("fills columns by width", () => {
  expect([pad("漢", 4), padStart("7", 3), pad("long", 2)]).toEqual(["漢  ", "  7", "long"]);
});

it("breaks between words and keeps an indent", () => {
  expect(wrap("one two three\n\n  - four five\n\tx", 9)).toEqual([
    "one two",
    "three",
    "",
    "  - four",
    "  five",
    "    x",
  ]);
});

it("breaks a word that has no room", () => {
  expect(wrap("src/a/very/long/path.ts ok", 10)).toEqual(["src/a/very", "/long/path", ".ts ok"]);
});

it("breaks facts between facts, without a dot at an end", () => {
  expect(wrapFacts(["after subagent-1", "", "6 of 30 steps", "64 k tokens"], 32, "·")).toEqual([
    "after subagent-1 · 6 of 30 steps",
    "64 k tokens",
  ]);
});
