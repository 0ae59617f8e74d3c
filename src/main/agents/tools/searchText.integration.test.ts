// Listing and searching over real trees: ignore rules, bounds, and an expression that would never end.

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contextAt, makeTempFolder } from "./contextFixture.ts";
import { listFiles } from "./listFiles.ts";
import { searchFiles, searchText } from "./searchText.ts";

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

type Listing = Parameters<typeof listFiles.run>[0];
type Query = Parameters<typeof searchText.run>[0];
const list = async (input: Listing = {}) => (await listFiles.run(input, contextAt(temp.path))).output.split("\n");
const search = async (input: Query) => (await searchText.run(input, contextAt(temp.path))).output.split("\n");

describe("listFiles", () => {
  test("shows what git would, two levels deep, and says what it did not enter", async () => {
    await put({
      ".gitignore": "*.log\n/out/\n",
      "src/.gitignore": "!keep.log\ngenerated/\n",
      "a.log": "",
      "out/x.js": "",
      "src/keep.log": "",
      "src/drop.tmp": "",
      "src/generated/g.ts": "",
      "src/deep/er/file.ts": "",
      ".git/config": "",
      ".github/ci.yml": "",
    });
    await symlink("/etc", join(temp.path, "etc"));
    expect(await list()).toEqual([
      "Listed . (depth 2): 9 entries. 1 folder at the depth limit was not entered.",
      ".github/",
      ".github/ci.yml",
      ".gitignore",
      "etc (symlink)",
      "src/",
      "src/.gitignore",
      "src/deep/",
      "src/drop.tmp",
      "src/keep.log",
    ]);
  });

  test("with a glob shows only matching files, five levels deep", async () => {
    await put({ "a/b/c/d.ts": "", "a/b/e.js": "", "top.ts": "", "src/x/y.ts": "" });
    expect(await list({ glob: "*.ts" })).toEqual([
      "Listed . (*.ts, depth 5): 3 entries.",
      "a/b/c/d.ts",
      "src/x/y.ts",
      "top.ts",
    ]);
    expect(await list({ path: "a", glob: "b/**/*.ts" })).toEqual([
      "Listed a (b/**/*.ts, depth 5): 1 entry.",
      "a/b/c/d.ts",
    ]);
  });

  test("an ignored folder that is asked for by name is shown, and said to be ignored", async () => {
    await put({ ".gitignore": "node_modules\n", "node_modules/x/index.js": "" });
    expect(await list({ path: "node_modules/x" })).toEqual([
      "Listed node_modules/x (depth 2): 1 entry. This folder is ignored by git; all of it is shown.",
      "node_modules/x/index.js",
    ]);
  });

  test("stops at 500 entries with a note", async () => {
    await put(Object.fromEntries(Array.from({ length: 510 }, (_, index) => [`f${index}`, ""])));
    const lines = await list();
    expect(lines).toHaveLength(501);
    expect(lines[0]).toContain("Stopped at 500 entries");
  });

  test("refuses files and what is not there", async () => {
    await put({ a: "" });
    const codes = [
      await listFiles.run({ path: "a" }, contextAt(temp.path)),
      await listFiles.run({ path: "none" }, contextAt(temp.path)),
    ].map(({ code }) => code);
    expect(codes).toEqual(["NOT_A_DIRECTORY", "NOT_FOUND"]);
  });
});

describe("searchText", () => {
  test("answers path, line and text of each line that holds the query, taken literally", async () => {
    await put({ "a.ts": "x = f(1)\r\nnothing\ny = f(1)\n", "b/c.ts": "f(1)", "d.ts": "f11" });
    expect(await search({ query: "f(1)" })).toEqual([
      'Found 3 matching lines in 2 files for "f(1)".',
      "a.ts:1: x = f(1)",
      "a.ts:3: y = f(1)",
      "b/c.ts:1: f(1)",
    ]);
    expect(await search({ query: "a-b/c^[$]" })).toEqual([expect.stringContaining("Found nothing")]);
  });

  test("takes JavaScript expressions, globs, folders and single files", async () => {
    await put({ "a/x.ts": "alpha1\n", "a/y.js": "alpha2\n", "b/z.ts": "alpha3\n" });
    expect(await search({ query: String.raw`^alpha\d$`, regex: true, glob: "*.ts" })).toEqual([
      expect.any(String),
      "a/x.ts:1: alpha1",
      "b/z.ts:1: alpha3",
    ]);
    expect(await search({ query: "alpha", path: "a" })).toEqual([
      expect.any(String),
      "a/x.ts:1: alpha1",
      "a/y.js:1: alpha2",
    ]);
    expect(await search({ query: "alpha", path: "b/z.ts" })).toEqual([expect.any(String), "b/z.ts:1: alpha3"]);
  });

  test("leaves out ignored and binary files and .git, follows no symlink, and reads other encodings", async () => {
    await put({
      ".gitignore": "skip\n",
      "skip/a": "needle",
      ".git/x": "needle",
      bin: Buffer.concat([Buffer.from("needle"), Buffer.from([0])]),
      wide: Buffer.from("\ufeffneedle é\n", "utf16le"),
      latin: Buffer.from("needle \xe9\n", "latin1"),
    });
    await symlink("skip/a", join(temp.path, "link"));
    expect(await search({ query: "needle" })).toEqual([expect.any(String), "latin:1: needle é", "wide:1: needle é"]);
  });

  test("stops at maxResults and says so only when there is more", async () => {
    await put({ a: "x\nx\n", b: "x\n" });
    const cut = await search({ query: "x", maxResults: 2 });
    expect(cut).toHaveLength(3);
    expect(cut[0]).toContain("Stopped at 2: more lines match");
    expect((await search({ query: "x", maxResults: 3 }))[0]).not.toContain("Stopped");
  });

  test("cuts long lines round the match", async () => {
    await put({ a: `${"a".repeat(5000)}needle${"b".repeat(5000)}` });
    const [, hit = ""] = await search({ query: "needle" });
    expect(hit).toContain("needle");
    expect(hit.length).toBeLessThan(320);
  });

  test("an expression that would never end is stopped", async () => {
    await put({ a: `${"a".repeat(60)}!` });
    const answer = await searchFiles({ query: "^(a+)+$", regex: true }, contextAt(temp.path), 300);
    expect(answer.code).toBe("SEARCH_TIMEOUT");
  });

  test("a cancel ends a search that would never end", async () => {
    await put({ a: `${"a".repeat(60)}!` });
    const controller = new AbortController();
    const answer = searchFiles({ query: "^(a+)+$", regex: true }, contextAt(temp.path, { signal: controller.signal }));
    controller.abort();
    expect((await answer).outcome).toBe("cancelled");
  });

  test("refuses what is no expression, a query of two lines, and paths that are not there", async () => {
    const answers = [
      await searchText.run({ query: "(", regex: true }, contextAt(temp.path)),
      await searchText.run({ query: "a\nb" }, contextAt(temp.path)),
      await searchText.run({ query: "a", path: "none" }, contextAt(temp.path)),
    ];
    expect(answers.map(({ code }) => code)).toEqual(["BAD_REGEX", "BAD_QUERY", "NOT_FOUND"]);
  });
});
