// One command for a run, carried out before the terminal says so: by whoever drives the run, or here.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import type { ForeignCommand, Workbench } from "../../workbench.ts";

/** `null` once it is done, landings that follow included; else why not. `DRIVEN_ELSEWHERE`: the driver did not take it within 10 s, and it was withdrawn. */
export async function steer({ runs }: Workbench, run: RunId, command: ForeignCommand): Promise<Failure | null> {
  const outcome = await runs.steer(run, command);
  await runs.untilLeft(run);
  return outcome.ok ? null : outcome.error;
}
