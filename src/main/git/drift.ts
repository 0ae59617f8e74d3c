// Says how a branch has moved since a commit: how far, and whether at paths that somebody cares about. Reads only.

import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { BranchDrift, DriftCommit } from "../engine/ports/git.ts";
import { pathChanges } from "./changeset.ts";
import { longTimeoutMs } from "./git.ts";
import { requireOid, showPath, splitNul } from "./names.ts";
import { gitObjects } from "./objects.ts";

/** Commits that are named one by one. */
const maxNamed = 10;

/** `among`: paths as change sets name them; absent = every path. Merges count as touching what they changed beyond their parents. */
export async function driftBetween(
  repo: RepositoryFacts,
  base: Oid,
  tip: Oid,
  among?: readonly string[],
): Promise<BranchDrift> {
  const range = `${requireOid(base)}...${requireOid(tip)}`;
  const args = ["rev-list", "--count", "--left-right", range];
  const { stdout } = await gitObjects(repo, { args, timeoutMs: longTimeoutMs });
  const [behindCount = 0, aheadCount = 0] = stdout.toString("utf8").trim().split("\t").map(Number);
  const paths = (await pathChanges(repo, base, tip)).map(({ path }) => showPath(path));
  const touching = among === undefined || aheadCount === 0 ? [] : await findTouching(repo, base, tip, among);
  return {
    aheadCount,
    behindCount,
    touchingCount: among === undefined ? aheadCount : touching.length,
    paths,
    touching: touching.slice(0, maxNamed),
  };
}

async function findTouching(
  repo: RepositoryFacts,
  base: Oid,
  tip: Oid,
  among: readonly string[],
): Promise<readonly DriftCommit[]> {
  if (among.length === 0) return [];
  const wanted = new Set(among);
  // Not a pathspec: a list of paths may be longer than a command line, and a path may hold a line end.
  // What people set for their own `git log` has no say.
  const plain = ["--no-show-signature", "--encoding=UTF-8", "-O/dev/null", "--no-relative", "--no-follow"];
  const args = ["log", ...plain, "--format=%x00%x00%H %s", "--name-only", "--no-renames", "-z", `${base}..${tip}`];
  const { stdout } = await gitObjects(repo, { args, timeoutMs: longTimeoutMs });
  return parseCommits(stdout)
    .map(({ paths, ...commit }) => ({ ...commit, paths: paths.filter((path) => wanted.has(path)) }))
    .filter(({ paths }) => paths.length > 0);
}

/** Each commit is empty fields, its name with its subject, and its paths, the first of which has a line end before it. */
function parseCommits(output: Buffer): (DriftCommit & { readonly paths: string[] })[] {
  const commits: (DriftCommit & { readonly paths: string[] })[] = [];
  let isNamed = true;
  for (const field of splitNul(output)) {
    const last = commits.at(-1);
    if (field.length === 0) isNamed = false;
    else if (!isNamed || last === undefined) {
      const [name = "", ...words] = field.toString("utf8").split(" ");
      commits.push({ commit: requireOid(name), subject: words.join(" "), paths: [] });
      isNamed = true;
    } else last.paths.push(showPath(last.paths.length === 0 ? field.subarray(1) : field));
  }
  return commits;
}
