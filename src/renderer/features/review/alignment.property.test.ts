// Lines are aligned without losing one, in order.

import fc from "fast-check";
import { expect, test } from "vitest";

import { alignBlock } from "./alignment.ts";

test("a changed line stands beside what it became, with what is new between", () => {
  const removed = ["  const paid = await charge(order.total);", "  await store.insert(order.id, paid);"];
  const added = [
    "  const key = keyFor(order);",
    "  const paid = await charge(order.total, {",
    "    key,",
    "  await store.settle(key, paid);",
  ];
  expect(alignBlock(removed, added).map((row) => [row.removed, row.added, row.isSame])).toEqual([
    [null, 0, false],
    [0, 1, true],
    [null, 2, false],
    [1, 3, true],
  ]);
});

const lines = fc.array(fc.constantFrom("a b c", "a b d", "x", "", "y z", "}"), { maxLength: 12 });

test("every line is there once and in its order, and only like lines are called the same", () => {
  fc.assert(
    fc.property(lines, lines, (removed, added) => {
      const rows = alignBlock(removed, added);
      const side = (name: "removed" | "added") => rows.map((row) => row[name]).filter((at) => at !== null);
      expect([side("removed"), side("added")]).toEqual([[...removed.keys()], [...added.keys()]]);
      expect(rows.filter((row) => row.isSame && (row.removed === null || row.added === null))).toEqual([]);
      expect(rows.filter((row) => row.removed === null && row.added === null)).toEqual([]);
    }),
  );
});

test("two blocks of thousands of lines are set side by side at once", () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `line ${at}`);
  expect(alignBlock(many, many)).toHaveLength(5_000);
});
