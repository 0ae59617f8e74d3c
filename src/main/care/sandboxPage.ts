// What confines the commands of agents on this machine, whether it works right now, and what it lets them see.

import type { CareBodies } from "../../shared/contract/care.ts";
import type { CommandEnvironment, CommandPort } from "../engine/ports/command.ts";
import { viewOf } from "../sandbox/view.ts";

/** Tries the sandbox where it has not worked so far. `environment`: what commands begin with, as of now. */
export async function sandboxPage(
  commands: CommandPort,
  environment: CommandEnvironment,
): Promise<CareBodies["sandbox"]> {
  const { kind, isWhole, missing } = await commands.report();
  return { kind, isWhole, missing, ...(await viewOf(environment)) };
}
