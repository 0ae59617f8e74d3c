// The run's whole branch as one change set: for the one review of `final`, and for `land` after the stop.

import type { Target } from "../domain/events.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { isProtectedPath } from "../domain/protectedPaths.ts";
import { hiddenRefs } from "./ports/git.ts";
import type { WorkRoom } from "./room.ts";

/** Proposes all that the run has landed, onto `target`. Codes `NOTHING_TO_LAND`, and the refusals of `line.propose`. */
export async function proposeLine(room: WorkRoom, target: Target): Promise<Result<null>> {
  const { run, repo, base, line, changeSets } = room.dispatcher.state();
  if (line === base.commit) return fail({ code: "NOTHING_TO_LAND", message: `${run} has landed nothing on its branch.` });
  const files = (await room.git.changesBetween(repo, base.commit, line)).map((file) => (isProtectedPath(file.path) ? { ...file, asks: "PROTECTED_PATH" as const } : file));
  const number = changeSets.filter((set) => set.agent === "lead").length + 1;
  const ref = hiddenRefs.changeSet(run, "lead", number);
  await room.git.pin(repo, ref, line);
  const proposed = await room.dispatcher.dispatch({ type: "line.propose", commit: line, tree: await room.git.treeOf(repo, line), ref, files, target });
  return proposed.ok ? succeed(null) : proposed;
}
