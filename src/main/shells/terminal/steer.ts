// One command for a run, from a process that may not drive it: through whoever does, or here.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import type { ForeignCommand, Workbench } from "../../workbench.ts";
import { noModel } from "../../noModel.ts";

/** `null` once it is carried out; else why not. `DRIVEN_ELSEWHERE`: the driver did not take it within 10 s, and it was withdrawn. */
export async function steer(workbench: Workbench, run: RunId, command: ForeignCommand): Promise<Failure | null> {
  if (await workbench.isDriven(run)) return steerElsewhere(workbench, run, command);
  const taken = await workbench.takeRun(run, noModel);
  if (!taken.ok) return taken.error;
  const live = taken.value;
  try {
    const done = await live.dispatch(command);
    if (!done.ok) return done.error;
    // Landings are carried out at once; agents do not go on before `resume`.
    await live.carryOutDecisions();
    return null;
  } finally {
    await live.release();
  }
}

async function steerElsewhere(workbench: Workbench, run: RunId, command: ForeignCommand): Promise<Failure | null> {
  const answer = await workbench.askHolder(run, command);
  if (answer === null) return { code: "DRIVEN_ELSEWHERE", message: `Another process drives ${run} and did not take this within 10 s; it was withdrawn. Try again, or do it there.` };
  return answer.done ? null : answer.error;
}
