// Merges in memory what is to land. Neither an index nor a work tree takes part, so there is nothing to abort or to clean up.

import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { MergeOutcome } from "../engine/ports/git.ts";
import { GitError, longTimeoutMs } from "./git.ts";
import { requireOid, showPath, splitNul } from "./names.ts";
import { commitTree, gitObjects, treeOf } from "./objects.ts";

/**
 * Three-way merge of the tree of `target` and of `tree`. Both are put on synthetic commits whose only parent is `base`, so that
 * the recorded base is the merge base whatever the history says, and what was dropped since does not come back.
 */
export async function mergeTrees(repo: RepositoryFacts, base: Oid, target: Oid, tree: Oid): Promise<MergeOutcome> {
  const synthesize = (side: Oid) => commitTree(repo, { tree: side, parent: base, message: "merge input", at: 0 });
  const ours = await synthesize(await treeOf(repo, target));
  const theirs = await synthesize(requireOid(tree));
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs];
  const { exitCode, stdout } = await gitObjects(repo, { args, answers: [0, 1], timeoutMs: longTimeoutMs });
  const [merged, ...paths] = splitNul(stdout);
  if (merged === undefined) throw new GitError("GIT_FAILED", "git merge-tree answered with nothing.", args);
  if (exitCode === 0) return { kind: "clean", tree: requireOid(merged.toString("utf8")) };
  return { kind: "conflict", paths: [...new Set(paths.map(showPath))].filter((path) => path !== "").toSorted() };
}

/**
 * The tree that takes the landing `parent` → `landed` back on top of `tip`. The landing is the base and its parent one of the two
 * sides, so what came after it stays, and what has changed since at the same lines is a conflict.
 */
export async function revertTree(
  repo: RepositoryFacts,
  undo: { readonly landed: Oid; readonly parent: Oid; readonly tip: Oid },
): Promise<MergeOutcome> {
  return mergeTrees(repo, undo.landed, undo.tip, await treeOf(repo, undo.parent));
}
