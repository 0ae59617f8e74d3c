// What lets the bundler give the symbols thread files of its own: it and the process that starts it share no code.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const here = import.meta.dirname;

/** Files reached from `start` through imports of values, from this folder; `start` is the first. */
function reach(start: string, isFollowed: (path: string) => boolean): string[] {
  const found = new Set([join(here, start)]);
  for (const path of found) {
    const text = readFileSync(path, "utf8");
    for (const [statement, source = ""] of text.matchAll(/(?:^import [^;]*?from|await import\()\s*"(\.[^"]+)"/gmu)) {
      const target = join(dirname(path), source);
      if (!statement.startsWith("import type") && isFollowed(target)) found.add(target);
    }
  }
  return [...found].map((path) => relative(here, path));
}

test("the thread runs files of this room only, and the process that starts it imports none of them", () => {
  const threadFiles = reach("worker.ts", () => true);
  const starterFiles = ["../tools/browseSymbols.ts", "../tools/exploreCode.ts"].flatMap((start) =>
    reach(start, (path) => !path.endsWith("/worker.ts")),
  );
  expect(threadFiles).toContain("grammars.ts");
  expect(starterFiles).toContain("ask.ts");
  expect(threadFiles.filter((path) => path.startsWith("..") || starterFiles.includes(path))).toEqual([]);
});

test("the thread's code holds no `require`, which the bundler would declare a second time", () => {
  const holding = reach("worker.ts", () => true).filter((path) =>
    /\b(?:const|let|function) require\b/u.test(readFileSync(join(here, path), "utf8")),
  );
  expect(holding).toEqual([]);
});
