// What a snapshot takes in, what it leaves out, and whom it does not ask. With real git.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort, WorkPlace } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let root: Oid;
let place: WorkPlace;

const ref = "refs/coppice/r/subagent-1/1";
const need = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const shoot = async () => need(await port.snapshot(repo, place, root, ref, "work of subagent-1"));
const changed = async () => {
  const { commit } = await shoot();
  return (await port.changesBetween(repo, root, commit)).map(({ change, path }) => `${change} ${path}`);
};
const write = (files: Record<string, string | Uint8Array>) => temp.write(files, place.path);
/** A script that leaves a trace when anything runs it, and hangs. */
const trap = () => {
  const script = join(temp.outside, "trap");
  writeFileSync(script, `#!/bin/sh\ntouch ${join(temp.outside, "sprung")}\nsleep 60\n`);
  chmodSync(script, 0o755);
  return script;
};
const isSprung = () => existsSync(join(temp.outside, "sprung"));

async function start(): Promise<void> {
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = need(await port.openRepository(temp.folder));
  repo = opened.facts;
  root = opened.head;
  place = need(await port.addWorktree(repo, join(temp.outside, "w"), root));
}

beforeEach(async () => {
  temp = createTempRepository({ "a.txt": "one\n", "src/x.ts": "x\n", "kept.log": "k\n", "gone.txt": "g\n" });
  temp.write({ ".gitignore": "*.log\n" });
  temp.commitAll("ignore");
  await start();
});
afterEach(() => temp.cleanup());

test("an untouched worktree is empty", async () => {
  const { isEmpty, tree } = await shoot();
  expect([isEmpty, tree]).toEqual([true, await port.treeOf(repo, root)]);
});

test("[B14] [B22] edited, deleted, untracked and oddly named files are in, ignored ones out, tracked ones in though ignored", async () => {
  write({ "a.txt": "uno\n", "kept.log": "edited\n", "other.log": "no\n", "new/-dash": "n", 'dé/q"\t\n.md': "y" });
  rmSync(join(place.path, "gone.txt"));
  runGit(place.path, ["add", "-f", "other.log"]);
  expect(await changed()).toEqual([
    "modified a.txt",
    'added dé/q"\t\n.md',
    "deleted gone.txt",
    "modified kept.log",
    "added new/-dash",
  ]);
});

test("[A16] the commit is the app's, over the base, unsigned, on the hidden ref, whatever the agent committed itself", async () => {
  temp.git("config", "commit.gpgsign", "true");
  temp.git("config", "gpg.program", trap());
  write({ "a.txt": "uno\n" });
  runGit(place.path, ["-c", "commit.gpgsign=false", "commit", "--quiet", "-am", "agent's own"]);
  const { commit, isEmpty } = await shoot();
  const words = temp.git("log", "-1", "--format=%P %an <%ae> %cn %s", ref);
  expect([isEmpty, temp.git("rev-parse", ref), words, isSprung()]).toEqual([
    false,
    commit,
    `${root} Coppice <coppice@localhost> Coppice work of subagent-1`,
    false,
  ]);
});

test("a file may become a folder, a folder a file, and a folder a link", async () => {
  rmSync(join(place.path, "a.txt"));
  write({ "a.txt/inner": "i" });
  rmSync(join(place.path, "src"), { recursive: true });
  symlinkSync("/etc", join(place.path, "src"));
  mkdirSync(join(place.path, "empty"));
  const { tree } = await shoot();
  expect(temp.git("ls-tree", "-r", "--format=%(objectmode) %(path)", tree).split("\n")).toEqual([
    "100644 .gitignore",
    "100644 a.txt/inner",
    "100644 gone.txt",
    "100644 kept.log",
    "120000 src",
  ]);
});

test("a folder replaced by a link to a copy of itself is a link", async () => {
  rmSync(join(place.path, "src"), { recursive: true });
  write({ "real/x.ts": "edited\n" });
  symlinkSync("real", join(place.path, "src"));
  expect(await changed()).toEqual(["added real/x.ts", "added src", "deleted src/x.ts"]);
});

