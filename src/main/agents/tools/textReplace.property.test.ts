// Replacement over texts of every shape: nothing but the edit changes, whatever it holds.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closeText, openText } from "./fileText.ts";
import { countChangedLines, findMatches, replaceMatch, withPlainEndings } from "./textReplace.ts";

const ending = fc.constantFrom("\n", "\r\n");
const word = fc.stringMatching(/^[a-c $&`'\\]{0,6}$/);
const lines = fc.array(fc.tuple(word, ending), { maxLength: 12 });
const mixedText = lines.map((rows) => rows.map(([text, end]) => text + end).join(""));

function replaceFirst(units: string, sought: string, fresh: string): string {
  const [match] = findMatches(units, sought);
  if (match === undefined) throw new Error("no match");
  return replaceMatch(units, match, fresh);
}

describe("replaceMatch", () => {
  test("takes every $ form literally", () => {
    const forms = fc
      .array(fc.constantFrom("$&", "$$", "$`", "$'", "$1", "$<x>", "\\", "$", "x"), { minLength: 1 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(forms, mixedText, mixedText, (fresh, before, after) => {
        expect(replaceFirst(`${before}@@${after}`, "@@", fresh)).toBe(`${before}${fresh}${after}`);
      }),
    );
  });

  test("changes one line of a mixed file and no other byte, whether the edit names the line with its ending or with its neighbours", () => {
    fc.assert(
      fc.property(lines, lines, ending, fc.boolean(), (before, after, end, withNeighbours) => {
        const head = before.map(([text, own]) => text + own).join("");
        const tail = after.map(([text, own]) => text + own).join("");
        const file = `${head}UNIQUE${end}${tail}`;
        const [around, behind] = withNeighbours ? [withPlainEndings(head), withPlainEndings(tail)] : ["", ""];
        expect(replaceFirst(file, `${around}UNIQUE\n${behind}`, `${around}CHANGED\n${behind}`)).toBe(
          `${head}CHANGED${end}${tail}`,
        );
      }),
    );
  });

  test("keeps the ending of each line that stays when lines are put between", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 2, maxLength: 10 }),
        fc.array(ending, { minLength: 10, maxLength: 10 }),
        fc.nat(9),
        (numbers, ends, at) => {
          const rows = numbers.map((number, index) => `line ${number}${ends[index] ?? "\n"}`);
          const place = at % numbers.length;
          const plain = numbers.map((number) => `line ${number}\n`);
          const fresh = plain.toSpliced(place, 0, "new one\n").join("");
          const result = replaceFirst(rows.join(""), plain.join(""), fresh);
          const kept = result.split(/(?<=\n)/u).filter((row) => !row.startsWith("new one"));
          expect(kept).toEqual(rows);
          expect(withPlainEndings(result)).toBe(fresh);
        },
      ),
    );
  });

  test("equals replacement over plain endings, endings aside", () => {
    fc.assert(
      fc.property(mixedText, mixedText, mixedText, (before, after, fresh) => {
        const result = replaceFirst(`${before}@@${after}`, "@@", fresh);
        expect(withPlainEndings(result)).toBe(
          withPlainEndings(before) + withPlainEndings(fresh) + withPlainEndings(after),
        );
      }),
    );
  });
});

test("all bytes come back from the text they were opened as", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]),
      (body, mark) => {
        const bytes = Buffer.concat([Buffer.from(mark), body]);
        const text = openText(bytes);
        expect(text === null ? bytes : closeText(text)).toEqual(bytes);
      },
    ),
  );
});

describe("findMatches", () => {
  test("counts overlapping places and names their lines", () => {
    expect(findMatches("x=1\ny\nx=1\n", "x=1").map(({ line }) => line)).toEqual([1, 3]);
    expect(findMatches("aaa", "aa")).toHaveLength(2);
  });

  test("sees through line endings on either side", () => {
    expect(findMatches("a\r\nb\r\n", "a\nb")).toEqual([{ start: 0, end: 4, line: 1, dropsNewline: false }]);
    expect(findMatches("a\nb\n", "a\r\nb")).toEqual([{ start: 0, end: 3, line: 1, dropsNewline: false }]);
  });

  test("forgives a final newline that the file lacks, at its end only", () => {
    expect(findMatches("one\ntwo", "two\n")).toEqual([{ start: 4, end: 7, line: 2, dropsNewline: true }]);
    expect(findMatches("two one", "two\n")).toEqual([]);
    expect(replaceFirst("one\ntwo", "two\n", "TWO\n")).toBe("one\nTWO");
  });
});

test("changed lines are counted without the ones that stay", () => {
  expect(countChangedLines("a\nb\nc\n", "a\nB\nB2\nc\n")).toEqual({ added: 2, removed: 1 });
});
