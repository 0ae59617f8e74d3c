import { expect, test } from "vitest";

import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";
import { pendingOf } from "./outbox.ts";

const person = (n: number, text: string): TranscriptItem => ({ n, at: n, kind: "person", title: "a person", text });

test("what was sent is pending until the journal shows it, once for each time it was sent", () => {
  const sent = [
    { text: "Faster.", after: 4 },
    { text: "Faster.", after: 4 },
    { text: "Stop there.", after: 4 },
  ];
  const texts = (items: readonly TranscriptItem[]) => pendingOf(sent, items).map(({ text }) => text);
  expect([
    texts([person(3, "Faster."), { ...person(6, "Faster."), kind: "text" }]),
    texts([person(5, "Faster.")]),
    texts([person(5, "Faster."), person(6, "Stop there."), person(7, "Faster.")]),
  ]).toEqual([["Faster.", "Faster.", "Stop there."], ["Faster.", "Stop there."], []]);
});

test("a long text is known by its beginning, since its row is clipped", () => {
  const text = "x".repeat(20_000);
  expect(pendingOf([{ text, after: 1 }], [person(2, `${text.slice(0, 16_000)}… (4000 more)`)])).toEqual([]);
});
