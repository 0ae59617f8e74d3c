// What `note` is asked for.

import { expect, test } from "vitest";

import { readNoteOrder } from "./noteCommands.ts";

test("a run alone lists, a text adds, a number takes back", () => {
  expect([
    readNoteOrder(undefined, {}),
    readNoteOrder("Use cents.", {}),
    readNoteOrder("It is odd.", { kind: "issue" }),
    readNoteOrder(undefined, { retract: "12" }),
  ]).toEqual([
    { act: "list" },
    { act: "add", kind: "decision", text: "Use cents." },
    { act: "add", kind: "issue", text: "It is odd." },
    { act: "retract", note: 12 },
  ]);
});

test.each([
  ["a text", "Use cents.", { retract: "12" }, /give no text/],
  ["no number", undefined, { retract: "x" }, /--retract takes a whole number/],
  ["a kind alone", undefined, { kind: "issue" }, /give its text/],
])("%s is a mistake beside the rest", (_what, text, flags, said) => {
  expect(() => readNoteOrder(text, flags)).toThrow(said);
});
