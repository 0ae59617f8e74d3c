import { expect, test } from "vitest";

import { shareEqual } from "./shareEqual.ts";

const clone = <T>(value: T): T => structuredClone(value);
const held = {
  at: 3,
  agents: [
    { id: 1, deps: ["a"] },
    { id: 2, deps: [] },
  ],
  budget: { used: 4, limit: null },
};

test("what has not changed stays the object that it was, and what has changed is new", () => {
  const next = { ...clone(held), at: 4, agents: [...clone(held.agents), { id: 3, deps: ["b"] }] };
  const shared = shareEqual(held, next);
  expect(shared).toEqual(next);
  expect(
    [shared.agents[0], shared.agents[1], shared.budget].map((part) =>
      [...Object.values(held), ...held.agents].includes(part as never),
    ),
  ).toEqual([true, true, true]);
  expect([shared === (held as unknown), shared.agents === held.agents]).toEqual([false, false]);
});

test("all of it is the same where nothing differs, and nothing where its shape does", () => {
  expect(shareEqual(held, clone(held))).toBe(held);
  const shorter = { ...clone(held), agents: clone(held.agents.slice(0, 1)) };
  expect(shareEqual(held, shorter)).toEqual(shorter);
  expect(shareEqual({ a: undefined }, { b: undefined })).toEqual({ b: undefined });
  expect([shareEqual([1], { 0: 1 }), shareEqual(null, [1]), shareEqual({}, null)]).toEqual([{ 0: 1 }, [1], null]);
});
