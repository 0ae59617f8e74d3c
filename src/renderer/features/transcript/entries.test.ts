import { expect, test } from "vitest";

import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";
import { entriesOf, entriesWith, entryAt, layOut, subjectOf } from "./entries.ts";
import type { Entry } from "./entries.ts";

type Row = readonly [
  n: number,
  kind: TranscriptItem["kind"],
  title: string,
  text: string,
  state?: string,
  call?: string,
];
const items = (...rows: readonly Row[]): readonly TranscriptItem[] =>
  rows.map(([n, kind, title, text, state, call]) => ({
    n,
    at: n * 100,
    kind,
    title,
    text,
    ...(state === undefined ? {} : { state }),
    ...(call === undefined ? {} : { call }),
  }));

function brief(entry: Entry): string {
  switch (entry.kind) {
    case "turn":
      return `turn ${entry.number}`;
    case "card":
      return `${entry.tool} ${entry.state} ${entry.input?.text ?? "?"} → ${entry.output?.text ?? "?"} ${entry.durationMs ?? "-"}`;
    case "passage":
      return `${entry.item.kind} ${entry.item.text}`;
  }
}

const conversation = items(
  [1, "packet", "Packet", "Look."],
  [3, "note", "Reasoning", "Hm."],
  [3, "text", "", "I look."],
  [3, "call", "readFile", "a", "executed", "one"],
  [3, "call", "searchText", "b", "failed", "two"],
  [5, "answer", "searchText", "nothing", "failed", "two"],
  [6, "answer", "readFile", "content", "executed", "one"],
  [8, "call", "readFile", "c", "executed", "one"],
);

test("turns are numbered, and an answer joins its call", () => {
  expect(entriesOf(conversation, null).map(brief)).toEqual([
    "packet Look.",
    "turn 1",
    "note Hm.",
    "text I look.",
    "readFile executed a → content 300",
    "searchText failed b → nothing 200",
    "turn 2",
    "readFile executed c → ? -",
  ]);
});

test("a past moment holds nothing of later ones, not even how a call came out", () => {
  expect(entriesOf(conversation, 5).map(brief)).toEqual([
    "packet Look.",
    "turn 1",
    "note Hm.",
    "text I look.",
    "readFile open a → ? -",
    "searchText failed b → nothing 200",
  ]);
});

test("of two calls of one tool each gets its own answer, in whatever order they come", () => {
  const both = items(
    [1, "call", "readFile", "a", "executed", "one"],
    [1, "call", "readFile", "b", "executed", "two"],
    [2, "answer", "readFile", "of b", "executed", "two"],
    [3, "answer", "readFile", "of a", "executed", "one"],
  );
  expect(entriesOf(both, null).map(brief)).toEqual([
    "turn 1",
    "readFile executed a → of a 200",
    "readFile executed b → of b 100",
  ]);
});

test("an answer to no known call stands by itself", () => {
  expect(entriesOf(items([2, "answer", "readFile", "x", "executed", "gone"]), null).map(brief)).toEqual([
    "readFile executed ? → x -",
  ]);
});

test("a call is named by its texts, and what is no JSON stays as it was written", () => {
  const changes = [
    { kind: "replace", path: "a.ts" },
    { kind: "create", path: "b.ts" },
    { kind: "replace", path: "a.ts" },
  ];
  expect([subjectOf(JSON.stringify({ changes })), subjectOf('{"changes":[1,null,{"path":2}]}')]).toEqual([
    "a.ts  b.ts",
    '{"changes":[1,null,{"path":2}]}',
  ]);
  expect([subjectOf('{"path":"a.ts","limit":3}'), subjectOf("{broken"), subjectOf("[1]")]).toEqual([
    "a.ts",
    "{broken",
    "[1]",
  ]);
  expect([layOut('{"a":1}'), layOut("{broken")]).toEqual(['{\n  "a": 1\n}', "{broken"]);
});

test("each text knows its place in the journal: its event, and which of that event's rows it is", () => {
  const places = entriesOf(conversation, null).flatMap((entry) => {
    if (entry.kind === "turn") return [];
    const texts = entry.kind === "card" ? [entry.input, entry.output] : [entry.text];
    return [texts.map((text) => (text === null ? null : [text.n, text.row]))];
  });
  expect(places).toEqual([
    [[1, 0]],
    [[3, 0]],
    [[3, 1]],
    [
      [3, 2],
      [6, 0],
    ],
    [
      [3, 3],
      [5, 0],
    ],
    [[8, 0], null],
  ]);
});

test("an ordinal is found at the entry that was complete with it, words in any of an entry's texts", () => {
  const entries = entriesOf(conversation, null);
  expect([1, 3, 5, 6, 7, 99].map((n) => entryAt(entries, n))).toEqual([0, 2, 4, 4, 7, 7]);
  expect([entriesWith(entries, " CONTENT "), entriesWith(entries, "look"), entriesWith(entries, " ")]).toEqual([
    [4],
    [0, 3],
    [],
  ]);
});
