import { expect, test } from "vitest";

import { keepDraft, recallDraft } from "./drafts.ts";

function storageOf(text: string | null = null): Storage {
  let held = text;
  return {
    getItem: () => held,
    setItem: (_key: string, next: string) => void (held = next),
  } as unknown as Storage;
}

test("a draft is found again under its own name, and an empty one is forgotten", () => {
  const storage = storageOf();
  keepDraft(storage, "run/lead", { text: "And\nnow?", commandId: "c1" }, 1);
  keepDraft(storage, "run/subagent-1", { text: "Wait.", commandId: null }, 2);
  keepDraft(storage, "run/subagent-1", { text: "", commandId: null }, 3);
  expect([recallDraft(storage, "run/lead"), recallDraft(storage, "run/subagent-1")]).toEqual([
    { text: "And\nnow?", commandId: "c1", at: 1 },
    { text: "", commandId: null },
  ]);
});

test("the newest fifty are kept", () => {
  const storage = storageOf();
  for (let number = 0; number < 60; number++)
    keepDraft(storage, `run/${number}`, { text: "x", commandId: null }, number);
  expect([9, 10, 59].map((number) => recallDraft(storage, `run/${number}`).text)).toEqual(["", "x", "x"]);
});

test.each(["{broken", "[]", "null", '{"run/lead":{"text":5,"at":1}}', '{"run/lead":"x"}'])(
  "what another hand wrote is no draft: %s",
  (text) => {
    expect(recallDraft(storageOf(text), "run/lead").text).toBe("");
  },
);

test("a storage that is full keeps nothing and stops nobody", () => {
  const full = storageOf();
  full.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  expect(() => keepDraft(full, "run/lead", { text: "x", commandId: null }, 1)).not.toThrow();
});
