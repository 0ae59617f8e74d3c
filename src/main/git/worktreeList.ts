// Which worktrees git knows of, by path. Reads only; what is to be done with them is decided elsewhere.

import type { RepositoryFacts } from "../domain/records.ts";
import { git } from "./git.ts";
import { showPath, splitNul } from "./names.ts";

/** Paths of registered worktrees whose path begins with `prefix` (absolute), those included whose folder is gone. */
export async function worktreesUnder(repo: RepositoryFacts, prefix: string): Promise<readonly string[]> {
  const { stdout } = await git({ gitDir: repo.commonDir, args: ["worktree", "list", "--porcelain", "-z"] });
  return splitNul(stdout)
    .map(showPath)
    .flatMap((field) => (field.startsWith("worktree ") ? [field.slice("worktree ".length)] : []))
    .filter((path) => path.startsWith(prefix));
}
