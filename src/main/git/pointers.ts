// Files that Git LFS keeps: in a work place they stand as pointers, since fetching their content could take gigabytes for
// each agent. Reads only.

import type { RepositoryFacts } from "../domain/records.ts";
import type { WorkPlace } from "../engine/ports/git.ts";
import { git, longTimeoutMs } from "./git.ts";
import { requireOid, splitNul } from "./names.ts";

/** How many files of the place's tree are Git LFS's, by the attributes that stand in the place. Of a repository that does not use it: one look at its attribute files. */
export async function countPointers(repo: RepositoryFacts, place: WorkPlace): Promise<number> {
  const gitDir = repo.commonDir;
  const root = requireOid(place.root);
  const named = await git({
    gitDir,
    args: ["grep", "-q", "-F", "-e", "filter=lfs", root, "--", ":(top,glob)**/.gitattributes"],
    env: { GIT_LITERAL_PATHSPECS: "0" },
    answers: [0, 1],
  });
  if (named.exitCode === 1) return 0;
  const listed = await git({ gitDir, args: ["ls-tree", "-r", "-z", "--name-only", root], timeoutMs: longTimeoutMs });
  const { stdout } = await git({
    gitDir,
    workTree: place.path,
    args: ["check-attr", "--stdin", "-z", "filter"],
    input: listed.stdout,
    timeoutMs: longTimeoutMs,
  });
  // Path, attribute, value: over and over.
  return splitNul(stdout).filter((field, index) => index % 3 === 2 && field.toString("latin1") === "lfs").length;
}
