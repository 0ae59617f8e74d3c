// Which files and hunks a change has, and the tree that a part of them makes. With real git.

import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { HunkSelection, RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let base: Oid;

const lines = (count: number, edits: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => `${edits[index + 1] ?? `line ${index + 1}`}\n`).join("");
const whole = [{ number: 1, oldStart: 0, oldLines: 0, newStart: 0, newLines: 0 }];
const compose = (commit: Oid, selection: HunkSelection) => port.composeTree(repo, base, commit, selection);
const entries = (tree: string) => temp.git("-c", "core.quotePath=false", "ls-tree", "-r", tree).split("\n");
const bytesAt = (tree: Oid, path: string) => runGit(temp.folder, ["cat-file", "blob", `${tree}:${path}`]);

async function init(files: Record<string, string | Uint8Array>): Promise<void> {
  temp = createTempRepository(files);
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  repo = opened.value.facts;
  base = opened.value.head;
}

afterEach(() => temp.cleanup());

describe("changesBetween", () => {
  beforeEach(() =>
    init({
      "m.txt": lines(40),
      binary: Buffer.from([0, 1, 2]),
      "mode.sh": "x\n",
      "del.txt": "a\nb\n",
      "ren.txt": lines(9),
      type: "file\n",
      link: "t\n",
    }),
  );

  test("names each kind of change and numbers hunks in each file", async () => {
    rmSync(join(temp.folder, "link"));
    symlinkSync("one", join(temp.folder, "link"));
    base = temp.commitAll("with a link") as Oid;
    temp.write({
      "m.txt": lines(40, { 2: "two", 30: "thirty" }),
      binary: Buffer.from([0, 9]),
      "added.txt": "n",
      empty: "",
    });
    chmodSync(join(temp.folder, "mode.sh"), 0o755);
    renameSync(join(temp.folder, "ren.txt"), join(temp.folder, "moved.txt"));
    for (const name of ["del.txt", "type", "link"]) rmSync(join(temp.folder, name));
    symlinkSync("m.txt", join(temp.folder, "type"));
    symlinkSync("two", join(temp.folder, "link"));
    const commit = temp.commitAll("all kinds") as Oid;
    expect(await port.changesBetween(repo, base, commit)).toEqual([
      {
        path: "added.txt",
        change: "added",
        added: 1,
        removed: 0,
        hunks: [{ number: 1, oldStart: 0, oldLines: 0, newStart: 1, newLines: 1 }],
      },
      { path: "binary", change: "binary", added: 0, removed: 0, hunks: whole },
      {
        path: "del.txt",
        change: "deleted",
        added: 0,
        removed: 2,
        hunks: [{ number: 1, oldStart: 1, oldLines: 2, newStart: 0, newLines: 0 }],
      },
      { path: "empty", change: "added", added: 0, removed: 0, hunks: whole },
      {
        path: "link",
        change: "modified",
        added: 1,
        removed: 1,
        hunks: [{ number: 1, oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 }],
      },
      {
        path: "m.txt",
        change: "modified",
        added: 2,
        removed: 2,
        hunks: [
          { number: 1, oldStart: 1, oldLines: 5, newStart: 1, newLines: 5 },
          { number: 2, oldStart: 27, oldLines: 7, newStart: 27, newLines: 7 },
        ],
      },
      { path: "mode.sh", change: "mode", added: 0, removed: 0, hunks: whole },
      { path: "moved.txt", from: "ren.txt", change: "renamed", added: 0, removed: 0, hunks: whole },
      { path: "type", change: "modified", added: 1, removed: 1, hunks: whole },
    ]);
  });

  test("is the same whatever the user's diff settings are", async () => {
    temp.write({
      "m.txt": lines(40, { 2: "two", 12: "", 30: "thirty" }),
      ".gitattributes": "m.txt -diff\n",
      "dir/n.txt": "n\n",
    });
    renameSync(join(temp.folder, "ren.txt"), join(temp.folder, "moved.txt"));
    const commit = temp.commitAll("edits") as Oid;
    const before = await port.changesBetween(repo, base, commit);
    const settings = {
      "diff.context": "0",
      "diff.noprefix": "true",
      "diff.renames": "false",
      "diff.algorithm": "myers",
      "diff.external": "false",
      "diff.suppressBlankEmpty": "true",
      "color.ui": "always",
      "diff.interHunkContext": "50",
    };
    for (const [key, value] of Object.entries(settings)) temp.git("config", key, value);
    const after = await port.changesBetween(repo, base, commit);
    expect([after, before.find(({ path }) => path === "m.txt")?.hunks.length]).toEqual([before, 3]);
  });

  test("[B26] a file of more than 16 MiB is one change without lines", async () => {
    const large = lines(16, { 1: "x".repeat(16 * 1024 * 1024) });
    temp.write({ "large.txt": large });
    base = temp.commitAll("large") as Oid;
    temp.write({ "large.txt": `${large}more\n` });
    const commit = temp.commitAll("more") as Oid;
    expect(await port.changesBetween(repo, base, commit)).toEqual([
      { path: "large.txt", change: "binary", added: 0, removed: 0, hunks: whole },
    ]);
  });

  test("an added submodule is one hunk", async () => {
    const other = createTempRepository();
    runGit(temp.folder, ["-c", "protocol.file.allow=always", "submodule", "add", "--quiet", other.folder, "sub"]);
    const commit = temp.commitAll("submodule") as Oid;
    other.cleanup();
    const changes = await port.changesBetween(repo, base, commit);
    expect(changes.map(({ path, hunks }) => [path, hunks.length])).toEqual([
      [".gitmodules", 1],
      ["sub", 1],
    ]);
  });

  test("[B14] a name that imitates a patch is only a name", async () => {
    const name = "x\n@@ -1 +1 @@\n-a\n+b";
    temp.write({ [name]: "n\n" });
    const commit = temp.commitAll("trap") as Oid;
    expect((await port.changesBetween(repo, base, commit)).map(({ path, hunks }) => [path, hunks.length])).toEqual([
      [name, 1],
    ]);
  });
});

describe("patchBetween", () => {
  test("[B26] is whole when it fits and cut at a line with a note when it does not", async () => {
    await init({ "a.txt": "a\n" });
    temp.write({ "a.txt": "é\n".repeat(500) });
    const commit = temp.commitAll("long") as Oid;
    const all = await port.patchBetween(repo, base, commit, 1_000_000);
    const cut = await port.patchBetween(repo, base, commit, 400);
    const body = cut.slice(0, cut.indexOf("... cut here"));
    expect([
      all.includes("+é"),
      cut.endsWith("longer than 400 bytes\n"),
      all.startsWith(body),
      body.endsWith("\n"),
      Buffer.byteLength(cut) <= 400,
    ]).toEqual([true, true, true, true, true]);
  });
});

describe("composeTree", () => {
  test("all of the change is the change's tree and none of it the base's", async () => {
    await init({ "a.txt": lines(30), "b.txt": "b\n" });
    temp.write({ "a.txt": lines(30, { 3: "x" }), "c.txt": "c" });
    rmSync(join(temp.folder, "b.txt"));
    const commit = temp.commitAll("change") as Oid;
    const trees = [
      await compose(commit, "all"),
      await compose(commit, { "a.txt": [1], "b.txt": [1], "c.txt": [1] }),
      await compose(commit, {}),
      await compose(commit, { "a.txt": [] }),
    ];
    const [next, old] = [await port.treeOf(repo, commit), await port.treeOf(repo, base)];
    expect(trees).toEqual([next, next, old, old]);
  });

  test("[B11] keeps CRLF, foreign bytes and a missing newline where they were", async () => {
    const old = Buffer.concat([Buffer.from(`a\r\nb\n\xe9\n`, "latin1"), Buffer.from(lines(20)), Buffer.from("end")]);
    await init({ f: old });
    const next = Buffer.from(old.toString("latin1").replace("a\r\n", "A\r\n").replace("end", "END\n"), "latin1");
    temp.write({ f: next });
    const commit = temp.commitAll("both ends") as Oid;
    const [first, second] = [await compose(commit, { f: [1] }), await compose(commit, { f: [2] })];
    expect([bytesAt(first, "f").toString("latin1"), bytesAt(second, "f").toString("latin1")]).toEqual([
      old.toString("latin1").replace("a\r\n", "A\r\n"),
      old.toString("latin1").replace("end", "END\n"),
    ]);
  });

  test("a rename goes with any of its hunks", async () => {
    await init({ "dir/old": lines(40) });
    mkdirSync(join(temp.folder, "to"));
    renameSync(join(temp.folder, "dir/old"), join(temp.folder, "to/new"));
    temp.write({ "to/new": lines(40, { 2: "two", 35: "x" }) });
    const commit = temp.commitAll("rename") as Oid;
    const tree = await compose(commit, { "to/new": [2] });
    expect([entries(tree).length, bytesAt(tree, "to/new").toString()]).toEqual([1, lines(40, { 35: "x" })]);
  });

  test("whole-file changes come and stay singly, under any name", async () => {
    await init({ 'bin\n"q': Buffer.from([0, 1]), "-run": "x\n", keep: "k\n", type: "t\n" });
    temp.write({ 'bin\n"q': Buffer.from([0, 2]), "dé\t": "new" });
    chmodSync(join(temp.folder, "-run"), 0o755);
    rmSync(join(temp.folder, "keep"));
    rmSync(join(temp.folder, "type"));
    symlinkSync("-run", join(temp.folder, "type"));
    const commit = temp.commitAll("change") as Oid;
    const [next, old] = [entries(commit), entries(base)];
    const own = (from: string[], part: string) => from.filter((entry) => entry.includes(part));
    const mixed = entries(await compose(commit, { 'bin\n"q': [1], "-run": [1], type: [1] }));
    const others = entries(await compose(commit, { "dé\t": [1], keep: [1] }));
    expect([mixed.toSorted(), others.toSorted()]).toEqual([
      [...own(next, "bin"), ...own(next, "-run"), ...own(next, "type"), ...own(old, "keep")].toSorted(),
      [...own(old, "bin"), ...own(old, "-run"), ...own(old, "type"), ...own(next, "dé")].toSorted(),
    ]);
  });

  test("refuses a hunk or path that is not in the change, and a file where what was kept needs a folder", async () => {
    await init({ spot: "s\n" });
    rmSync(join(temp.folder, "spot"));
    temp.write({ "spot/inner": "i\n" });
    const commit = temp.commitAll("file to folder") as Oid;
    const refused = await Promise.allSettled([
      compose(commit, { "spot/inner": [2] }),
      compose(commit, { nowhere: [1] }),
      compose(commit, { "spot/inner": [1] }),
    ]);
    expect([
      refused.map((one) => String((one as PromiseRejectedResult).reason)),
      await compose(commit, { spot: [1], "spot/inner": [1] }),
    ]).toEqual([
      [
        expect.stringContaining("hunks 1 to 1"),
        expect.stringContaining("does not touch nowhere"),
        expect.stringContaining("Accept the change of spot too"),
      ],
      await port.treeOf(repo, commit),
    ]);
  });

  test("lines of a new file can be left out, a hunk can be edited, and the name of the change follows", async () => {
    await init({ "a.txt": lines(40) });
    temp.write({ "a.txt": lines(40, { 3: "three", 30: "thirty" }), "new.sh": "one\ntwo\nthree" });
    chmodSync(join(temp.folder, "new.sh"), 0o755);
    const commit = temp.commitAll("change") as Oid;
    const selection = { "a.txt": [1], "new.sh": [1] };
    const amendments = [
      { path: "a.txt", hunk: 1, text: "instead" },
      { path: "new.sh", hunk: 1, leftOut: [1, 3] },
    ];
    const tree = await port.composeTree(repo, base, commit, selection, amendments);
    expect([bytesAt(tree, "a.txt").toString(), bytesAt(tree, "new.sh").toString(), entries(tree)[1]]).toEqual([
      `instead\n${lines(40).split("\n").slice(6).join("\n")}`,
      "two\n",
      expect.stringMatching(/^100755 /),
    ]);
    const ids = await Promise.all([
      port.patchId(repo, base, commit, selection, amendments),
      port.patchId(repo, base, commit, selection),
    ]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test("what has no lines, or was not accepted, cannot be amended", async () => {
    await init({ bin: Buffer.from([0, 1]), "a.txt": lines(30), gone: "g\n" });
    temp.write({ bin: Buffer.from([0, 2]), "a.txt": lines(30, { 3: "x", 25: "y" }) });
    rmSync(join(temp.folder, "gone"));
    const commit = temp.commitAll("change") as Oid;
    const selection = { bin: [1], gone: [1], "a.txt": [1] };
    const refused = await Promise.allSettled(
      (["bin", "gone", "a.txt"] as const).map((path) =>
        port.composeTree(repo, base, commit, selection, [{ path, hunk: path === "a.txt" ? 2 : 1, leftOut: [1] }]),
      ),
    );
    expect(refused.map((one) => String((one as PromiseRejectedResult).reason))).toEqual([
      expect.stringContaining("bin has no hunk 1 of whose lines some"),
      expect.stringContaining("gone has no hunk 1 of whose lines some"),
      expect.stringContaining("Hunk 2 of a.txt is amended, but not accepted"),
    ]);
  });
});
