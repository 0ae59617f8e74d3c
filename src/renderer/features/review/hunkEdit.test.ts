// The text of a hunk in an editor, and what lands of it.

import { expect, test } from "vitest";

import type { DiffRow } from "../../../shared/contract/pages.ts";
import { modelOf } from "./fileModel.ts";
import { editableOf, editorText, landingText, withEdits } from "./hunkEdit.ts";
import type { Editable } from "./hunkEdit.ts";

const row = (kind: DiffRow["kind"], text: string, line: number): DiffRow => ({
  kind,
  text,
  oldLine: kind === "added" ? null : line,
  newLine: kind === "removed" ? null : line,
  hunk: 1,
});
const hunkOf = (...rows: readonly DiffRow[]) => {
  const [hunk] = modelOf(rows).hunks;
  if (hunk === undefined) throw new Error("no hunk");
  return hunk;
};
const requireText = (editable: Editable) => {
  if (editable.kind !== "text") throw new Error(editable.why);
  return editable;
};

test.each([
  ["\n", ["a", "b"], "a\nb", "a\nx\n"],
  ["\r\n", ["a\r", "b\r"], "a\nb", "a\r\nx\r\n"],
])("an edit keeps the line ends of the file (%j)", (_end, [first = "", second = ""], text, landed) => {
  const editable = requireText(editableOf(hunkOf(row("context", first, 1), row("added", second, 2))));
  expect([editable.text, landingText("a\nx", editable), editorText(landed, editable)]).toEqual([text, landed, "a\nx"]);
});

test("a last line without a line end stays without one", () => {
  const noEnd = { kind: "noNewline", text: "", oldLine: null, newLine: null, hunk: 1 } as const;
  const editable = requireText(editableOf(hunkOf(row("removed", "a\n", 1), row("added", "b", 1), noEnd)));
  expect([landingText("c", editable), landingText("c\n", editable)]).toEqual(["c", "c\n"]);
});

test("what would come back otherwise than it went is not edited", () => {
  const why = (...rows: readonly DiffRow[]) => {
    const editable = editableOf(hunkOf(...rows));
    return editable.kind === "not" ? editable.why : "can be";
  };
  expect([
    why(row("added", "a\ufffd", 1)),
    why(row("added", "a\r", 1), row("added", "b", 2)),
    why({ ...row("added", "a", 1), cut: 5 }),
  ]).toEqual([
    "It holds bytes that are no UTF-8.",
    "Its line ends are of two kinds.",
    "It has a line that is too long to be edited here.",
  ]);
});

test("an edited hunk is shown as it will land, its lines not to be decided singly", () => {
  const model = modelOf([row("context", "a", 1), row("removed", "b", 2), row("added", "B", 2)]);
  const [edited] = withEdits(model, new Map([[1, "a\nBB\n"]])).hunks;
  expect(edited?.rows.map((one) => [one.row.kind, one.row.text, one.change, one.at < 0])).toEqual([
    ["context", "a", null, true],
    ["removed", "b", null, true],
    ["added", "BB", null, true],
  ]);
});
