// The story without any death: what the others take for granted.

import type { Bench, Part, Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

export const story: Part = { name: "The story itself", rows: ["A9", "H9", "H11", "H14"], run: tellStory };

async function tellStory({ build, openDesk }: Bench): Promise<Report> {
  await using desk = await openDesk();
  const ended = await desk.coppice(beginArgs(desk), { cli: build.cli });
  const printed = wholeLines(ended.stdout);
  const faults = await faultsOf(desk, printed[0]?.root ?? "", printed, ended);
  return { rounds: 1, figures: `${printed.length} events`, faults };
}
