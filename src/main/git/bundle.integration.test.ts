// A run's commits as a bundle: out of one repository, into a copy of it, and into no other.

import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid, RunId } from "../../shared/contract/ids.ts";
import { hiddenRefs } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

const run = "r1" as RunId;
let repository: TempRepository;
let base: Oid;
beforeAll(() => {
  repository = createTempRepository();
  runGit(repository.outside, ["clone", "--quiet", repository.folder, "copy"]);
  repository.write({ "b.txt": "What the run begins with.\n" });
  base = repository.commitAll("Base") as Oid;
  repository.write({ "a.txt": "one\nzwei\nthree\n" });
  const change = repository.commitAll("Proposed");
  repository.git("update-ref", hiddenRefs.base(run), base);
  repository.git("update-ref", `refs/coppice/${run}/subagent-1/1`, change);
  repository.git("update-ref", "refs/coppice/another/base", change);
});
afterAll(() => repository.cleanup());

test("a run's refs go into a bundle, and from there into a copy of the repository, and into no other", async () => {
  const git = createGit({ dataFolder: join(repository.outside, "data") });
  const factsOf = async (folder: string) => {
    const opened = await git.openRepository(folder);
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value.facts;
  };
  const facts = await factsOf(repository.folder);
  const bundle = join(repository.outside, "run.bundle");
  const own = await git.listHiddenRefs(facts, run);
  expect(await git.bundleRefs(facts, run, base, bundle)).toEqual(own.map(({ ref }) => ref));
  const copy = await factsOf(join(repository.outside, "copy"));
  expect(await git.restoreRefs(copy, run, bundle)).toEqual({ ok: true, value: own.map(({ ref }) => ref) });
  expect(await git.listHiddenRefs(copy)).toEqual(own);
  expect(runGit(copy.topLevel, ["show", `refs/coppice/${run}/subagent-1/1:a.txt`]).toString()).toBe(
    "one\nzwei\nthree\n",
  );

  const stranger = createTempRepository({ "b.txt": "something else\n" });
  const refused = await git.restoreRefs(await factsOf(stranger.folder), run, bundle);
  expect(refused).toMatchObject({ ok: false, error: { code: "BUNDLE_UNUSABLE" } });
  expect(await git.listHiddenRefs(await factsOf(stranger.folder))).toEqual([]);
  stranger.cleanup();
});

test("a repository that is gone, or has nothing of the run, gives none", async () => {
  const git = createGit({ dataFolder: join(repository.outside, "data") });
  const facts = { topLevel: "/no/such/folder", commonDir: "/no/such/folder/.git", rootCommit: base };
  const file = join(repository.outside, "none.bundle");
  expect(await git.bundleRefs(facts, run, base, file)).toEqual([]);
  const here = await git.openRepository(repository.folder);
  if (!here.ok) throw new Error(here.error.message);
  expect(await git.bundleRefs(here.value.facts, "r9" as RunId, base, file)).toEqual([]);
});
