// Hunk ranges out of patch bytes.

import { expect, test } from "vitest";
import { parsePatch } from "./patch.ts";

const patch = (...lines: string[]) => parsePatch(Buffer.from(`${lines.join("\n")}\n`, "latin1"));

test("ranges without a count are of one line, and hunks are numbered in each file", () => {
  expect(
    patch(
      "diff --git a/x b/x",
      "index aa..bb 100644",
      "--- a/x",
      "+++ b/x",
      "@@ -1 +1,2 @@ fn",
      "-a",
      "+b",
      "+c",
      "@@ -9,0 +11 @@",
      "+d",
      "diff --git a/y b/y",
      "old mode 100644",
      "new mode 100755",
    ),
  ).toEqual([
    {
      ids: ["aa", "bb"],
      isBinary: false,
      hunks: [
        { number: 1, oldStart: 1, oldLines: 1, newStart: 1, newLines: 2 },
        { number: 2, oldStart: 9, oldLines: 0, newStart: 11, newLines: 1 },
      ],
      marks: ["-++", "+"],
      added: 3,
      removed: 1,
    },
    { ids: null, isBinary: false, hunks: [], marks: [], added: 0, removed: 0 },
  ]);
});

test("content that looks like a header is content", () => {
  const [section, ...others] = patch(
    "diff --git a/x b/x",
    "@@ -1,2 +1,2 @@",
    "-diff --git a/e b/e",
    "+@@ -1 +1 @@",
    " Binary files",
    "\\ No newline at end of file",
  );
  expect({ others, section }).toEqual({
    others: [],
    section: {
      ids: null,
      isBinary: false,
      hunks: [{ number: 1, oldStart: 1, oldLines: 2, newStart: 1, newLines: 2 }],
      marks: ["-+ "],
      added: 1,
      removed: 1,
    },
  });
});

test("a patch that ends inside a hunk is refused", () => {
  expect(() => patch("diff --git a/x b/x", "@@ -1,2 +1,2 @@", "-a")).toThrow("ends inside a hunk");
});
