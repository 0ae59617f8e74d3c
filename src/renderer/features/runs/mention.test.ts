import { expect, test } from "vitest";

import { complete, mentionAt, mentionsIn } from "./mention.ts";

test("a mention begins behind a blank or a bracket, and ends at the caret", () => {
  expect([
    mentionAt("Look at @src/pay", 16),
    mentionAt("@", 1),
    mentionAt("(@a", 3),
    mentionAt("ada@example.org", 15),
    mentionAt("@done with it", 13),
  ]).toEqual([{ from: 8, typed: "src/pay" }, { from: 0, typed: "" }, { from: 1, typed: "a" }, null, null]);
});

test("a chosen file is written out and left behind; a chosen folder can be gone on with", () => {
  expect(complete("See @pa, then", { from: 4, typed: "pa" }, "src/pay.ts")).toEqual({
    text: "See @src/pay.ts , then",
    caret: 16,
  });
  expect(complete("See @s", { from: 4, typed: "s" }, "src/")).toEqual({ text: "See @src/", caret: 9 });
});

test("mentions are counted once each, without what ends a sentence", () => {
  expect(mentionsIn("Read @a.ts, then @b/c.ts. Again @a.ts! Mail ada@b.org")).toEqual(["a.ts", "b/c.ts"]);
});
