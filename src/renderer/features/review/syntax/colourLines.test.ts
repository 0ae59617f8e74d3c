// Colours of code, line by line.

import { expect, test } from "vitest";

import { colourLines } from "./colourLines.ts";
import { colours } from "./colours.ts";
import { languageOf } from "./languages.ts";

const coloured = (text: string, language: string) =>
  colourLines(text, language).map((numbers, line) =>
    Array.from({ length: numbers.length / 3 }, (_, at) => {
      const [from = 0, to = 0, colour = 0] = numbers.slice(at * 3);
      return `${colours[colour]} ${text.split("\n")[line]?.slice(from, to)}`;
    }),
  );

test("each line has its own stretches, also of a comment or a string over several", () => {
  expect(coloured('/* a\n b */\nexport function f(): void {\n  return "x";', "typescript")).toEqual([
    ["comment /* a"],
    ["comment  b */"],
    ["keyword export", "keyword function", "function f", "type void"],
    ["keyword return", 'string "x"'],
  ]);
});

test("a language that is not known has no colours, and every line is there", () => {
  expect(colourLines("a\nb\n", "klingon")).toEqual([[], [], []]);
});

test.each([
  ["src/a.tsx", "typescript"],
  ["Makefile", "makefile"],
  ["a/.gitignore", null],
  ["LICENSE", null],
  ["x.constructor", null],
])("the language of %s is %s", (path, language) => {
  expect(languageOf(path)).toBe(language);
});
