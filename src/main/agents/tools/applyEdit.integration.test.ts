// The edit tool on real files: what it changes, what it refuses, and what it leaves alone.

import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile, lstat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyEdit } from "./applyEdit.ts";
import type { EditChange } from "./editStage.ts";
import { contextAt, makeTempFolder } from "./contextFixture.ts";
import { hashBytes } from "./fileText.ts";
import { readFile as readFileTool } from "./readFile.ts";
import type { ToolContext } from "./tool.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;
let root: string;

beforeEach(async () => {
  temp = await makeTempFolder();
  root = join(temp.path, "repo");
  await mkdir(root);
});
afterEach(() => temp.remove());

const put = (path: string, content: string | Uint8Array) => writeFile(join(root, path), content);
const show = (path: string) => readFile(join(root, path), "utf8");
const bytes = async (path: string) => (await readFile(join(root, path))).toString("hex");
const seen = (files: Record<string, string | null>) =>
  new Map(
    Object.entries(files).map(([path, content]) => [path, content === null ? null : hashBytes(Buffer.from(content))]),
  );
const edit = (changes: EditChange[], context: Partial<ToolContext> = {}) =>
  applyEdit.run({ changes }, contextAt(root, context));
const replace = (path: string, oldText: string, newText: string, context: Partial<ToolContext> = {}) =>
  edit([{ kind: "replace", path, oldText, newText }], context);

describe("replace", () => {
  test("answers with what was applied, the new hash, and that the work place changed", async () => {
    await put("a.txt", "one\ntwo\nthree\n");
    expect(await replace("a.txt", "two", "2\n2b")).toEqual({
      outcome: "executed",
      output: JSON.stringify({ applied: [{ path: "a.txt", kind: "replace", added: 2, removed: 1 }] }),
      seen: { "a.txt": hashBytes(Buffer.from("one\n2\n2b\nthree\n")) },
      changedState: true,
    });
    expect(await readdir(root)).toEqual(["a.txt"]);
  });

  test("[C01] takes $ sequences literally", async () => {
    await put("a.js", 'log("done");');
    await replace("a.js", 'log("done");', 'log("$& $$ $` $\' ok");');
    expect(await show("a.js")).toBe('log("$& $$ $` $\' ok");');
  });

  test("[C02] refuses a text that stands twice, with count and lines", async () => {
    await put("a.txt", "x=1\ny\nx=1\n");
    const answer = await replace("a.txt", "x=1", "x=2");
    expect(answer.code).toBe("AMBIGUOUS");
    expect(answer.output).toContain("2 times in a.txt, at lines 1, 3");
  });

  test("[C04] a change of line endings alone, or none at all, is NO_CHANGE", async () => {
    await put("a.txt", "a\r\nb");
    const codes = [await replace("a.txt", "a\r\nb", "a\nb"), await replace("a.txt", "a", "a")].map(({ code }) => code);
    expect(codes).toEqual(["NO_CHANGE", "NO_CHANGE"]);
    expect(await show("a.txt")).toBe("a\r\nb");
  });

  test("[C05] keeps the ending of every line of a mixed file", async () => {
    await put("f", "a\r\nb\nc\r\n");
    await replace("f", "a\nb\nc\n", "a\nB\nc\n");
    expect(await show("f")).toBe("a\r\nB\nc\r\n");
  });

  test("[C07] refuses a text of which one line differs, and shows what is there", async () => {
    await put("f", "start\ny := 2\nend\n");
    const answer = await replace("f", "start\ny := 99\nend", "start\ny := 3\nend");
    expect(answer.code).toBe("NO_MATCH");
    expect(answer.output).toContain("    2\\ty := 2");
  });

  test("[C08] refuses an empty oldText on any file", async () => {
    await put("a.txt", "keep\n");
    expect((await replace("a.txt", "", "hi")).code).toBe("EMPTY_OLD_TEXT");
    expect(await show("a.txt")).toBe("keep\n");
  });

  test("[C13] keeps bytes that are not UTF-8, and adds only ASCII beside them", async () => {
    await put("f", Buffer.from("783d310ae90a", "hex"));
    expect((await replace("f", "x=1", "x=2")).outcome).toBe("executed");
    expect(await bytes("f")).toBe("783d320ae90a");
    expect((await replace("f", "x=2\né", "x=3\né")).outcome).toBe("executed");
    expect(await bytes("f")).toBe("783d330ae90a");
    expect((await replace("f", "x=3", "x=é")).code).toBe("ENCODING");
  });

  test("[C14] keeps the BOM and matches at the start without it", async () => {
    await put("f", Buffer.from("\ufeffa=1\r\n"));
    await replace("f", "a=1\n", "a=2\n");
    expect(await bytes("f")).toBe(Buffer.from("\ufeffa=2\r\n").toString("hex"));
    await replace("f", "\ufeffa=2", "\ufeffa=3");
    expect(await bytes("f")).toBe(Buffer.from("\ufeffa=3\r\n").toString("hex"));
  });

  test.each([
    ["UTF-16LE", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16BE", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ])("[C14] %s goes round", async (_, encode) => {
    await put("f", encode("a=1\r\né\r\n"));
    await replace("f", "a=1\né", "a=ü\né");
    expect(await bytes("f")).toBe(encode("a=ü\r\né\r\n").toString("hex"));
  });

  test("writes UTF-8 into UTF-8 files and keeps the permissions", async () => {
    await put("f", "größe = 1\n");
    await chmod(join(root, "f"), 0o751);
    await replace("f", "größe = 1", "größe = „2“");
    expect(await show("f")).toBe("größe = „2“\n");
    expect((await stat(join(root, "f"))).mode & 0o777).toBe(0o751);
  });

  test("refuses binary files, missing files and redaction marks", async () => {
    await put("b", Buffer.from([1, 0, 2]));
    await put("s", "key = [redacted:token]\n");
    const codes = [
      await replace("b", "x", "y"),
      await replace("none", "x", "y"),
      await replace("s", "key = [redacted:token]", "key = 1"),
    ].map(({ code }) => code);
    expect(codes).toEqual(["BINARY_FILE", "NOT_FOUND", "REDACTED"]);
  });
});

test("[A11] a pointer of Git LFS is read as one, and its lines are not edited", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0a".repeat(32)}\nsize 12\n`;
  await put("a.bin", pointer);
  const shown = await readFileTool.run({ path: "a.bin" }, contextAt(root));
  const answer = await replace("a.bin", "size 12", "size 13");
  expect([shown.output.split("\n").at(-1), answer.code, await show("a.bin")]).toEqual([
    "This is a pointer of Git LFS: the file's content is not in this folder, and the pointer is not to be edited.",
    "LFS_POINTER",
    pointer,
  ]);
});

