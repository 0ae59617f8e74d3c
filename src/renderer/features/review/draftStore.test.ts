// Drafts of reviews in a storage.

import { expect, test } from "vitest";

import { emptyDraft } from "./draft.ts";
import { keepDraft, loadDraft } from "./draftStore.ts";
import type { DraftStorage } from "./draftStore.ts";

function storageOf(entries = new Map<string, string>()): DraftStorage & { readonly entries: Map<string, string> } {
  return {
    entries,
    get length() {
      return entries.size;
    },
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
    key: (index) => [...entries.keys()][index] ?? null,
  };
}

test("a draft is kept under its change set, and one that is empty again is forgotten", () => {
  const storage = storageOf();
  const draft = { ...emptyDraft, message: "Say it in German" };
  keepDraft(storage, "r1 subagent-1.1", draft, 5);
  expect([loadDraft(storage, "r1 subagent-1.1"), loadDraft(storage, "r1 subagent-1.2")]).toEqual([draft, emptyDraft]);
  keepDraft(storage, "r1 subagent-1.1", emptyDraft, 6);
  expect(storage.entries.size).toBe(0);
});

test("the newest drafts are kept, and nothing else in the storage is touched", () => {
  const storage = storageOf(new Map([["coppice.other", "1"]]));
  for (let at = 1; at <= 60; at += 1) keepDraft(storage, `run ${at}`, { ...emptyDraft, message: String(at) }, at);
  expect([
    storage.entries.size,
    storage.getItem("coppice.other"),
    loadDraft(storage, "run 20").message,
    loadDraft(storage, "run 21").message,
  ]).toEqual([41, "1", "", "21"]);
});

test("a storage that refuses keeps nothing, and that is no failure", () => {
  const full = {
    ...storageOf(),
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  expect(() => keepDraft(full, "run", { ...emptyDraft, message: "x" }, 1)).not.toThrow();
});
