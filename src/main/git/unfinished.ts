// Tells what git operation a checkout is in the middle of, from the files that git keeps for it in that checkout's git dir.

import { join } from "node:path";
import { hasEntry } from "./files.ts";

const signs: readonly (readonly [file: string, operation: string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase or a git am"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  // Between two commits of a series neither of the two heads is there.
  ["sequencer", "a cherry-pick or a revert"],
  ["BISECT_LOG", "a bisect"],
];

/** The operation in words; `null` when none is unfinished. `gitDir` is the checkout's own, not the common one. */
export async function findUnfinished(gitDir: string): Promise<string | null> {
  for (const [file, operation] of signs) if (await hasEntry(join(gitDir, file))) return operation;
  return null;
}
