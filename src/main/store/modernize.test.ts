import { expect, test } from "vitest";

import { modernize } from "./modernize.ts";

const steps = { "note.added": { 1: () => ({ b: 2 }), 2: (data: unknown) => ({ ...(data as object), c: 3 }) } };

test("data of today's version is handed on as it is", () => {
  const data = { kind: "x", text: "y" };
  expect(modernize("note.added", 1, data)).toBe(data);
});

test("older data goes through every step in order", () => {
  expect([1, 2].map((version) => modernize("note.added", version, { a: 1 }, steps, 3))).toEqual([
    { b: 2, c: 3 },
    { a: 1, c: 3 },
  ]);
});

test("data of a newer build is refused", () => {
  expect(() => modernize("note.added", 2, {})).toThrow(expect.objectContaining({ code: "STORE_TOO_NEW" }));
});
