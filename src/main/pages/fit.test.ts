import { expect, test } from "vitest";

import { excerptOf, fitPage, jsonBytes, shrinkToFit } from "./fit.ts";

const numbered = (ns: readonly number[]) => ns.map((n) => ({ n, text: "x".repeat(50) }));
const byOrdinal = ({ n }: { readonly n: number }) => n;

test("a page that fits stays as it is", () => {
  const page = { items: numbered([1, 2]), next: null };
  expect(fitPage(page, byOrdinal)).toBe(page);
});

test("a longer one ends between rows of different cursors, and goes on behind the last", () => {
  const page = { items: numbered([1, 2, 2, 3]), next: null };
  const fitting = fitPage(page, byOrdinal, 200);
  expect([fitting.items.map(byOrdinal), fitting.next]).toEqual([[1], 1]);
});

test("rows of one cursor are never parted, and a page is never empty", () => {
  const fitting = fitPage({ items: numbered([4, 4, 4, 5]), next: 9 }, byOrdinal, 10);
  expect([fitting.items.map(byOrdinal), fitting.next]).toEqual([[4, 4, 4], 4]);
});

test("an excerpt keeps beginning and end, and says what it leaves out", () => {
  const text = `${"a".repeat(50)}${"z".repeat(50)}`;
  expect(excerptOf(text, 8)).toBe(`aa\n… 92 characters left out …\nzzzzzz`);
  expect(excerptOf(text, 100)).toBe(text);
});

test("whatever a body holds, its texts are clipped until it fits, and nothing else of it changes", () => {
  const body = { n: 7, rows: [{ text: "\u0001".repeat(50_000) }, { text: "short" }], none: null };
  const fitting = shrinkToFit(body, 20_000);
  expect(jsonBytes(fitting)).toBeLessThanOrEqual(20_000);
  expect(fitting).toMatchObject({ n: 7, rows: [{}, { text: "short" }], none: null });
});
