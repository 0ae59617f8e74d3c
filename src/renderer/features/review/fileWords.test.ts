// Names, kinds and rights in words.

import { expect, test } from "vitest";

import { modeWords } from "./fileWords.ts";

test.each([
  [{ oldMode: "100644", newMode: "100644" }, null],
  [{ oldMode: "100644", newMode: "100755" }, "Becomes executable (100644 to 100755)."],
  [{ oldMode: "100755", newMode: "100644" }, "Is no longer executable (100755 to 100644)."],
  [{ oldMode: "100644", newMode: "120000" }, "A file becomes a symbolic link (100644 to 120000)."],
  [{ oldMode: "120000", newMode: "120000" }, "A symbolic link: the line is where it points to."],
  [{ oldMode: null, newMode: "160000" }, "A submodule: the line is the commit that it stands at."],
  [{ oldMode: null, newMode: "100755" }, "New, and executable."],
  [{ oldMode: null, newMode: "100644", withoutLines: "empty" as const }, "An empty file."],
  [{ oldMode: "100644", newMode: null, withoutLines: "empty" as const }, "It was empty."],
  [{ oldMode: null, newMode: null, from: "old.ts", withoutLines: "empty" as const }, "Renamed from old.ts to a.ts."],
])("%j is said as %j", ({ oldMode, newMode, ...more }, words) => {
  const { from, withoutLines } = { from: undefined, withoutLines: null, ...more };
  const file = from === undefined ? { path: "a.ts" } : { path: "a.ts", from };
  expect(modeWords(file, { oldMode, newMode, withoutLines })).toBe(words);
});
