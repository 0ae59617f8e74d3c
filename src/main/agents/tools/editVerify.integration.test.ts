// What recovery concludes from the files alone about an edit whose settlement was never written.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyEdit } from "./applyEdit.ts";
import { contextAt, makeTempFolder } from "./contextFixture.ts";
import type { EditChange } from "./editStage.ts";
import { hashBytes } from "./fileText.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;
let root: string;

beforeEach(async () => {
  temp = await makeTempFolder();
  root = join(temp.path, "repo");
  await mkdir(root);
});
afterEach(() => temp.remove());

const put = (path: string, content: string) => writeFile(join(root, path), content);
const show = (path: string) => readFile(join(root, path), "utf8");
const seen = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, content]) => [path, hashBytes(Buffer.from(content))]));

describe("verify", () => {
  const cases: {
    readonly name: string;
    readonly before: Record<string, string>;
    readonly changes: EditChange[];
    readonly after: Record<string, string | null>;
  }[] = [
    {
      name: "a replacement",
      before: { f: "a\nb\n" },
      changes: [{ kind: "replace", path: "f", oldText: "b", newText: "c" }],
      after: { f: "a\nc\n" },
    },
    {
      name: "an insertion",
      before: { f: "a\n" },
      changes: [{ kind: "replace", path: "f", oldText: "a\n", newText: "a\nb\n" }],
      after: { f: "a\nb\n" },
    },
    {
      name: "a text taken out",
      before: { f: "a\nb\n" },
      changes: [{ kind: "replace", path: "f", oldText: "b\n", newText: "" }],
      after: { f: "a\n" },
    },
    {
      name: "a text whose new form stood elsewhere too",
      before: { f: "x=1\nx=2\n" },
      changes: [{ kind: "replace", path: "f", oldText: "x=1", newText: "x=2" }],
      after: { f: "x=2\nx=2\n" },
    },
    { name: "a new file", before: {}, changes: [{ kind: "create", path: "n", content: "n\n" }], after: { n: "n\n" } },
    {
      name: "a new file that is changed at once",
      before: {},
      changes: [
        { kind: "create", path: "n", content: "n\n" },
        { kind: "replace", path: "n", oldText: "n", newText: "m" },
      ],
      after: { n: "m\n" },
    },
    { name: "a deletion", before: { f: "a\n" }, changes: [{ kind: "delete", path: "f" }], after: { f: null } },
    {
      name: "a rewrite",
      before: { f: "a\n" },
      changes: [
        { kind: "delete", path: "f" },
        { kind: "create", path: "f", content: "b\n" },
      ],
      after: { f: "b\n" },
    },
    {
      name: "a move",
      before: { f: "a\n" },
      changes: [{ kind: "move", path: "f", to: "g" }],
      after: { f: null, g: "a\n" },
    },
    {
      name: "a move with a change",
      before: { f: "a\n" },
      changes: [
        { kind: "move", path: "f", to: "g" },
        { kind: "replace", path: "g", oldText: "a", newText: "b" },
      ],
      after: { f: null, g: "b\n" },
    },
  ];

  test.each(cases)("tells $name that happened from one that did not", async ({ before, changes, after }) => {
    for (const [path, content] of Object.entries(before)) await put(path, content);
    const context = contextAt(root, { seen: seen(before) });
    expect(await applyEdit.verify?.({ changes }, context)).toBe("not_applied");
    expect((await applyEdit.run({ changes }, context)).outcome).toBe("executed");
    for (const [path, content] of Object.entries(after)) expect(await show(path).catch(() => null)).toBe(content);
    expect(await applyEdit.verify?.({ changes }, context)).toBe("applied");
  });

  test("knows a third state, and asks where two answers fit", async () => {
    await put("f", "neither\n");
    await put("g", "x\ny\n");
    const verdicts = [
      await applyEdit.verify?.(
        { changes: [{ kind: "replace", path: "f", oldText: "a", newText: "b" }] },
        contextAt(root),
      ),
      await applyEdit.verify?.({ changes: [{ kind: "create", path: "f", content: "other\n" }] }, contextAt(root)),
      await applyEdit.verify?.(
        { changes: [{ kind: "replace", path: "g", oldText: "x", newText: "x\ny" }] },
        contextAt(root),
      ),
    ];
    expect(verdicts).toEqual(["third_state", "third_state", "third_state"]);
  });

  test("an edit of two files of which one was written is a third state", async () => {
    await put("f", "new f\n");
    await put("g", "old g\n");
    const changes: EditChange[] = ["f", "g"].map((path) => ({
      kind: "replace",
      path,
      oldText: `old ${path}`,
      newText: `new ${path}`,
    }));
    expect(await applyEdit.verify?.({ changes }, contextAt(root))).toBe("third_state");
  });

  test("removes temp files that a cut edit left", async () => {
    await put("f", "a\n");
    await put(".coppice-edit-1234", "half");
    await applyEdit.verify?.(
      { changes: [{ kind: "replace", path: "f", oldText: "a", newText: "b" }] },
      contextAt(root),
    );
    expect(await readdir(root)).toEqual(["f"]);
  });
});
