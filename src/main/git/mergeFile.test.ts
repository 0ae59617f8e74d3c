// What is read of git's own marked output.

import { expect, test } from "vitest";

import { type Piece, piecesOf, type Sides } from "./mergeFile.ts";
import { resolvedBytes } from "./resolve.ts";

const sidesOf = (target: string, base: string, proposed: string): Sides => ({
  target: Buffer.from(target, "latin1"),
  base: Buffer.from(base, "latin1"),
  proposed: Buffer.from(proposed, "latin1"),
});
const shown = (pieces: readonly Piece[]) =>
  pieces.map((piece) =>
    piece.kind === "merged"
      ? piece.bytes.toString("latin1")
      : [piece.target, piece.base, piece.proposed].map((side) => side.toString("latin1")),
  );
const marked = (target: string, base: string, proposed: string, end = "\n") =>
  [`<<<<<<<< target`, target, `|||||||| base`, base, `========`, proposed, `>>>>>>>> proposed`]
    .map((part, index) => (index % 2 === 0 ? part + end : part))
    .join("");
const read = (text: string, sides: Sides) => piecesOf(Buffer.from(text, "latin1"), 8, sides);

test("merged lines and places follow each other, and shorter markers are lines like any other", () => {
  const text = `a\n${marked("=======\n", "", "x\n")}b\n${marked("", "y\n", ">>>>>>> proposed\n")}`;
  const pieces = read(text, sidesOf("a\n=======\nb\n", "a\nb\ny\n", "a\nx\nb\n>>>>>>> proposed\n"));
  expect(shown(pieces)).toEqual(["a\n", ["=======\n", "", "x\n"], "b\n", ["", "y\n", ">>>>>>> proposed\n"]]);
});

test("a last line without a line end keeps none, whatever git put behind it", () => {
  const text = `\xff\r\n${marked("t\r\n", "b\r\n", "p\r\n", "\r\n")}`;
  const pieces = read(text, sidesOf("\xff\r\nt", "\xff\r\nb\r\n", "\xff\r\np"));
  expect(shown(pieces)).toEqual(["\xff\r\n", ["t", "b\r\n", "p"]]);
  expect(resolvedBytes(pieces, ["both"])?.toString("latin1")).toBe("\xff\r\nt\r\np");
  const bare = read(marked("t\r\n", "", "p\n"), sidesOf("t\r", "", "p\n"));
  expect(shown(bare)).toEqual([["t\r", "", "p\n"]]);
});

test("every place takes what was picked there, and as many picks as places", () => {
  const text = `a\n${marked("1\n", "b\n", "2\n")}c\n${marked("3\n", "d\n", "4\n")}`;
  const pieces = read(text, sidesOf("a\n1\nc\n3\n", "a\nb\nc\nd\n", "a\n2\nc\n4\n"));
  const picked = (...picks: Parameters<typeof resolvedBytes>[1]) => resolvedBytes(pieces, picks)?.toString() ?? null;
  expect([
    picked("target", "proposed"),
    picked("both", "target"),
    picked({ text: "own" }, { text: "" }),
    picked("target"),
    picked("target", "target", "target"),
  ]).toEqual(["a\n1\nc\n4\n", "a\n1\n2\nc\n3\n", "a\nown\nc\n", null, null]);
});
