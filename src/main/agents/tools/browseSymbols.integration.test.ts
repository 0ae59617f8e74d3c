// Outlines over real trees and a real thread: bounds, what was not looked into, and a thread that is ended.

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { supportedLanguages } from "../symbols/answer.ts";
import { languages } from "../symbols/languages.ts";
import { browseSymbols, outlineFiles } from "./browseSymbols.ts";
import { contextAt, makeTempFolder } from "./contextFixture.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;

async function put(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(temp.path, path)), { recursive: true });
    await writeFile(join(temp.path, path), content);
  }
}

beforeEach(async () => {
  temp = await makeTempFolder();
});
afterEach(() => temp.remove());

type Input = Parameters<typeof browseSymbols.run>[0];
const answer = (input: Input = {}) => browseSymbols.run(input, contextAt(temp.path));
const browse = async (input: Input = {}) => (await answer(input)).output.split("\n");

describe("browseSymbols", () => {
  test("answers path, line, kind and name, file by file, in the order of the text", async () => {
    await put({
      "b.py": "class Ledger:\n    def post(self):\n        pass\n",
      "a/c.ts": "export const limit = 1;\nexport function post() {}\n",
      "readme.md": "# post",
    });
    expect(await browse()).toEqual([
      "Outlined .: 4 symbols in 2 files.",
      "a/c.ts:1: constant limit",
      "a/c.ts:2: function post",
      "b.py:1: class Ledger",
      "b.py:2: method Ledger.post",
    ]);
  });

  test("takes a folder, a file and words of the name", async () => {
    await put({
      "a/x.go": "package a\nfunc ChargeWithRetry() {}\nfunc Charge() {}\n",
      "b/y.go": "package b\nfunc RetryCharge() {}\n",
    });
    expect(await browse({ query: "retry CHARGE" })).toEqual([
      'Outlined .: 2 symbols with "retry CHARGE" in the name in 2 files.',
      "a/x.go:2: function ChargeWithRetry",
      "b/y.go:2: function RetryCharge",
    ]);
    expect(await browse({ path: "a" })).toHaveLength(3);
    expect(await browse({ path: "b/y.go" })).toEqual([
      "Outlined b/y.go: 1 symbol in 1 file.",
      "b/y.go:2: function RetryCharge",
    ]);
  });

  test("describes the node's own root as it is now", async () => {
    await put({ "one/a.rb": "def first; end\n", "two/a.rb": "def second; end\n" });
    const at = async (root: string) => (await browseSymbols.run({}, contextAt(join(temp.path, root)))).output;
    expect(await at("one")).toContain("a.rb:1: function first");
    expect(await at("two")).toContain("a.rb:1: function second");
    await put({ "one/a.rb": "def third; end\n" });
    expect(await at("one")).toContain("a.rb:1: function third");
  });

  test("reads a broken file as far as it goes, and says that it is partial", async () => {
    await put({
      "a.ts": "export function good() {}\n<<<<<<< HEAD\nfunction bad( {\n=======\n}\nexport function late() {}\n",
    });
    const lines = await browse();
    expect(lines[0]).toContain("Partial: syntax errors, so symbols may be missing or misplaced, in 1 file (a.ts).");
    expect(lines).toContain("a.ts:1: function good");
  });

  test("names files of languages without a grammar, and never calls that nothing found", async () => {
    await put({ "a.kt": "fun main() {}", "b.vue": "<template />", "c.sh": "run() { :; }\n" });
    expect(await browse()).toEqual([
      "Outlined .: 1 symbol in 1 file. Not looked into, no grammar for the language: 2 files (a.kt, b.vue).",
      "c.sh:1: function run",
    ]);
    const refused = await answer({ path: "a.kt" });
    expect(refused).toMatchObject({ outcome: "failed", code: "UNSUPPORTED_LANGUAGE" });
    expect(refused.output).toContain("a.kt is in a language that symbols are not read from");
  });

  test("leaves out ignored files and does not follow a symlink; a path through one that leads outside is refused", async () => {
    const outside = await makeTempFolder();
    await writeFile(join(outside.path, "secret.ts"), "export function secret() {}\n");
    await put({ ".gitignore": "dist\n", "dist/a.js": "function built() {}\n", "a.js": "function own() {}\n" });
    await symlink(join(outside.path, "secret.ts"), join(temp.path, "link.ts"));
    await symlink(outside.path, join(temp.path, "folder"));
    expect(await browse()).toEqual(["Outlined .: 1 symbol in 1 file.", "a.js:1: function own"]);
    const codes = [await answer({ path: "link.ts" }), await answer({ path: "folder" }), await answer({ path: "../x" })];
    expect(codes.map(({ code }) => code)).toEqual(["PATH_SYMLINK", "PATH_SYMLINK", "PATH_OUTSIDE"]);
    expect(await browse({ path: "dist" })).toEqual([
      "Outlined dist: 1 symbol in 1 file. This folder is ignored by git; all of it was looked into.",
      "dist/a.js:1: function built",
    ]);
    await outside.remove();
  });

  test("says which files were too large or are not text, and reads other encodings", async () => {
    await put({
      "large.js": `function late() {}\n${" ".repeat(1024 * 1024)}`,
      "binary.js": new Uint8Array([0, 1, 2]),
      "wide.js": Buffer.from("\ufefffunction größe() {}\n", "utf16le"),
    });
    expect(await browse()).toEqual([
      "Outlined .: 1 symbol in 1 file. Not looked into, larger than 1 MB: 1 file (large.js). Not looked into, unreadable or not text: 1 file (binary.js).",
      "wide.js:1: function größe",
    ]);
    expect((await answer({ path: "large.js" })).code).toBe("FILE_TOO_LARGE");
  });

  test("stops at 300 symbols with a note", async () => {
    await put({ "a.js": Array.from({ length: 310 }, (_, index) => `function f${index}() {}`).join("\n") });
    const lines = await browse();
    expect(lines).toHaveLength(301);
    expect(lines[0]).toContain("Stopped at 300 symbols; more exist");
  });

  test("stays below 40 KB and says how many lines were left out", async () => {
    const folder = "long".repeat(50);
    await put({ [`${folder}/a.js`]: Array.from({ length: 300 }, (_, index) => `function f${index}() {}`).join("\n") });
    const { output } = await answer();
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(40_000);
    expect(output.split("\n")[0]).toMatch(/The last \d+ lines did not fit/u);
  });

  test("a file on which a parser would sit for minutes costs only itself", { timeout: 120_000 }, async () => {
    await put({ "a.js": "`${".repeat(20_000), "b.js": "function own() {}\n" });
    // The time of the whole outline is another's matter: a busy machine needs much of it to start the thread.
    const { output } = await outlineFiles({}, contextAt(temp.path), 110_000);
    expect(output.split("\n")).toEqual([
      "Outlined .: 1 symbol in 1 file. Not looked into, took longer than 2 s to parse: 1 file (a.js).",
      "b.js:1: function own",
    ]);
  });

  test("an outline over its time ends with its thread", async () => {
    await put({ "a.js": "{".repeat(1_000_000) });
    const threads = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const before = threads();
    const late = await outlineFiles({}, contextAt(temp.path), 200);
    expect(late.code).toBe("SYMBOLS_TIMEOUT");
    expect(threads()).toBe(before);
  });

  test("a cancel ends it", async () => {
    await put({ "a.js": "{".repeat(1_000_000) });
    const controller = new AbortController();
    const running = browseSymbols.run({}, contextAt(temp.path, { signal: controller.signal }));
    controller.abort();
    expect((await running).outcome).toBe("cancelled");
  });

  test("says where nothing is, and where there is no code", async () => {
    expect((await answer({ path: "none" })).code).toBe("NOT_FOUND");
    expect(await browse()).toEqual(["Outlined .: No symbol in 0 source files. searchText finds text of any kind."]);
  });
});

test("the languages that are named are those that have a grammar", () => {
  expect(languages.filter(({ name }) => !supportedLanguages.includes(name))).toEqual([]);
});