describe("create, delete, move", () => {
  test("make, remove and rename files with their folders and permissions", async () => {
    await put("old.sh", "run\n");
    await put("gone.txt", "bye\n");
    await chmod(join(root, "old.sh"), 0o755);
    const answer = await edit(
      [
        { kind: "create", path: "deep/er/new.txt", content: "hi\n" },
        { kind: "delete", path: "gone.txt" },
        { kind: "move", path: "old.sh", to: "bin/new.sh" },
      ],
      { seen: seen({ "old.sh": "run\n", "gone.txt": "bye\n" }) },
    );
    expect(JSON.parse(answer.output)).toEqual({
      applied: [
        { path: "deep/er/new.txt", kind: "create", added: 1, removed: 0 },
        { path: "gone.txt", kind: "delete", added: 0, removed: 1 },
        { path: "old.sh", kind: "move", to: "bin/new.sh", added: 0, removed: 0 },
      ],
    });
    expect(answer.seen).toEqual({
      "deep/er/new.txt": hashBytes(Buffer.from("hi\n")),
      "gone.txt": null,
      "old.sh": null,
      "bin/new.sh": hashBytes(Buffer.from("run\n")),
    });
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual([
      "bin",
      "bin/new.sh",
      "deep",
      "deep/er",
      "deep/er/new.txt",
    ]);
    expect((await stat(join(root, "bin/new.sh"))).mode & 0o777).toBe(0o755);
  });

  test("need a free place", async () => {
    await put("a", "a\n");
    await put("b", "b\n");
    await mkdir(join(root, "folder"));
    const codes = [
      await edit([{ kind: "create", path: "a", content: "x" }]),
      await edit([{ kind: "move", path: "a", to: "b" }], { seen: seen({ a: "a\n" }) }),
      await edit([{ kind: "create", path: "folder", content: "x" }]),
      await edit([{ kind: "create", path: "a/below", content: "x" }]),
      await edit([
        { kind: "create", path: "p", content: "x" },
        { kind: "create", path: "p/q", content: "x" },
      ]),
    ].map(({ code }) => code);
    expect(codes).toEqual(["EXISTS", "EXISTS", "IS_A_DIRECTORY", "NOT_A_DIRECTORY", "NOT_A_DIRECTORY"]);
  });

  test("[C16] a dangling symlink is no free place", async () => {
    await symlink("../outside", join(root, "d.txt"));
    expect((await edit([{ kind: "create", path: "d.txt", content: "x" }])).code).toBe("PATH_SYMLINK");
    expect(await readdir(temp.path)).toEqual(["repo"]);
  });
});

describe("where edits may go", () => {
  test("[C19] not into .git, folders or outside the claim", async () => {
    await mkdir(join(root, "src"));
    const codes = [
      await edit([{ kind: "create", path: ".git/hooks/pre-commit", content: "x" }]),
      await edit([{ kind: "create", path: ".GIT/config", content: "x" }]),
      await replace("src", "a", "b"),
      await edit([{ kind: "create", path: "docs/x", content: "x" }], { claim: ["src"] }),
      await edit([{ kind: "create", path: "src/x", content: "x" }], { claim: ["src"] }),
      await edit([{ kind: "move", path: "src/x", to: "x" }], { claim: ["src"], seen: seen({ "src/x": "x" }) }),
    ].map(({ code, outcome }) => code ?? outcome);
    expect(codes).toEqual(["PATH_GIT", "PATH_GIT", "IS_A_DIRECTORY", "OUTSIDE_PATHS", "executed", "OUTSIDE_PATHS"]);
  });

  test("[B25] not through a symlink, whose target is named", async () => {
    await put("real.txt", "a\n");
    await symlink("real.txt", join(root, "link.txt"));
    const answer = await replace("link.txt", "a", "b");
    expect(answer.code).toBe("PATH_SYMLINK");
    expect(answer.output).toContain("Edit real.txt itself");
    expect((await lstat(join(root, "link.txt"))).isSymbolicLink()).toBe(true);
  });

  test("not into a read-only copy, and not after a cancel", async () => {
    const place = { ...contextAt(root).place, kind: "checkout" as const };
    const answers = [
      await edit([{ kind: "create", path: "x", content: "x" }], { place }),
      await edit([{ kind: "create", path: "x", content: "x" }], { signal: AbortSignal.abort() }),
    ];
    expect(answers.map(({ code, outcome }) => code ?? outcome)).toEqual(["READ_ONLY", "cancelled"]);
    expect(await readdir(root)).toEqual([]);
  });
});
