// Pieces of a drawn line.

import { expect, test } from "vitest";

import { changedWords, isSameButForSpace, spansOf } from "./spans.ts";

const marked = (text: string, words: readonly { readonly from: number; readonly to: number }[]) =>
  words.map(({ from, to }) => text.slice(from, to));

test("the words that two versions of a line do not share are marked, on both sides", () => {
  const [removed, added] = ["await store.insert(order.id, paid);", "await store.settle(key, paid);"];
  const words = changedWords(removed, added);
  expect([marked(removed, words.removed), marked(added, words.added)]).toEqual([
    ["insert", "order.id"],
    ["settle", "key"],
  ]);
});

test("lines that share nothing, and lines too long to compare, are not marked by word", () => {
  const long = "x ".repeat(2_000);
  expect([changedWords("one", "two"), changedWords(long, `${long}y`)]).toEqual([
    { removed: [], added: [] },
    { removed: [], added: [] },
  ]);
});

test("a line is cut at colours, changes and hidden characters, and loses nothing else", () => {
  const text = 'let a\u202e = "b";';
  const spans = spansOf(text, [{ from: 0, to: 3, colour: "keyword" }], [{ from: 1, to: 7 }]);
  expect(spans.map((span) => [span.text, span.colour, span.isChanged, span.isTreacherous])).toEqual([
    ["l", "keyword", false, false],
    ["et", "keyword", true, false],
    [" a", null, true, false],
    ["U+202E", null, true, true],
    [" ", null, true, false],
    ['= "b";', null, false, false],
  ]);
});

test("white space alone is told from other changes", () => {
  expect([
    isSameButForSpace("a  b", "a b"),
    isSameButForSpace("\ta", "  a\r"),
    isSameButForSpace("a", "a"),
    isSameButForSpace("a b", "a c"),
  ]).toEqual([true, true, false, false]);
});
