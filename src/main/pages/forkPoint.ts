// A moment of a run as somebody who may fork there sees it: where the work stood, and how the branch has moved since.

import type { ForkPoint } from "../../shared/contract/pages.ts";
import { hasOwnBranch, unfinishedAt } from "../domain/fork.ts";
import type { RunState } from "../domain/state.ts";
import type { GitPort } from "../engine/ports/git.ts";

/** Never rejects: a repository that has been moved or deleted has no branch to tell of. */
export async function forkPointOf(git: GitPort, state: RunState): Promise<ForkPoint> {
  const target = hasOwnBranch(state) ? null : await targetOf(git, state).catch(() => null);
  return { at: state.n, line: state.line, target, unfinished: unfinishedAt(state) };
}

async function targetOf(git: GitPort, { repo, line, target: { ref, branch } }: RunState): Promise<ForkPoint["target"]> {
  const tip = await git.readRef(repo, ref);
  if (tip === null) return null;
  const { aheadCount } = await git.driftBetween(repo, line, tip);
  return { branch, tip, aheadCount };
}
