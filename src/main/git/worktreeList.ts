// Which worktrees there are of a repository, by path: those that git knows of, and ours that it does not list, since it died
// in their making or their removal was cut. Reads only; what is to be done with them is decided elsewhere.

import { dirname, join, sep } from "node:path";
import type { RepositoryFacts } from "../domain/records.ts";
import { findNames } from "./files.ts";
import { foreignLock, linkOf, listWorktrees, placeName } from "./entries.ts";

/** Paths of worktrees whose path begins with `prefix` (absolute), those included whose folder is gone, and those that lead nowhere and are of `runs`, as their names say: another's may be just in the making. */
export async function worktreesUnder(
  repo: RepositoryFacts,
  prefix: string,
  runs: readonly string[],
): Promise<readonly string[]> {
  const listed = (await listWorktrees(repo)).flatMap((field) =>
    field.startsWith("worktree ") ? [field.slice("worktree ".length)] : [],
  );
  const folder = prefix.endsWith(sep) ? prefix : dirname(prefix);
  const isOurs = (name: string) => placeName.test(name) && runs.some((run) => name.startsWith(`${run}-e`));
  const cut = (await cutEntries(repo)).filter(isOurs).map((name) => join(folder, name));
  return [...new Set([...listed, ...cut])].filter((path) => path.startsWith(prefix));
}

/** Names of entries that lead nowhere, which git neither lists nor, where they are locked, prunes: it died before it wrote where they point, or a removal was cut after that went. Those that somebody else has locked are left out. */
async function cutEntries(repo: RepositoryFacts): Promise<readonly string[]> {
  const parent = join(repo.commonDir, "worktrees");
  const cut: string[] = [];
  for (const name of (await findNames(parent)) ?? []) {
    const entry = join(parent, name);
    if ((await linkOf(entry)) === null && (await foreignLock(entry)) === null) cut.push(name);
  }
  return cut;
}
