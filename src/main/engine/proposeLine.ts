// The run's whole branch as one change set: for the one review of `final`, and for `land` after the stop.

import type { Target } from "../domain/records.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { nextNumber, rootBaseOf } from "../domain/state.ts";
import { protectionWith } from "../domain/protectedPaths.ts";
import { hiddenRefs } from "./ports/git.ts";
import type { WorkRoom } from "./room.ts";

/** Proposes all that the run has landed, onto `target`. Codes `NOTHING_TO_LAND`, and the refusals of `line.propose`. */
export async function proposeLine(room: WorkRoom, target: Target): Promise<Result<null>> {
  const state = room.dispatcher.state();
  const { run, repo, line, status } = state;
  const base = rootBaseOf(state);
  if (line === base) return fail({ code: "NOTHING_TO_LAND", message: `${run} has landed nothing on its branch.` });
  // Under `final` the review is what ends the run, also where somebody has brought the change over by hand.
  if (status === "stopped" && (await holdsAll(room, target)))
    return fail({ code: "NOTHING_TO_LAND", message: `${target.branch} holds all that ${run} has landed.` });
  const isProtected = protectionWith(state.protectedPaths);
  const files = (await room.git.changesBetween(repo, base, line)).map((file) =>
    isProtected(file.path) ? { ...file, asks: "PROTECTED_PATH" as const } : file,
  );
  const ref = hiddenRefs.changeSet(run, "lead", nextNumber(state, "lead"));
  await room.git.pin(repo, ref, line);
  const proposed = await room.dispatcher.dispatch({
    type: "line.propose",
    commit: line,
    tree: await room.git.treeOf(repo, line),
    ref,
    files,
    target,
  });
  return proposed.ok ? succeed(null) : proposed;
}

/** Whether landing the line there would change nothing: it is there already, or landed there from the start. */
async function holdsAll(room: WorkRoom, target: Target): Promise<boolean> {
  const { repo, line } = room.dispatcher.state();
  const base = rootBaseOf(room.dispatcher.state());
  const tip = await room.git.readRef(repo, target.ref);
  if (tip === null) return false;
  const merged = await room.git.mergeTrees(repo, base, tip, await room.git.treeOf(repo, line));
  return merged.kind === "clean" && merged.tree === (await room.git.treeOf(repo, tip));
}
