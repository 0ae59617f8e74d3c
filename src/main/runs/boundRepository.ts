// The repository that a run is bound to: whether it is still there, and how the run follows one that was moved. Never
// binds a run to another repository, nor to a copy that lacks its commits.

import { existsSync } from "node:fs";
import { join } from "node:path";

import type { RunId } from "../../shared/contract/ids.ts";
import { type Failure, fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RunState } from "../domain/state.ts";
import { hiddenRefs } from "../engine/ports/git.ts";
import { runFolders } from "../engine/room.ts";
import { LiveRun, type Ports } from "./liveRun.ts";
import { noModel } from "./noModel.ts";

/** Why a run cannot go on where it was, code `REPOSITORY_MOVED`; `null`: its repository is there. */
export function repositoryProblem({ run, repo }: RunState): Failure | null {
  if (existsSync(repo.topLevel) && existsSync(repo.commonDir)) return null;
  return {
    code: "REPOSITORY_MOVED",
    message: `The repository of ${run} is not at ${repo.topLevel} any more. Where it was moved, coppice resume ${run} --repo FOLDER goes on there.`,
  };
}

/** Binds a run that nobody drives to where its repository lies now; said again it changes nothing. Codes: those of `openRepository` and `LiveRun.take`, `REPOSITORY_DIFFERS`. */
export async function rebindRun(ports: Ports, run: RunId, folder: string): Promise<Result<null>> {
  const opened = await ports.git.openRepository(folder);
  if (!opened.ok) return opened;
  const { facts } = opened.value;
  const taken = await LiveRun.take(ports, noModel, run);
  if (!taken.ok) return taken;
  const live = taken.value;
  try {
    const { base, repo } = live.state();
    const hasWork = (await ports.git.readRef(facts, hiddenRefs.base(run))) === base.commit;
    if (facts.rootCommit === repo.rootCommit && !hasWork)
      return fail({
        code: "REPOSITORY_DIFFERS",
        message: `${facts.topLevel} is a copy that lacks the commits of ${run}: it has no ${hiddenRefs.base(run)} at ${base.commit}.`,
      });
    const bound = await live.dispatch({ type: "run.rebind", repository: facts, by: "a person" });
    if (!bound.ok) return bound;
    await ports.git.reconnectWorktrees(facts, join(runFolders(ports.home, run).places, `${run}-`));
    return succeed(null);
  } finally {
    await live.release();
  }
}
