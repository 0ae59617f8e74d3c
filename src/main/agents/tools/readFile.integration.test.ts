// What the model is shown of a file, and what is remembered of it.

import { mkdir, readFile as readBytes, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contextAt, makeTempFolder } from "./contextFixture.ts";
import { hashBytes } from "./fileText.ts";
import { readFile } from "./readFile.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;

beforeEach(async () => {
  temp = await makeTempFolder();
});
afterEach(() => temp.remove());

const put = (path: string, content: string | Uint8Array) => writeFile(join(temp.path, path), content);
const read = (path: string, startLine?: number, endLine?: number) =>
  readFile.run(
    { path, ...(startLine === undefined ? {} : { startLine }), ...(endLine === undefined ? {} : { endLine }) },
    contextAt(temp.path),
  );

test("shows numbered lines and says what they are, and records the hash of the whole file", async () => {
  await put("a.ts", "one\ntwo\nthree\n");
  expect(await read("a.ts", 2, 3)).toEqual({
    outcome: "executed",
    output: "Read a.ts: lines 2-3 of 3, utf-8, LF.\n    2\ttwo\n    3\tthree",
    seen: { "a.ts": hashBytes(Buffer.from("one\ntwo\nthree\n")) },
  });
});

test.each([
  [
    "UTF-8 with BOM",
    Buffer.from("\ufeffa\r\nb"),
    "lines 1-2 of 2, utf-8 with BOM, CRLF, no newline at the end",
    "    1\ta",
  ],
  ["mixed endings", Buffer.from("a\r\nb\nc\n"), "mixed line endings (1 CRLF, 2 LF)", "    1\ta"],
  ["UTF-16LE", Buffer.from("\ufeffä\r\n", "utf16le"), "utf-16le with BOM, CRLF", "    1\tä"],
  ["UTF-16BE", Buffer.from("\ufeffä\n", "utf16le").swap16(), "utf-16be with BOM, LF", "    1\tä"],
  ["other 8-bit text", Buffer.from([0xe9, 0x0a]), "not utf-8 (shown as latin-1", "    1\té"],
])("says the encoding and endings of %s", async (_, content, facts, line) => {
  await put("f", content);
  const { output } = await read("f");
  expect(output).toContain(facts);
  expect(output).toContain(line);
});

test("refuses what is not text, with its size", async () => {
  await put("b", Buffer.from([1, 0, 2]));
  await put("utf32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]));
  const answers = [await read("b"), await read("utf32")];
  expect(answers.map(({ code }) => code)).toEqual(["BINARY_FILE", "BINARY_FILE"]);
  expect(answers[0]?.output).toContain("3 bytes");
});

test("an empty file is said to be empty", async () => {
  await put("e", "");
  expect((await read("e")).output).toBe("Read e: the file is empty.");
});

test("cuts at 50 KB on a line and says how to go on, and going on reaches the end", async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1} ${"x".repeat(30)}`);
  await put("long", `${lines.join("\n")}\n`);
  const shown: string[] = [];
  let next: number | null = 1;
  while (next !== null) {
    const { output } = await read("long", next);
    expect(Buffer.byteLength(output)).toBeLessThan(75_000);
    shown.push(...output.split("\n").flatMap((row) => (/^ *\d+\t/u.test(row) ? [row.replace(/^ *\d+\t/u, "")] : [])));
    const match = /go on with startLine (\d+)\.$/u.exec(output);
    next = match === null ? null : Number(match[1]);
  }
  expect(shown).toEqual(lines);
});

test("shows the start of a line that is longer than all that fits", async () => {
  await put("wide", `${"x".repeat(200_000)}\nnext\n`);
  const { output } = await read("wide");
  expect(output).toContain("Line 1 is longer than 51200 bytes; only its start is shown. Go on with startLine 2.");
  expect(output.length).toBeLessThan(52_000);
  expect((await read("wide", 2)).output).toContain("    2\tnext");
});

test("a multi-byte character across two chunks is still UTF-8", async () => {
  await put("f", `${"x".repeat(256 * 1024 - 1)}é\nend\n`);
  const answer = await read("f", 2);
  expect(answer.output).toContain("lines 2-2 of 2, utf-8, LF");
  expect(answer.seen).toEqual({ f: hashBytes(await readBytes(join(temp.path, "f"))) });
});

test("reads a range of a file above 16 MB, and refuses one above 64 MB", async () => {
  await put("big", `${"0123456789abcde\n".repeat(1_100_000)}last\n`);
  expect((await read("big", 1_100_001)).output).toBe(
    "Read big: lines 1100001-1100001 of 1100001, utf-8, LF.\n1100001\tlast",
  );
  await put("huge", "");
  await truncate(join(temp.path, "huge"), 65 * 1024 * 1024);
  expect((await read("huge")).code).toBe("TOO_LARGE");
});

test("a missing file is answered with names that are near", async () => {
  await mkdir(join(temp.path, "src"));
  await put("src/userService.ts", "");
  await put("src/other.ts", "");
  const answer = await read("lib/userservise.ts");
  expect(JSON.parse(answer.output)).toEqual({
    error: {
      code: "NOT_FOUND",
      message: "There is no file lib/userservise.ts.",
      hint: "Did you mean src/userService.ts?",
    },
  });
});

test("lines that are not there, folders and ways out are refused", async () => {
  await put("f", "a\n");
  await mkdir(join(temp.path, "src"));
  await symlink("/etc/passwd", join(temp.path, "out"));
  const codes = [
    await read("f", 9),
    await read("f", 3, 2),
    await read("src"),
    await read("out"),
    await read("../f"),
    await read(".git/config"),
  ].map(({ code }) => code);
  expect(codes).toEqual(["OUT_OF_RANGE", "OUT_OF_RANGE", "IS_A_DIRECTORY", "PATH_SYMLINK", "PATH_OUTSIDE", "PATH_GIT"]);
});

test("a file read through a link is remembered under its own name", async () => {
  await put("real", "a\n");
  await symlink("real", join(temp.path, "link"));
  expect(Object.keys((await read("link")).seen ?? {})).toEqual(["real"]);
});
