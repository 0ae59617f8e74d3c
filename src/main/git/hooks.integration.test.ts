// Which hooks of the user's a landing passes by. With real git.

import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let repo: RepositoryFacts;
const port = () => createGit({ dataFolder: temp.outside });

beforeEach(async () => {
  temp = createTempRepository();
  const opened = await port().openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  repo = opened.value.facts;
});
afterEach(() => {
  temp.cleanup();
  rmSync(temp.outside, { recursive: true, force: true });
});

function writeHook(path: string, mode = 0o755): void {
  temp.write({ [path]: "#!/bin/sh\nexit 1\n" });
  chmodSync(join(temp.folder, path), mode);
}

const found = () => port().findHooks(repo, temp.folder);

test("[A14] the hooks of a checkout are those that git would run there, wherever its settings say they are", async () => {
  rmSync(join(temp.folder, ".git/hooks"), { recursive: true, force: true });
  const none = await found();
  writeHook(".git/hooks/commit-msg");
  // Not to be run, and no hook of a commit.
  writeHook(".git/hooks/post-commit", 0o644);
  writeHook(".git/hooks/pre-push");
  const own = await found();
  writeHook(".husky/_/pre-commit");
  temp.git("config", "core.hooksPath", ".husky/_");
  const relative = await found();
  temp.git("config", "core.hooksPath", join(temp.folder, ".git/hooks"));
  expect([none, own, relative, await found()]).toEqual([[], ["commit-msg"], ["pre-commit"], ["commit-msg"]]);
});
