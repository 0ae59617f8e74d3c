// Another commit brought into a worktree in which an agent has been at work, with real git.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import { createGit } from "./createGit.ts";
import { markedBytes } from "./rebase.ts";

let temp: TempRepository;
beforeEach(() => {
  temp = createTempRepository({
    "a.txt": "one\ntwo\nthree\n",
    "kept.txt": "kept\n",
    "gone.txt": "gone\n",
    ".gitignore": "*.log\n",
  });
});
afterEach(() => temp.cleanup());

test("a worktree comes to the new root with the change on it, keeps what git does not hold, and the same again is the same", async () => {
  const port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const { facts: repo, head: base } = opened.value;
  const added = await port.addWorktree(repo, join(temp.outside, "places", "w"), base);
  if (!added.ok) throw new Error(added.error.message);
  const { path } = added.value;
  const at = (name: string) => join(path, name);
  writeFileSync(at("a.txt"), "one\nzwei\nthree\n");
  writeFileSync(at("new.txt"), "mine\n");
  writeFileSync(at("build.log"), "ignored\n");
  rmSync(at("gone.txt"));
  mkdirSync(at("inner"));
  runGit(at("inner"), ["init", "--quiet"]);
  writeFileSync(at("inner/x"), "of a repository inside\n");
  const shot = await port.snapshot(repo, added.value, base, "refs/coppice/r/subagent-1/1", "work");
  if (!shot.ok) throw new Error(shot.error.message);

  temp.write({ "a.txt": "one\ndeux\nthree\n", "theirs.txt": "theirs\n", "gone.txt": "gone, but not by half\n" });
  temp.git("rm", "--quiet", "kept.txt");
  const root = temp.commitAll("theirs") as Oid;
  const plan = { base, commit: shot.value.commit, root, name: "main" };
  const look = () => ({
    files: ["a.txt", "new.txt", "theirs.txt", "build.log", "inner/x", "gone.txt"].map((name) =>
      readFileSync(at(name), "utf8"),
    ),
    head: runGit(path, ["rev-parse", "HEAD"]).toString().trim(),
    // To the agent's own git, what it sees there is a change to the new root.
    status: runGit(path, ["status", "--porcelain", "--untracked-files=all"]).toString(),
  });
  const brought = {
    files: [
      "one\n<<<<<<< main\ndeux\n||||||| what both began with\ntwo\n=======\nzwei\n>>>>>>> your change\nthree\n",
      "mine\n",
      "theirs\n",
      "ignored\n",
      "of a repository inside\n",
      "gone, but not by half\n",
    ],
    head: root,
    status: " M a.txt\n?? inner/\n?? new.txt\n",
  };
  const first = await port.rebaseWorktree(repo, added.value, plan);
  expect(first).toEqual({ ok: true, value: { place: { ...added.value, root }, conflicts: ["a.txt", "gone.txt"] } });
  expect(look()).toEqual(brought);
  await port.rebaseWorktree(repo, added.value, plan);
  expect(look()).toEqual(brought);
  expect(temp.git("status", "--porcelain")).toBe("");
});

test("marks have the line ends of the file, and a last line without one gets one before a mark", () => {
  const side = (text: string) => Buffer.from(text, "utf8");
  const conflict = { kind: "conflict", target: side("t\r\n"), base: side(""), proposed: side("p") } as const;
  expect(markedBytes([{ kind: "merged", bytes: side("a\r\n") }, conflict], "main").toString("utf8")).toBe(
    "a\r\n<<<<<<< main\r\nt\r\n||||||| what both began with\r\n=======\r\np\r\n>>>>>>> your change\r\n",
  );
});