test("a repository made inside is left out, with or without commits, and the message says so", async () => {
  runGit(place.path, ["init", "--quiet", "empty"]);
  write({ "nested/file": "f" });
  runGit(join(place.path, "nested"), ["init", "--quiet"]);
  runGit(join(place.path, "nested"), ["add", "."]);
  runGit(join(place.path, "nested"), ["-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "x"]);
  const { commit, isEmpty, leftOut } = await shoot();
  expect([isEmpty, leftOut, temp.git("log", "-1", "--format=%b", commit).split("\n").filter(Boolean)]).toEqual([
    true,
    ["empty/", "nested/"],
    ["Left out, since git cannot hold it as files: empty/", "Left out, since git cannot hold it as files: nested/"],
  ]);
});

test("a folder of tracked files that was made a repository keeps its files", async () => {
  runGit(join(place.path, "src"), ["init", "--quiet"]);
  write({ "src/x.ts": "edited\n", "src/y.ts": "new\n" });
  expect(await changed()).toEqual(["modified src/x.ts", "added src/y.ts"]);
});

test("nothing that an agent wrote to its git files is followed or run", async () => {
  const other = createTempRepository({ other: "o" });
  const script = trap();
  for (const config of [join(place.gitDir ?? "", "config.worktree"), join(other.folder, ".git/config")]) {
    runGit(temp.folder, ["config", "--file", config, "core.fsmonitor", script]);
    runGit(temp.folder, ["config", "--file", config, "filter.evil.clean", script]);
  }
  writeFileSync(join(place.path, ".git"), `gitdir: ${join(other.folder, ".git")}\n`);
  writeFileSync(join(place.gitDir ?? "", "commondir"), join(other.folder, ".git"));
  writeFileSync(join(place.gitDir ?? "", "index"), "not an index");
  write({ ".gitattributes": "* filter=evil\n", "a.txt": "uno\n" });
  const before = runGit(other.folder, ["rev-parse", "HEAD"]).toString();
  const paths = await changed();
  const after = runGit(other.folder, ["rev-parse", "HEAD"]).toString();
  other.cleanup();
  expect([paths, after, isSprung()]).toEqual([["added .gitattributes", "modified a.txt"], before, false]);
});

test("flags in the agent's index hide nothing", async () => {
  write({ "a.txt": "uno\n", "src/x.ts": "y\n" });
  runGit(place.path, ["update-index", "--assume-unchanged", "a.txt"]);
  runGit(place.path, ["update-index", "--skip-worktree", "src/x.ts"]);
  expect(await changed()).toEqual(["modified a.txt", "modified src/x.ts"]);
});

test("an index.lock of the user's is neither needed nor touched", async () => {
  const lock = join(repo.commonDir, "index.lock");
  writeFileSync(lock, "");
  write({ "a.txt": "uno\n" });
  expect([await changed(), existsSync(lock)]).toEqual([["modified a.txt"], true]);
});

test("[B13] under autocrlf one edited line is one changed line, and untouched files are unchanged", async () => {
  temp.git("config", "core.autocrlf", "true");
  temp.write({ "crlf.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  temp.commitAll("lines");
  await port.removeWorkPlace(repo, place);
  await start();
  write({ "crlf.txt": "1\r\n2\r\n3\r\n4\r\nfive\r\n6\r\n7\r\n8\r\n9\r\n" });
  const { commit } = await shoot();
  const changes = await port.changesBetween(repo, root, commit);
  expect(changes.map(({ path, added, removed }) => ({ path, added, removed }))).toEqual([
    { path: "crlf.txt", added: 1, removed: 1 },
  ]);
});

test("a file stored with line ends that its attributes would change is unchanged while nobody touches it", async () => {
  temp.write({ "dos.txt": "a\r\nb\r\n" });
  temp.commitAll("stored with CRLF");
  temp.write({ ".gitattributes": "*.txt text\n" });
  temp.git("add", ".gitattributes");
  temp.git("commit", "--quiet", "-m", "attributes");
  await port.removeWorkPlace(repo, place);
  await start();
  write({ "a.txt": "uno\n" });
  expect(await changed()).toEqual(["modified a.txt"]);
});

test("the user's own changes can be the base, and their index stays as it is", async () => {
  temp.write({ "a.txt": "mine\n", "untracked.txt": "u\n" });
  temp.git("add", "a.txt");
  const before = temp.git("status", "--porcelain");
  const users = { kind: "worktree", path: repo.topLevel, root, gitDir: null } as const;
  const { commit } = need(await port.snapshot(repo, users, root, "refs/coppice/r/base", "with uncommitted changes"));
  expect([
    (await port.changesBetween(repo, root, commit)).map(({ path }) => path),
    temp.git("status", "--porcelain"),
  ]).toEqual([["a.txt", "untracked.txt"], before]);
});

test("files that the user's sparse checkout leaves out are not deleted by a snapshot of it", async () => {
  temp.git("sparse-checkout", "set", "--no-cone", "/a.txt");
  temp.write({ "a.txt": "mine\n" });
  const users = { kind: "worktree", path: repo.topLevel, root, gitDir: null } as const;
  const { commit } = need(await port.snapshot(repo, users, root, "refs/coppice/r/base", "dirty"));
  expect((await port.changesBetween(repo, root, commit)).map(({ path }) => path)).toEqual(["a.txt"]);
});

test("a file name that git refuses is left out, and the message says so", async () => {
  write({ "sub/.GIT/config": "x", "a.txt": "uno\n" });
  const { commit } = await shoot();
  const words = temp.git("log", "-1", "--format=%b", commit);
  expect([await changed(), words]).toEqual([
    ["modified a.txt"],
    "Left out, since git cannot hold it as files: sub/.GIT/config",
  ]);
});

test("[B22] a filter that fails stops the snapshot with git's words, and no ref appears", async () => {
  temp.git("config", "filter.broken.clean", "false");
  temp.git("config", "filter.broken.required", "true");
  write({ ".gitattributes": "a.txt filter=broken\n", "a.txt": "uno\n" });
  const outcome = await port.snapshot(repo, place, root, ref, "m");
  expect([outcome, await port.readRef(repo, ref)]).toEqual([
    { ok: false, error: { code: "SNAPSHOT_FAILED", message: expect.stringContaining("a.txt") } },
    null,
  ]);
});

test("only hidden refs of the app are written", async () => {
  const outcome = await port.snapshot(repo, place, root, "refs/heads/main", "m");
  expect([outcome.ok, temp.git("rev-parse", "main")]).toEqual([false, root]);
});

describe("snapshotCheckout", () => {
  const index = () => [
    readFileSync(join(temp.folder, ".git/index"), "hex"),
    statSync(join(temp.folder, ".git/index"), { bigint: true }).mtimeNs,
  ];

  test("holds edited, deleted, staged and untracked files over the head, and leaves index, refs and times alone", async () => {
    temp.write({ "a.txt": "mine\n", "new/untracked.txt": "u\n", "noise.log": "no\n", "staged.txt": "first\n" });
    temp.git("add", "staged.txt");
    temp.write({ "staged.txt": "second\n" });
    rmSync(join(temp.folder, "gone.txt"));
    const look = () => [
      index(),
      statSync(join(temp.folder, "a.txt"), { bigint: true }).mtimeNs,
      temp.git("for-each-ref"),
      temp.git("status", "--porcelain"),
    ];
    const before = look();
    const shot = need(await port.snapshotCheckout(repo, temp.folder, root));
    const paths = (await port.changesBetween(repo, root, shot.commit)).map(({ change, path }) => `${change} ${path}`);
    expect([
      paths,
      temp.git("show", `${shot.commit}:staged.txt`),
      temp.git("log", "-1", "--format=%P", shot.commit),
      shot.isEmpty,
      look(),
    ]).toEqual([
      ["modified a.txt", "deleted gone.txt", "added new/untracked.txt", "added staged.txt"],
      "second",
      root,
      false,
      before,
    ]);
  });

  test("is of the worktree that is named, past a held index, and empty where nothing is dirty", async () => {
    const linked = join(temp.outside, "linked");
    temp.git("worktree", "add", "--quiet", "-b", "side", linked);
    temp.write({ "a.txt": "mine\n" });
    writeFileSync(join(temp.folder, ".git/worktrees/linked/index.lock"), "");
    const clean = need(await port.snapshotCheckout(repo, linked, root));
    temp.write({ "a.txt": "linked\n" }, linked);
    const dirty = need(await port.snapshotCheckout(repo, linked, root));
    expect([clean.isEmpty, temp.git("show", `${dirty.commit}:a.txt`)]).toEqual([true, "linked"]);
  });

  test("is refused for a folder that is no checkout of the repository", async () => {
    const outcome = await port.snapshotCheckout(repo, temp.outside, root);
    expect(outcome).toEqual({
      ok: false,
      error: { code: "SNAPSHOT_FAILED", message: expect.stringContaining("not a checkout") },
    });
  });
});
