// Merging in memory, moving refs, adopting objects, and a whole cycle beside a user's checkout. With real git.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let base: Oid;

const body = (edits: Record<number, string> = {}) =>
  Array.from({ length: 20 }, (_, index) => `${edits[index] ?? index}\n`).join("");
const need = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const ada = { name: "Ada", email: "ada@example.test" };
/** A commit over `parent` with these files, made away from the checkout's branch. */
const branchOff = (parent: string, files: Record<string, string | null>): Oid => {
  temp.git("checkout", "--quiet", "--detach", parent);
  for (const [path, content] of Object.entries(files)) {
    if (content === null) rmSync(join(temp.folder, path));
    else temp.write({ [path]: content });
  }
  const commit = temp.commitAll("side");
  temp.git("checkout", "--quiet", "main");
  return commit as Oid;
};
const read = (tree: string, path: string) => temp.git("cat-file", "blob", `${tree}:${path}`);

beforeEach(async () => {
  temp = createTempRepository({ "a.txt": body(), 'q"\n.txt': "1\n" });
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = need(await port.openRepository(temp.folder));
  repo = opened.facts;
  base = opened.head;
});
afterEach(() => temp.cleanup());

describe("mergeTrees", () => {
  test("edits apart are both kept, also in one file", async () => {
    const target = branchOff(base, { "a.txt": body({ 1: "target" }), "new.txt": "n" });
    const change = branchOff(base, { "a.txt": body({ 18: "change" }) });
    const merged = await port.mergeTrees(repo, base, target, await port.treeOf(repo, change));
    expect([
      merged.kind,
      merged.kind === "clean" && read(merged.tree, "a.txt"),
      merged.kind === "clean" && read(merged.tree, "new.txt"),
    ]).toEqual(["clean", body({ 1: "target", 18: "change" }).trimEnd(), "n"]);
  });

  test("[F19] edits of one line are a conflict that names the paths as they are", async () => {
    const target = branchOff(base, { "a.txt": body({ 5: "target" }), 'q"\n.txt': "2\n" });
    const change = branchOff(base, { "a.txt": body({ 5: "change" }), 'q"\n.txt': "3\n" });
    expect(await port.mergeTrees(repo, base, target, await port.treeOf(repo, change))).toEqual({
      kind: "conflict",
      paths: ["a.txt", 'q"\n.txt'],
    });
  });

  test("[B16] a file deleted there and edited here is a conflict", async () => {
    const target = branchOff(base, { "a.txt": null });
    const change = branchOff(base, { "a.txt": body({ 5: "change" }) });
    expect(await port.mergeTrees(repo, base, target, await port.treeOf(repo, change))).toEqual({
      kind: "conflict",
      paths: ["a.txt"],
    });
  });

  test("[B07] what the target dropped after the base does not come back", async () => {
    // The target took the change in, then dropped it: by history the change's own commit would be the merge base.
    const first = branchOff(base, { "a.txt": body({ 2: "first" }) });
    const dropped = branchOff(first, { "a.txt": body() });
    const second = branchOff(first, { "a.txt": body({ 2: "first", 17: "second" }) });
    const merged = await port.mergeTrees(repo, first, dropped, await port.treeOf(repo, second));
    expect([merged.kind, merged.kind === "clean" && read(merged.tree, "a.txt")]).toEqual([
      "clean",
      body({ 17: "second" }).trimEnd(),
    ]);
  });
});

describe("revertTree", () => {
  test("takes one landing back and keeps what came after it, also in the same file", async () => {
    const landed = branchOff(base, { "a.txt": body({ 2: "landed" }), "new.txt": "n" });
    const tip = branchOff(landed, { "a.txt": body({ 2: "landed", 17: "later" }), "other.txt": "o" });
    const undone = await port.revertTree(repo, { landed, parent: base, tip });
    if (undone.kind !== "clean") throw new Error("conflict");
    const names = temp.git("ls-tree", "--name-only", "-z", undone.tree).split("\0");
    expect([read(undone.tree, "a.txt"), names.includes("new.txt"), names.includes("other.txt")]).toEqual([
      body({ 17: "later" }).trimEnd(),
      false,
      true,
    ]);
  });

  test("gives the very tree from before when nothing came after", async () => {
    const landed = branchOff(base, { "a.txt": null, "new.txt": "n" });
    expect(await port.revertTree(repo, { landed, parent: base, tip: landed })).toEqual({
      kind: "clean",
      tree: await port.treeOf(repo, base),
    });
  });

  test("names the paths where what landed has been changed since", async () => {
    const landed = branchOff(base, { "a.txt": body({ 2: "landed" }) });
    const tip = branchOff(landed, { "a.txt": body({ 2: "changed since" }) });
    expect(await port.revertTree(repo, { landed, parent: base, tip })).toEqual({ kind: "conflict", paths: ["a.txt"] });
  });
});

