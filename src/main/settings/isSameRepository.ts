// Which repository something is kept for: that of this common dir with this root commit. Knows no file and no git.

import type { RepositoryKey } from "../engine/ports/rules.ts";

/** A folder that was emptied and filled with another repository is another one; so is a copy elsewhere. */
export function isSameRepository(
  left: { readonly commonDir: string; readonly rootCommit: string },
  right: RepositoryKey,
): boolean {
  return left.commonDir === right.commonDir && left.rootCommit === right.rootCommit;
}
