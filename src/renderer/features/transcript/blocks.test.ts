import fc from "fast-check";
import { expect, test } from "vitest";

import { blocksOf } from "./blocks.ts";

test("paragraphs, lists and fenced code are told apart", () => {
  const text =
    "I looked.\nTwice.\n\n- one\n  goes on\n- two\n1. first\n2) second\n```ts\nconst a = 1;\n\n- no item\n```\nDone.";
  expect(blocksOf(text)).toEqual([
    { kind: "paragraph", text: "I looked.\nTwice." },
    { kind: "list", isOrdered: false, items: ["one\ngoes on", "two"] },
    { kind: "list", isOrdered: true, items: ["first", "second"] },
    { kind: "code", text: "const a = 1;\n\n- no item" },
    { kind: "paragraph", text: "Done." },
  ]);
});

test("a fence that nobody closes is code to the end", () => {
  expect(blocksOf("~~~\nrm -rf")).toEqual([{ kind: "code", text: "rm -rf" }]);
});

test("no word of any text goes missing", () => {
  const line = fc.constantFrom("alpha", "- beta", "1. gamma", "  delta", "", "```", "# eps", "<b>zeta</b>");
  const letters = (text: string) => text.replace(/[^a-z<>/]/g, "");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const shown = blocksOf(lines.join("\n")).flatMap((block) => (block.kind === "list" ? block.items : [block.text]));
      expect(letters(shown.join(""))).toBe(letters(lines.join("\n")));
    }),
  );
});