describe("commitTree", () => {
  test("[A16] [B23] has one parent, the given identity, time and words, and no signature", async () => {
    temp.git("config", "commit.gpgsign", "true");
    temp.git("config", "gpg.program", "/bin/false");
    const tree = await port.treeOf(repo, base);
    const commit = await port.commitTree(repo, tree, base, ada, "Land it\n\n--flag ünï", 1_700_000_000_999);
    expect(temp.git("log", "-1", "--format=%P|%T|%an <%ae>|%cn|%at|%ct|%G?|%B", commit)).toBe(
      `${base}|${tree}|Ada <ada@example.test>|Ada|1700000000|1700000000|N|Land it\n\n--flag ünï`,
    );
  });
});

describe("refs", () => {
  test("[A04] [B08] a swap creates and moves a branch, with its reason in the reflog, and says when it stood elsewhere", async () => {
    const next = branchOff(base, { "b.txt": "b" });
    const ref = "refs/heads/coppice/run";
    const moves = [
      await port.swapRef(repo, ref, null, base, "coppice: made"),
      await port.swapRef(repo, ref, null, next, "again"),
      await port.swapRef(repo, ref, next, base, "stale"),
      await port.swapRef(repo, ref, base, next, "coppice: landed"),
    ];
    expect([moves, await port.readRef(repo, ref), temp.git("reflog", "show", "--format=%gs", "coppice/run")]).toEqual([
      [true, false, false, true],
      next,
      "coppice: landed\ncoppice: made",
    ]);
  });

  test("a branch that is checked out, or is being rebased, is not moved", async () => {
    const next = branchOff(base, { "a.txt": body({ 1: "x" }) });
    temp.git("worktree", "add", "--quiet", "-b", "side", join(temp.outside, "side"), base);
    writeFileSync(join(temp.outside, "side/a.txt"), body({ 1: "y" }));
    runGit(join(temp.outside, "side"), ["commit", "--quiet", "-am", "y"]);
    expect(() => runGit(join(temp.outside, "side"), ["rebase", next])).toThrow("could not apply");
    const places = [
      await port.checkedOutAt(repo, "refs/heads/main"),
      await port.checkedOutAt(repo, "refs/heads/side"),
      await port.checkedOutAt(repo, "refs/heads/none"),
    ];
    await expect(port.swapRef(repo, "refs/heads/main", base, next, "no")).rejects.toThrow("is checked out at");
    expect([places, temp.git("rev-parse", "main")]).toEqual([
      [[temp.folder], [join(repo.commonDir, "worktrees/side")], []],
      base,
    ]);
  });

  test("[A05] a worktree whose folder is gone holds no branch", async () => {
    temp.git("worktree", "add", "--quiet", "-b", "side", join(temp.outside, "side"));
    const before = await port.checkedOutAt(repo, "refs/heads/side");
    rmSync(join(temp.outside, "side"), { recursive: true });
    expect([before, await port.checkedOutAt(repo, "refs/heads/side")]).toEqual([[join(temp.outside, "side")], []]);
  });

  test("a failure that is no lost race is an error", async () => {
    temp.git("branch", "coppice");
    await expect(port.swapRef(repo, "refs/heads/coppice/run", null, base, "x")).rejects.toThrow("update-ref");
  });

  test("pins only below refs/coppice/ and only what exists", async () => {
    await port.pin(repo, "refs/coppice/r/base", base);
    await expect(port.pin(repo, "refs/heads/x", base)).rejects.toThrow("Not a ref below refs/coppice/");
    await expect(port.pin(repo, "refs/coppice/r/other", "1".repeat(40) as Oid)).rejects.toThrow("update-ref");
    expect([
      await port.readRef(repo, "refs/coppice/r/base"),
      await port.readRef(repo, "refs/heads/x"),
      temp.git("branch", "--list", "--format=%(refname)"),
    ]).toEqual([base, null, "refs/heads/main"]);
  });

  test("a branch name is refused when git forbids it or another branch stands in its way", async () => {
    temp.git("branch", "a");
    temp.git("branch", "x/y");
    const check = async (name: string) => (await port.checkBranchName(repo, name)).ok;
    const names = [
      "main",
      "b",
      "a",
      "ab",
      "x/z",
      "a/b",
      "x",
      "-b",
      "HEAD",
      "b..c",
      "b.lock",
      "@{-1}",
      "b c",
      "",
      "b\0",
    ];
    expect(await Promise.all(names.map(check))).toEqual([
      true,
      true,
      true,
      true,
      true,
      ...Array.from({ length: 10 }, () => false),
    ]);
  });
});

