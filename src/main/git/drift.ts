// Says how a branch has moved since a commit: how far, and whether at paths that somebody cares about. Reads only.

import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/events.ts";
import type { BranchDrift } from "../engine/ports/git.ts";
import { pathChanges } from "./changeset.ts";
import { longTimeoutMs } from "./git.ts";
import { requireOid, showPath, splitNul } from "./names.ts";
import { gitObjects } from "./objects.ts";

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
  return { aheadCount, behindCount, touchingCount: await countTouching(repo, base, tip, aheadCount, among), paths };
}

async function countTouching(
  repo: RepositoryFacts,
  base: Oid,
  tip: Oid,
  aheadCount: number,
  among: readonly string[] | undefined,
): Promise<number> {
  if (among === undefined || aheadCount === 0) return aheadCount;
  if (among.length === 0) return 0;
  const wanted = new Set(among);
  // Not a pathspec: a list of paths may be longer than a command line, and a path may hold a line end.
  const args = ["log", "--format=%x00%x00%H", "--name-only", "--no-renames", "-z", `${base}..${tip}`];
  const { stdout } = await gitObjects(repo, { args, timeoutMs: longTimeoutMs });
  return parseCommits(stdout).filter((paths) => paths.some((path) => wanted.has(path))).length;
}

/** Paths by commit. Each commit is empty fields, its name, and its paths, the first of which has a line end before it. */
function parseCommits(output: Buffer): string[][] {
  const commits: string[][] = [];
  let isNamed = true;
  for (const field of splitNul(output)) {
    const paths = commits.at(-1);
    if (field.length === 0) isNamed = false;
    else if (!isNamed || paths === undefined) {
      commits.push([]);
      isNamed = true;
    } else paths.push(showPath(paths.length === 0 ? field.subarray(1) : field));
  }
  return commits;
}
