// Which hooks of the user's a landing on their checkout passes by. The app runs none, anywhere, so it says whose word is missing.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { RepositoryFacts } from "../domain/records.ts";
import { hasEntry } from "./files.ts";
import { git } from "./git.ts";

/** What git runs around a commit and a change of a checkout. */
const hookNames = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-merge-commit",
  "post-merge",
  "post-checkout",
  "reference-transaction",
];

/** Names of the hooks that git would find and run in this checkout; none where there are none. */
export async function findHooks(repo: RepositoryFacts, checkout: string): Promise<readonly string[]> {
  const folder = await hooksFolder(repo, checkout);
  const found = await Promise.all(hookNames.map((name) => isExecutable(join(folder, name))));
  return hookNames.filter((_, index) => found[index]);
}

async function hooksFolder(repo: RepositoryFacts, checkout: string): Promise<string> {
  const { stdout } = await git({
    gitDir: repo.commonDir,
    workTree: checkout,
    args: ["config", "-z", "--type=path", "--get-all", "core.hooksPath"],
  });
  // The last value is the app's own, which keeps hooks from running; the one before it is the user's.
  const named = stdout
    .toString("utf8")
    .split("\0")
    .filter((value) => value !== "")
    .at(-2);
  if (named === undefined) return join(repo.commonDir, "hooks");
  return isAbsolute(named) ? named : join(checkout, named);
}

async function isExecutable(path: string): Promise<boolean> {
  if (!(await hasEntry(path))) return false;
  return access(path, constants.X_OK).then(
    () => true,
    // Git passes by a hook that may not be run, and says so itself.
    () => false,
  );
}
