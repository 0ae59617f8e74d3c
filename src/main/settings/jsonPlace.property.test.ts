import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateInJson } from "./jsonPlace.ts";

const mark = "the value that is looked for";

/** A value with the mark somewhere in it, and the path to it. */
const marked = fc.letrec<{ readonly node: { readonly value: unknown; readonly path: readonly string[] } }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: "marked" },
    fc.constant({ value: mark, path: [] }),
    fc
      .tuple(tie("node"), fc.string(), fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }))
      .map(([inner, name, others]) => {
        const rest = Object.entries(others).filter(([key]) => key !== name);
        return { value: Object.fromEntries([...rest, [name, inner.value]]), path: [name, ...inner.path] };
      }),
    fc.tuple(tie("node"), fc.array(fc.jsonValue(), { maxLength: 3 })).map(([inner, before]) => ({
      value: [...before, inner.value],
      path: [String(before.length), ...inner.path],
    })),
  ),
})).node;

describe("a place in a JSON text", () => {
  it("is the line on which the value stands", () => {
    fc.assert(
      fc.property(marked, ({ value, path }) => {
        fc.pre(!path.includes("__proto__"));
        const text = JSON.stringify(value, null, 2);
        const line = text.split("\n")[locateInJson(text, path) - 1] ?? "";
        expect(line).toContain(mark);
      }),
    );
  });

  it("is the line of what stands around a member that is missing", () => {
    expect(locateInJson(`{\n  "a": {\n    "b": 1\n  }\n}`, ["a", "c"])).toBe(2);
  });
});
