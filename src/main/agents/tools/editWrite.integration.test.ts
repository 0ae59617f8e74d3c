// An edit beside other writers and across several files: nothing stale is written over, and a call is whole or nothing.

import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyEdit, editFiles } from "./applyEdit.ts";
import type { EditChange, StagedFile } from "./editStage.ts";
import { writeStaged } from "./editWrite.ts";
import { contextAt, makeTempFolder } from "./contextFixture.ts";
import { hashBytes } from "./fileText.ts";
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
const seen = (files: Record<string, string | null>) =>
  new Map(
    Object.entries(files).map(([path, content]) => [path, content === null ? null : hashBytes(Buffer.from(content))]),
  );
const edit = (changes: EditChange[], context: Partial<ToolContext> = {}) =>
  applyEdit.run({ changes }, contextAt(root, context));
const replace = (path: string, oldText: string, newText: string, context: Partial<ToolContext> = {}) =>
  edit([{ kind: "replace", path, oldText, newText }], context);

describe("what the agent has seen", () => {
  test("[C10] a file that changed since is STALE, is shown fresh, and then counts as seen", async () => {
    await put("f", "one\nuser\n");
    const answer = await replace("f", "one", "1", { seen: seen({ f: "one\n" }) });
    expect(answer.code).toBe("STALE");
    expect(answer.output).toContain("    2\\tuser");
    expect(answer.seen).toEqual({ f: hashBytes(Buffer.from("one\nuser\n")) });
    expect(await show("f")).toBe("one\nuser\n");
  });

  test("an unread file may be replaced in, but not deleted or moved", async () => {
    await put("f", "one\n");
    const codes = [
      await edit([{ kind: "delete", path: "f" }]),
      await edit([{ kind: "move", path: "f", to: "g" }]),
      await replace("f", "one", "two"),
    ].map(({ code, outcome }) => code ?? outcome);
    expect(codes).toEqual(["READ_FIRST", "READ_FIRST", "executed"]);
  });

  test("a file that changed since is neither deleted nor moved", async () => {
    await put("f", "new\n");
    const context = { seen: seen({ f: "old\n" }) };
    expect([
      (await edit([{ kind: "delete", path: "f" }], context)).code,
      (await edit([{ kind: "move", path: "f", to: "g" }], context)).code,
    ]).toEqual(["STALE", "STALE"]);
  });

  test("[C10] a write that comes between reading and writing is kept, and the edit made beside it when it fits", async () => {
    await put("f", "one\ntwo\n");
    let isFirst = true;
    const interrupted = async (files: readonly StagedFile[]) => {
      if (isFirst) await appendFile(join(root, "f"), "user\n");
      isFirst = false;
      return writeStaged(files);
    };
    const answer = await editFiles(
      { changes: [{ kind: "replace", path: "f", oldText: "one", newText: "1" }] },
      contextAt(root),
      interrupted,
    );
    expect(answer.outcome).toBe("executed");
    expect(await show("f")).toBe("1\ntwo\nuser\n");
  });

  test("[C10] a file that changes at every attempt is left to whoever writes it", async () => {
    await put("f", "one\n");
    const restless = async (files: readonly StagedFile[]) => {
      await appendFile(join(root, "f"), "user\n");
      return writeStaged(files);
    };
    const answer = await editFiles(
      { changes: [{ kind: "replace", path: "f", oldText: "one", newText: "1" }] },
      contextAt(root),
      restless,
    );
    expect(answer.code).toBe("STALE");
    expect(await show("f")).toBe("one\nuser\nuser\nuser\n");
  });
});

describe("one call", () => {
  test("applies several changes to one file in order", async () => {
    await put("f", "a\nb\n");
    await edit([
      { kind: "replace", path: "f", oldText: "a", newText: "b2" },
      { kind: "replace", path: "f", oldText: "b2\nb", newText: "c" },
    ]);
    expect(await show("f")).toBe("c\n");
  });

  test("leaves everything as it was when one change is refused, and says which", async () => {
    await put("f", "a\n");
    const answer = await edit([
      { kind: "replace", path: "f", oldText: "a", newText: "b" },
      { kind: "create", path: "new/x", content: "x" },
      { kind: "replace", path: "f", oldText: "not there", newText: "c" },
    ]);
    expect(answer.output).toContain("Change 3 of 3, so none was made");
    expect([await show("f"), await readdir(root)]).toEqual(["a\n", ["f"]]);
  });

  test("puts back what was written when a later file cannot be", async () => {
    await put("a", "old\n");
    await put("b", "drifted\n");
    const staged = (path: string, before: string | null, after: string | null): StagedFile => ({
      path,
      absolute: join(root, path),
      before: before === null ? null : Buffer.from(before),
      mode: before === null ? null : 0o644,
      after: after === null ? null : Buffer.from(after),
    });
    const written = await writeStaged([
      staged("a", "old\n", "new\n"),
      staged("made/here/c", null, "c\n"),
      staged("b", "b\n", "B\n"),
    ]);
    expect(!written.ok && written.error.code).toBe("DRIFTED");
    expect([await show("a"), await show("b"), (await readdir(root)).toSorted()]).toEqual([
      "old\n",
      "drifted\n",
      ["a", "b"],
    ]);
    const blocked = await writeStaged([staged("a", "old\n", "new\n"), staged("b/below", null, "x")]);
    expect(!blocked.ok && blocked.error.code).toBe("WRITE_FAILED");
    expect([await show("a"), (await readdir(root)).toSorted()]).toEqual(["old\n", ["a", "b"]]);
  });

  test("that undoes itself is NO_CHANGE", async () => {
    await put("f", "a\n");
    const answer = await edit([
      { kind: "replace", path: "f", oldText: "a", newText: "b" },
      { kind: "replace", path: "f", oldText: "b", newText: "a" },
    ]);
    expect(answer.code).toBe("NO_CHANGE");
  });
});