describe("adoptObjects", () => {
  test("takes loose objects and packs that are what they say, and nothing else", async () => {
    const other = createTempRepository({ loose: "loose\n" });
    const loose = other.git("rev-parse", "HEAD:loose") as Oid;
    const objects = join(temp.outside, "objects");
    cpSync(join(other.folder, ".git/objects"), objects, { recursive: true });
    other.write({ packed: "packed\n" });
    other.commitAll("packed");
    other.git("repack", "-adq");
    const packed = other.git("rev-parse", "HEAD:packed");
    cpSync(join(other.folder, ".git/objects/pack"), join(objects, "pack"), { recursive: true });
    other.cleanup();
    mkdirSync(join(objects, "ff"), { recursive: true });
    cpSync(join(objects, loose.slice(0, 2), loose.slice(2)), join(objects, "ff", "0".repeat(38)));
    writeFileSync(join(objects, "ff", "1".repeat(38)), "no zlib");
    symlinkSync("/etc/passwd", join(objects, "ff", "2".repeat(38)));
    symlinkSync("/etc", join(objects, "fe"));
    writeFileSync(join(objects, "ff", "tmp_obj_x"), "x");
    await port.adoptObjects(repo, objects);
    await port.adoptObjects(repo, objects);
    await port.adoptObjects(repo, join(temp.outside, "missing"));
    temp.git("fsck", "--strict");
    expect([
      temp.git("cat-file", "blob", loose),
      temp.git("cat-file", "blob", packed),
      // Other objects may lie in the same folders: their names are hashes.
      ["0", "1", "2"].map((digit) => existsSync(join(repo.commonDir, "objects/ff", digit.repeat(38)))),
      existsSync(join(repo.commonDir, "objects/fe/passwd")),
    ]).toEqual(["loose", "packed", [false, false, false], false]);
  });
});

test("[B05] a whole cycle leaves the user's checkout, index, status, stash and worktree list as they were", async () => {
  temp.write({ "a.txt": body({ 3: "stashed" }) });
  temp.git("stash", "--quiet");
  temp.write({ "a.txt": body({ 4: "dirty" }), "staged.txt": "s", "untracked.txt": "u" });
  temp.git("add", "staged.txt");
  const look = () => ({
    index: readFileSync(join(repo.commonDir, "index")).toString("hex"),
    config: readFileSync(join(repo.commonDir, "config"), "utf8"),
    git: readdirSync(repo.commonDir).toSorted(),
    files: readdirSync(temp.folder).map((name) => [
      name,
      name === ".git" ? "" : readFileSync(join(temp.folder, name), "utf8"),
    ]),
    told: [
      ["status", "--porcelain=v2", "--branch"],
      ["stash", "list"],
      ["worktree", "list"],
      ["log", "--format=%H", "main"],
      ["reflog"],
    ].map((args) => temp.git(...args)),
  });
  const before = look();
  const place = need(await port.addWorktree(repo, join(temp.outside, "w"), base));
  const readers = need(await port.addCheckout(repo, join(temp.outside, "c"), base));
  writeFileSync(join(place.path, "a.txt"), body({ 15: "agent" }));
  runGit(place.path, ["add", "-A"]);
  const shot = need(await port.snapshot(repo, place, base, "refs/coppice/r/subagent-1/1", "work"));
  const changes = await port.changesBetween(repo, base, shot.commit);
  const tree = await port.composeTree(repo, base, shot.commit, {
    "a.txt": changes[0]?.hunks.map((hunk) => hunk.number) ?? [],
  });
  const merged = await port.mergeTrees(repo, base, base, tree);
  if (merged.kind !== "clean") throw new Error("conflict");
  const landed = await port.commitTree(repo, merged.tree, base, ada, "Land", 1_700_000_000_000);
  const isMoved = await port.swapRef(repo, "refs/heads/coppice/run", null, landed, "coppice: landed");
  await port.removeWorkPlace(repo, place);
  await port.removeWorkPlace(repo, readers);
  expect([isMoved, read("coppice/run", "a.txt"), look()]).toEqual([true, body({ 15: "agent" }).trimEnd(), before]);
});
