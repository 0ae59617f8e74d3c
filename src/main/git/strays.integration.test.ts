// What stands in a worktree that nobody holds is kept on a branch, with real git, also where an earlier attempt was cut short.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

const branch = "coppice-restored/w";
let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let root: Oid;
let path: string;

beforeEach(async () => {
  temp = createTempRepository({ "a.txt": "one\n", "b.txt": "two\n" });
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  ({ facts: repo, head: root } = opened.value);
  path = join(temp.outside, "places", "w");
  await port.addWorktree(repo, path, root);
  runGit(path, ["commit", "--quiet", "--allow-empty", "-m", "made there"]);
  writeFileSync(join(path, "new.txt"), "left\n");
});
afterEach(() => temp.cleanup());

const keep = async () => port.keepOnBranch(repo, await port.inspectWorktree(repo, path, root), branch);
const refs = (...of: string[]) => temp.git("for-each-ref", "--format=%(objectname) %(refname)", ...of);
const filesOn = () => temp.git("ls-tree", "-r", "--name-only", branch).split("\n");

test("[A28] keeping is repeated where the removal after it was cut, before it began or half way, and leaves no other ref", async () => {
  const first = await keep();
  const standing = refs();
  // The snapshot of another second is another commit.
  runGit(path, ["update-ref", `refs/heads/${branch}`, reworded(first)]);
  const again = await keep();
  rmSync(join(path, "b.txt"));
  rmSync(join(path, "new.txt"));
  const half = await keep();
  expect({ again, half, files: filesOn(), parent: temp.git("log", "-1", "--format=%s", `${branch}^`) }).toEqual({
    again: { ok: true, value: temp.git("rev-parse", branch) },
    half: { ok: true, value: temp.git("rev-parse", branch) },
    files: ["a.txt", "b.txt", "new.txt"],
    parent: "made there",
  });
  expect(standing.split("\n").map((line) => line.split(" ")[1])).toEqual([`refs/heads/${branch}`, "refs/heads/main"]);
});

test("[A28] a branch that lacks something of it is told, and stands", async () => {
  await keep();
  const standing = refs();
  writeFileSync(join(path, "new.txt"), "written since\n");
  expect(await keep()).toMatchObject({ ok: false, error: { code: "BAD_BRANCH_NAME" } });
  expect(refs()).toBe(standing);
});

test("[A28] a commit that only the snapshot of an earlier attempt holds goes on the branch", async () => {
  rmSync(join(path, "new.txt"));
  const head = runGit(path, ["rev-parse", "HEAD"]).toString().trim();
  temp.git("update-ref", "refs/coppice/strays/w", head);
  expect(await keep()).toEqual({ ok: true, value: head });
  expect(refs("refs/coppice")).toBe("");
});

function reworded(kept: Awaited<ReturnType<typeof keep>>): string {
  if (!kept.ok || kept.value === null) throw new Error("Nothing was kept.");
  const of = (revision: string) => temp.git("rev-parse", `${kept.value}${revision}`);
  return temp.git("commit-tree", of("^{tree}"), "-p", of("^"), "-m", "the same, at another time");
}
