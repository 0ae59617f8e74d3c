// Explorations over real trees and a real thread. What each language resolves is tested in symbols/languages.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contextAt, makeTempFolder } from "./contextFixture.ts";
import { exploreCode, exploreSymbol } from "./exploreCode.ts";
import { parseArguments } from "./registry.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;

async function put(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(temp.path, path)), { recursive: true });
    await writeFile(join(temp.path, path), content);
  }
}

beforeEach(async () => {
  temp = await makeTempFolder();
});
afterEach(() => temp.remove());

type Input = Parameters<typeof exploreCode.run>[0];
const answer = (input: Input) => exploreCode.run(input, contextAt(temp.path));
const explore = async (input: Input) => (await answer(input)).output.split("\n");

const store = `export function save(text: string): void {
  write(text, () => save("again"));
}
export class Store {
  save(): void {}
}
`;
const use = `import { save as keep } from "./store.ts";
export function run(store: { save(): void }): void {
  keep("x"); // keep("y")
  store.save();
}
`;

describe("exploreCode", () => {
  test("answers definitions with what they call, callers, those by name only, and other references", async () => {
    await put({ "store.ts": store, "use.ts": use });
    expect(await explore({ symbol: "save" })).toEqual([
      "Explored save: 2 definitions, 2 callers, 1 possible caller, 1 other reference, 0 possible references in 2 source files. Resolved by syntax and scope, not by types.",
      "Definitions:",
      "store.ts:1: function save, to line 3",
      "    1\texport function save(text: string): void {",
      '    2\t  write(text, () => save("again"));',
      "    3\t}",
      "  calls, as written (line): write (2), save (2)",
      "store.ts:5: method Store.save",
      "    5\t  save(): void {}",
      "Callers:",
      'store.ts:2: write(text, () => save("again"));  [in save; of save]',
      'use.ts:3: keep("x"); // keep("y")  [in run; as keep; imported from ./store.ts; of save]',
      "Possible callers, by name only:",
      "use.ts:4: store.save();  [in run; of Store.save]",
      "Other references:",
      'use.ts:1: import { save as keep } from "./store.ts";  [at the top of the file; imported from ./store.ts; of save]',
    ]);
  });

  test("narrows to the definitions of an owner, however it is written", async () => {
    await put({ "store.ts": store, "use.ts": use });
    const heads = await Promise.all(
      ["Store.save", "Store::save", "Store#save()"].map(async (symbol) => (await explore({ symbol }))[0]),
    );
    expect(new Set(heads)).toEqual(
      new Set([
        "Explored save: 1 definition, 0 callers, 1 possible caller, 0 other references, 0 possible references in 2 source files. Resolved by syntax and scope, not by types.",
      ]),
    );
    expect((await explore({ symbol: "Shop.save" }))[0]).toContain(
      "None of them stands in Shop; all of that name are shown.",
    );
  });

  test("finds a name by its words and names the others that match", async () => {
    await put({ "a.py": "def charge_with_retry():\n    pass\ndef retry_charge_later():\n    pass\n" });
    const lines = await explore({ query: "Charge retry" });
    expect(lines[0]).toContain("Explored charge_with_retry: 1 definition");
    expect(lines.slice(-2)).toEqual(["Other names that match:", "a.py:3: retry_charge_later"]);
  });

  test("a name that is only used is shown by its uses, and one that is nowhere is not called missing", async () => {
    await put({ "a.js": 'import { readFile } from "node:fs";\nreadFile("x");\n', "b.kt": "fun other() {}" });
    expect(await explore({ symbol: "readFile" })).toEqual([
      expect.stringContaining("No definition of readFile was seen here: it may come from a package"),
      "Possible callers, by name only:",
      'a.js:2: readFile("x");  [at the top of the file; imported from node:fs]',
      "Possible references, by name only:",
      'a.js:1: import { readFile } from "node:fs";  [at the top of the file; imported from node:fs]',
    ]);
    const [head] = await explore({ symbol: "other" });
    expect(head).toContain("Not looked into, no grammar for the language: 1 file (b.kt).");
    expect((await answer({ symbol: "other", path: "b.kt" })).code).toBe("UNSUPPORTED_LANGUAGE");
  });

  test("keeps the languages apart", async () => {
    await put({
      "a.py": "def save():\n    pass\n",
      "b.js": "save();\n",
      "c.tsx": "export function save() { return <p />; }\n",
    });
    const lines = await explore({ symbol: "save" });
    expect(lines.filter((line) => line.startsWith("b.js"))).toEqual([
      "b.js:1: save();  [at the top of the file; of save]",
    ]);
    expect(lines).toContain("Possible callers, by name only:");
  });

  test("shows 40 excerpts, surest first, and counts what it left out", async () => {
    const calls = Array.from({ length: 60 }, (_, index) => `  save(${index});`);
    await put({
      "a.js": [
        "function save() {}",
        "class A {",
        "save() {}",
        "}",
        "function run(x) {",
        "x.save();",
        ...calls,
        "}",
      ].join("\n"),
    });
    const lines = await explore({ symbol: "save" });
    expect(lines.filter((line) => /^a\.js:\d+: /u.test(line))).toHaveLength(40);
    expect(lines).toContain("Callers (22 more left out: name a path):");
    expect(lines).toContain("Possible callers, by name only (1 more left out: name a path):");
  });

  test("cuts long lines round the name", async () => {
    await put({ "a.js": `function save() {}\n${"x;".repeat(5000)}save();${"y;".repeat(5000)}\n` });
    const hit = (await explore({ symbol: "save" })).find((line) => line.startsWith("a.js:2")) ?? "";
    expect(hit).toContain("save();");
    expect(hit.length).toBeLessThan(250);
  });

  test("is stopped after its time", async () => {
    await put({ "a.js": `save();${"{".repeat(900_000)}` });
    expect((await exploreSymbol({ symbol: "save" }, contextAt(temp.path), 200)).code).toBe("SYMBOLS_TIMEOUT");
  });

  test("wants either a symbol or a query", () => {
    const refused = [parseArguments(exploreCode, "{}"), parseArguments(exploreCode, '{"symbol":"a","query":"b"}')];
    expect(refused.map((parsed) => !parsed.ok && parsed.error.message.includes("give either symbol or query"))).toEqual(
      [true, true],
    );
  });
});
