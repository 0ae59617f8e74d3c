// Globs: what they match, and which ones are refused.

import { expect, test } from "vitest";
import { globParameter, makeGlobTest } from "./glob.ts";

test("a glob without a slash is about the name, one with a slash about the way from the root or the folder", () => {
  const paths = ["a.ts", "src/a.ts", "src/lib/b.ts", "src/.hidden.ts", "a.js", "q\n/r\ns.md"];
  const matching = (glob: string | undefined, from = ".") => paths.filter(makeGlobTest(glob, from));
  expect([
    matching("*.ts"),
    matching("src/*.ts"),
    matching("src/**"),
    matching("lib/*.ts", "src"),
    matching("*.md"),
    matching("**/*.md"),
    matching(undefined),
  ]).toEqual([
    ["a.ts", "src/a.ts", "src/lib/b.ts", "src/.hidden.ts"],
    ["src/a.ts", "src/.hidden.ts"],
    ["src/a.ts", "src/lib/b.ts", "src/.hidden.ts"],
    ["src/lib/b.ts"],
    ["q\n/r\ns.md"],
    ["q\n/r\ns.md"],
    paths,
  ]);
});

test("globs that a matcher could hang on are refused at the edge", () => {
  const accepted = (glob: string) => globParameter.safeParse(glob).success;
  expect(["**/*.test.ts", "src/**/a-*-*.ts", "{a,b}/**/*.{ts,tsx}"].map(accepted)).toEqual([true, true, true]);
  expect(["*a*a*a*a", "**/**/**/**/x", "x".repeat(201), ""].map(accepted)).toEqual([false, false, false, false]);
});
