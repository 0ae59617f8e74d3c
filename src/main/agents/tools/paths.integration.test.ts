// The jail, against a real folder with real symlinks.

import { execFileSync } from "node:child_process";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTempFolder } from "./contextFixture.ts";
import { isBelow, isDeviceNameOnWindows, isGitName, requireFile, requireFolder, resolveInside } from "./paths.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;
let root: string;

beforeAll(async () => {
  temp = await makeTempFolder();
  root = join(temp.path, "repo");
  await mkdir(join(root, "src", ".github"), { recursive: true });
  await mkdir(join(root, ".git", "hooks"), { recursive: true });
  await mkdir(join(temp.path, "repo-evil"));
  await writeFile(join(temp.path, "repo-evil", "x"), "secret");
  await writeFile(join(root, "src", "a.ts"), "a\n");
  await writeFile(join(root, ".gitignore"), "out\n");
  await symlink("../repo-evil", join(root, "away"));
  await symlink("../outside-dangling", join(root, "dangling"));
  await symlink("loop", join(root, "loop"));
  await symlink("src", join(root, "inside"));
  await symlink(".git", join(root, "store"));
  await symlink(root, join(temp.path, "other-spelling"));
  execFileSync("mkfifo", [join(root, "pipe")]);
});
afterAll(() => temp.remove());

async function codeOf(path: string): Promise<string> {
  const resolved = await resolveInside(root, path);
  return resolved.ok ? resolved.value.kind : resolved.error.code;
}

describe("resolveInside", () => {
  test.each([
    ["/etc/passwd", "PATH_ABSOLUTE"],
    ["C:\\x", "PATH_ABSOLUTE"],
    ["../repo-evil/x", "PATH_OUTSIDE"],
    ["src/../../repo/src/a.ts", "PATH_OUTSIDE"],
    ["away/x", "PATH_SYMLINK"],
    ["away/not-there", "PATH_SYMLINK"],
    ["dangling", "PATH_SYMLINK"],
    ["dangling/new.txt", "PATH_SYMLINK"],
    ["loop", "PATH_SYMLINK"],
    [".git/config", "PATH_GIT"],
    [".GIT/hooks/pre-commit", "PATH_GIT"],
    ["src/.Git", "PATH_GIT"],
    ["store/hooks", "PATH_GIT"],
    ["src/a\0.ts", "PATH_INVALID"],
    ["src/a.ts/below", "NOT_A_DIRECTORY"],
    ["pipe", "NOT_A_FILE"],
    ["src/a.ts", "file"],
    ["./src//a.ts", "file"],
    ["src/x/../a.ts", "file"],
    ["src", "folder"],
    [".", "folder"],
    [".gitignore", "file"],
    ["src/.github", "folder"],
    ["new/deep/file.ts", "missing"],
  ])("answers %s with %s", async (path, expected) => {
    expect(await codeOf(path)).toBe(expected);
  });

  test("names the real place and the link of a path through an inner symlink", async () => {
    const resolved = await resolveInside(root, "inside/a.ts");
    expect(resolved.ok && resolved.value).toEqual({
      path: "inside/a.ts",
      real: "src/a.ts",
      absolute: join(await realpath(root), "src/a.ts"),
      kind: "file",
      link: { at: "inside", target: "src" },
    });
  });

  test("[C17] accepts a root that is spelled through a symlink", async () => {
    const resolved = await resolveInside(join(temp.path, "other-spelling"), "src/a.ts");
    expect(resolved.ok && resolved.value.real).toBe("src/a.ts");
  });

  test("says when the root itself is gone", async () => {
    const resolved = await resolveInside(join(temp.path, "gone"), "a");
    expect(!resolved.ok && resolved.error.code).toBe("ROOT_MISSING");
  });
});

test("a file is not a folder and a folder not a file", async () => {
  const codes = [
    await requireFile(root, "src"),
    await requireFile(root, "none"),
    await requireFolder(root, "src/a.ts"),
    await requireFolder(root, "none"),
  ];
  expect(codes.map((result) => !result.ok && result.error.code)).toEqual([
    "IS_A_DIRECTORY",
    "NOT_FOUND",
    "NOT_A_DIRECTORY",
    "NOT_FOUND",
  ]);
});

test("[C17] a folder whose name only begins like the root is not below it", () => {
  expect([
    isBelow("/repo", "/repo-evil/x"),
    isBelow("/repo", "/repo/x"),
    isBelow("/repo", "/repo"),
    isBelow("/repo", "/repo/..x"),
  ]).toEqual([false, true, true, true]);
});

test("names that a file system takes for .git are .git", () => {
  expect([".git", ".GIT", ".git.", ".git ", "git~1", ".g\u200cit", ".git::$INDEX_ALLOCATION"].map(isGitName)).toEqual(
    Array(7).fill(true),
  );
  expect([".github", ".gitignore", ".gitmodules", "git", "x.git"].map(isGitName)).toEqual(Array(5).fill(false));
});

test("device names of Windows are known with any extension", () => {
  expect(["COM1", "nul", "aux.ts", "LPT9.txt"].map(isDeviceNameOnWindows)).toEqual(Array(4).fill(true));
  expect(["COM", "console.ts", basename("auxiliary.ts")].map(isDeviceNameOnWindows)).toEqual(Array(3).fill(false));
});
