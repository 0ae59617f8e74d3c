// What a person has done about a worktree: looked at once more, since it may stand otherwise by now, and nothing is
// removed while its run is held by anybody. What it holds is on a branch, read back, before that.

import type { WorktreeAct } from "../../shared/contract/worktrees.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { FoundWorktree } from "../engine/ports/git.ts";
import { lookAtWorktrees, type WorktreeParts } from "./worktreesPage.ts";

export interface Mending {
  readonly path: string;
  readonly act: WorktreeAct;
}

/** Says what was done. Codes `NOT_ALLOWED_NOW` where it stands otherwise now, `DRIVEN_ELSEWHERE`, those of `keepOnBranch`, `WORKTREE_FAILED`. */
export async function mendWorktree(parts: WorktreeParts, { path, act }: Mending): Promise<Result<string>> {
  const [looked] = (await lookAtWorktrees(parts, path)).lines;
  if (!looked || looked.line.act !== act || looked.found === null || looked.repo === null)
    return fail({
      code: "NOT_ALLOWED_NOW",
      message: `${path} stands otherwise by now, so nothing was done. Look again.`,
    });
  const { found, repo, line } = looked;
  try {
    if (act === "repair") return await reconnect(parts, repo, found);
    const run = line.run;
    if (run === null) return await keepAndRemove(parts, repo, found, line.branch);
    const leases = await parts.store.acquire(run);
    if (!leases.ok) return leases;
    try {
      return await keepAndRemove(parts, repo, found, line.branch);
    } finally {
      await parts.store.release(run);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail({ code: "WORKTREE_FAILED", message: `${path} was left as it is: ${error.message}` });
  }
}

async function reconnect({ git }: WorktreeParts, repo: RepositoryFacts, found: FoundWorktree): Promise<Result<string>> {
  await git.registerAgain(repo, found.path, found.head);
  return succeed("Git knows of it again. Nothing in it was touched.");
}

async function keepAndRemove(
  { git }: WorktreeParts,
  repo: RepositoryFacts,
  found: FoundWorktree,
  branch: string,
): Promise<Result<string>> {
  const kept = await git.keepOnBranch(repo, found, branch);
  if (!kept.ok) return kept;
  await git.removeWorkPlace(repo, { kind: "worktree", path: found.path, root: found.head, gitDir: null });
  const gone = found.isOnDisk ? "The worktree is gone." : "Git notes it no more.";
  return succeed(
    kept.value === null
      ? `It held nothing that is not elsewhere. ${gone}`
      : `What it held is on ${branch}, at ${kept.value.slice(0, 10)}. ${gone}`,
  );
}
