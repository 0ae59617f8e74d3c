// Opening folders, with real git.

import {
  appendFileSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import { createGit } from "./createGit.ts";
import { readBlob, treeOf, writeBlob } from "./objects.ts";
import { treeWith } from "./treeWith.ts";

let temp: TempRepository;
const port = () => createGit({ dataFolder: join(temp.outside, "data") });
const open = (folder: string) => port().openRepository(folder);
const codeOf = async (folder: string) => {
  const opened = await open(folder);
  return opened.ok ? "opened" : opened.error.code;
};
const requireOpen = async (folder = temp.folder) => {
  const opened = await open(folder);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
};

beforeEach(() => {
  temp = createTempRepository();
});
afterEach(() => {
  vi.unstubAllEnvs();
  temp.cleanup();
});

describe("openRepository", () => {
  test("answers with the real folders, the root commit, the branch, the head and the count of what differs", async () => {
    const root = temp.git("rev-parse", "HEAD");
    temp.write({ ".gitignore": "ignored\n" });
    const head = temp.commitAll("second");
    temp.write({ "a.txt": "other\n", ignored: "x", "new/one": "x", "new/two": "x" });
    expect(await requireOpen()).toEqual({
      facts: { topLevel: temp.folder, commonDir: join(temp.folder, ".git"), rootCommit: root },
      branch: "main",
      head,
      dirtyCount: 3,
    });
  });

  test("[A20] finds one identity through a link and from a folder inside", async () => {
    const link = join(temp.outside, "link");
    symlinkSync(temp.folder, link);
    mkdirSync(join(temp.folder, "sub"));
    const [direct, linked, inner] = await Promise.all([
      requireOpen(),
      requireOpen(link),
      requireOpen(join(link, "sub")),
    ]);
    expect([linked.facts, inner.facts]).toEqual([direct.facts, direct.facts]);
  });

  test("[A08] has no branch on a detached HEAD", async () => {
    temp.git("checkout", "--quiet", "--detach");
    expect((await requireOpen()).branch).toBeNull();
  });

  test("[A19] counts a rename once and reads past an index.lock of the user's", async () => {
    temp.git("mv", "a.txt", "z\t\n.txt");
    writeFileSync(join(temp.folder, ".git/index.lock"), "");
    expect((await requireOpen()).dirtyCount).toBe(1);
  });

  test("[A23] sees no change in files whose line ends the user's settings convert", async () => {
    temp.git("config", "core.autocrlf", "true");
    rmSync(join(temp.folder, "a.txt"));
    temp.git("checkout", "--quiet", "--", "a.txt");
    // Touched, so that git has to compare what the file holds.
    utimesSync(join(temp.folder, "a.txt"), 1, 1);
    expect(readFileSync(join(temp.folder, "a.txt"), "utf8")).toBe("one\r\ntwo\r\nthree\r\n");
    expect((await requireOpen()).dirtyCount).toBe(0);
  });

  test("[A13] takes a linked worktree as the opened folder, also where the shared settings say bare", async () => {
    const linked = join(temp.outside, "linked");
    temp.git("worktree", "add", "--quiet", "-b", "side", linked);
    const before = await requireOpen(linked);
    temp.git("config", "extensions.worktreeConfig", "true");
    temp.git("config", "core.bare", "true");
    const after = await requireOpen(linked);
    expect([before.facts, after.facts, after.branch, after.dirtyCount]).toEqual([
      { topLevel: linked, commonDir: join(temp.folder, ".git"), rootCommit: before.facts.rootCommit },
      before.facts,
      "side",
      0,
    ]);
  });

  test("[A10] takes a submodule as the opened folder", async () => {
    const outer = createTempRepository();
    runGit(outer.folder, [
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "add",
      "--quiet",
      temp.folder,
      "vendor/sub",
    ]);
    const { facts } = await requireOpen(join(outer.folder, "vendor/sub"));
    outer.cleanup();
    expect([facts.topLevel, facts.commonDir]).toEqual([
      join(outer.folder, "vendor/sub"),
      join(outer.folder, ".git/modules/vendor/sub"),
    ]);
  });

  test("[A01] refuses each other kind of folder with a code of its own", async () => {
    const empty = createTempRepository(null);
    const bare = join(temp.outside, "bare.git");
    temp.git("clone", "--quiet", "--bare", ".", bare);
    writeFileSync(join(temp.outside, "file"), "");
    const codes = [
      await codeOf(join(temp.outside, "missing")),
      await codeOf(join(temp.outside, "file")),
      await codeOf(temp.outside),
      await codeOf(bare),
      await codeOf(join(temp.folder, ".git")),
      await codeOf(empty.folder),
    ];
    empty.cleanup();
    expect(codes).toEqual([
      "REPOSITORY_NOT_FOUND",
      "REPOSITORY_NOT_FOUND",
      "NOT_A_REPOSITORY",
      "BARE_REPOSITORY",
      "NOT_A_REPOSITORY",
      "NO_COMMITS",
    ]);
  });

  test.each<[string, string, () => void]>([
    [
      "a format of a newer git",
      "It takes a newer git than the one that is installed.",
      () => {
        temp.git("config", "core.repositoryFormatVersion", "1");
        temp.git("config", "extensions.ofTomorrow", "true");
      },
    ],
    ["broken settings", "bad config line", () => appendFileSync(join(temp.folder, ".git/config"), "[broken\n")],
    [
      "a HEAD whose commit is gone",
      "a commit that it does not have",
      () => writeFileSync(join(temp.folder, ".git/HEAD"), `${"1".repeat(40)}\n`),
    ],
  ])("%s is refused in words", async (_, words, breakIt) => {
    breakIt();
    const opened = await open(temp.folder);
    expect(opened).toMatchObject({
      ok: false,
      error: { code: "REPOSITORY_UNREADABLE", message: expect.stringContaining(words) as string },
    });
  });

  test("[A01] a branch without a commit among others is named", async () => {
    temp.git("checkout", "--quiet", "--orphan", "fresh");
    expect(await open(temp.folder)).toMatchObject({
      ok: false,
      error: { code: "NO_COMMITS", message: expect.stringMatching(/^fresh, which /) as string },
    });
  });

  test("names a missing git as what is missing", async () => {
    vi.stubEnv("PATH", temp.outside);
    expect(await codeOf(temp.folder)).toBe("GIT_MISSING");
  });

  // Only root may give a folder away.
  test.skipIf(process.getuid?.() !== 0)(
    "[A22] passes on git's own advice for a repository of another owner",
    async () => {
      chownSync(temp.folder, 65534, 65534);
      chownSync(join(temp.folder, ".git"), 65534, 65534);
      const opened = await open(temp.folder);
      expect(opened).toMatchObject({
        ok: false,
        error: { code: "UNSAFE_OWNER", details: { advice: `git config --global --add safe.directory ${temp.folder}` } },
      });
    },
  );

  test("[A29] is not led astray by an inherited GIT_DIR", async () => {
    const other = createTempRepository({ other: "x" });
    vi.stubEnv("GIT_DIR", join(other.folder, ".git"));
    vi.stubEnv("GIT_INDEX_FILE", join(other.folder, ".git/index"));
    const { facts, dirtyCount } = await requireOpen();
    other.cleanup();
    expect([facts.commonDir, dirtyCount]).toEqual([join(temp.folder, ".git"), 0]);
  });
});

describe("findIdentity", () => {
  test("is what the checkout's settings say, whatever the environment says", async () => {
    vi.stubEnv("GIT_AUTHOR_NAME", "Eve");
    const { facts } = await requireOpen();
    expect(await port().findIdentity(facts)).toEqual({ name: "Ada", email: "ada@example.test" });
  });

  test("[A17] is null when the mail is not set", async () => {
    temp.git("config", "--unset", "user.email");
    const { facts } = await requireOpen();
    expect(await port().findIdentity(facts)).toBeNull();
  });
});

describe("readFileAt", () => {
  test("follows no link that is longer than a path can be, and reads no further than it is asked", async () => {
    const { facts, head } = await requireOpen();
    const store = (bytes: string) => writeBlob(facts, Buffer.from(bytes));
    const endless = await store(`${"./".repeat(3_000)}a.txt`);
    const entries = [{ path: Buffer.from("endless"), side: { mode: "120000", blob: endless } }];
    const data = join(temp.outside, "data");
    const tree = await treeWith(data, facts, await treeOf(facts, head), entries);
    const text = await store("one and more");
    expect([
      await port().readFileAt(facts, tree, "endless", 100),
      await port().readFileAt(facts, tree, "a.txt", 100),
      (await readBlob(facts, text, 3)).toString(),
    ]).toEqual([null, "one\ntwo\nthree\n", "one"]);
  });

  test("follows links inside the tree, cuts between characters and has null for what is no file", async () => {
    temp.write({ "docs/CLAUDE.md": "aé", "dir/file": "x" });
    symlinkSync("docs/CLAUDE.md", join(temp.folder, "AGENTS.md"));
    symlinkSync("/etc/passwd", join(temp.folder, "out.md"));
    symlinkSync("loop", join(temp.folder, "loop"));
    const head = temp.commitAll("files");
    const { facts, head: seen } = await requireOpen();
    const read = (path: string, maxBytes = 100) => port().readFileAt(facts, seen, path, maxBytes);
    expect([
      seen === head,
      await read("AGENTS.md"),
      await read("AGENTS.md", 2),
      await read("out.md"),
      await read("loop"),
      await read("dir"),
      await read("none"),
    ]).toEqual([true, "aé", "a", null, null, null, null]);
  });
});
