// Lists in kept files that have one entry for each repository: that of this common dir with this root commit. Knows no file
// and no git.

import type { RepositoryKey } from "../engine/ports/rules.ts";

/** A repository as it stands in a kept file. */
export interface KeptKey {
  readonly commonDir: string;
  readonly rootCommit: string;
}

/** What is kept for this repository; `undefined`: nothing. */
export function entryOf<E extends KeptKey>(entries: readonly E[], repo: RepositoryKey): E | undefined {
  return entries.find((entry) => isSame(entry, repo));
}

/** The entries with what is kept for this repository now, last of all; `null`: nothing any more. */
export function withEntry<E extends KeptKey>(
  entries: readonly E[],
  repo: RepositoryKey,
  kept: Omit<E, keyof KeptKey> | null,
): readonly (KeptKey & Omit<E, keyof KeptKey>)[] {
  const { commonDir, rootCommit } = repo;
  const others = entries.filter((entry) => !isSame(entry, repo));
  return kept === null ? others : [...others, { commonDir, rootCommit, ...kept }];
}

/** A folder that was emptied and filled with another repository is another one; so is a copy elsewhere. */
function isSame(left: KeptKey, right: RepositoryKey): boolean {
  return left.commonDir === right.commonDir && left.rootCommit === right.rootCommit;
}
