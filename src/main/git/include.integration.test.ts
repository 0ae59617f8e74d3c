// Ignored files that a worktree needs. With real git.

import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

import { createTempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import { createGit } from "./createGit.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

test("[A25] what .worktreeinclude names and git ignores is copied into a worktree; never what it does not ignore, links, or over anything", async () => {
  const temp = createTempRepository({
    ".gitignore": ".env\nlocal/\nlinked\n*.log\n",
    ".worktreeinclude": ".env\nlocal/**/*.json\nnotes.txt\nlinked\nout/\n",
    "a.txt": "a\n",
  });
  cleanups.push(() => temp.cleanup());
  const port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  // A folder of the commit that leads out of the worktree.
  symlinkSync(temp.outside, join(temp.folder, "out"));
  temp.git("add", "out");
  const root = temp.commitAll("out") as Oid;
  rmSync(join(temp.folder, "out"));
  temp.write({
    ".env": "KEY=1\n",
    "local/deep/settings.json": "{}\n",
    "local/other.txt": "no\n",
    "notes.txt": "not ignored\n",
    "x.log": "not named\n",
    "out/secret.log": "through a link\n",
  });
  symlinkSync("/etc/hostname", join(temp.folder, "linked"));
  const made = await port.addWorktree(opened.value.facts, join(temp.outside, "data/places/one"), root);
  if (!made.ok) throw new Error(made.error.message);
  const copied = await port.copyIncluded(opened.value.facts, made.value);
  expect(copied.toSorted()).toEqual([".env", "local/deep/settings.json"]);
  expect(readFileSync(join(made.value.path, "local/deep/settings.json"), "utf8")).toBe("{}\n");
  // A second time there is nothing to copy but what more is asked for: what stands there stays.
  expect(await port.copyIncluded(opened.value.facts, made.value)).toEqual([]);
  expect(await port.copyIncluded(opened.value.facts, made.value, ["/x.log"])).toEqual(["x.log"]);
  await port.removeWorkPlace(opened.value.facts, made.value);
});
