// `replay --verify`: whether the rules of this build decide a run as it was decided. Reads its journal and does nothing
// else.

import type { RunId } from "../../../shared/contract/ids.ts";
import { differingFields, type Difference } from "../../domain/redecide/redecide.ts";
import type { Invocation } from "./invocation.ts";

/** Most differences that people are shown; scripts get all. */
const maxShown = 20;

/** Exit code 0: every event is what today's rules make of what was recorded from outside; 1: some are not. */
export async function verifyReplay({ workbench, output }: Invocation, text: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const run: RunId = found.value.run;
  const { decided, events, differences } = workbench.decideAgain(await workbench.journal(run));
  for (const { n, recorded, today } of differences) output.json({ n, recorded, today });
  output.json({ run, events, decided, differences: differences.length });
  for (const difference of differences.slice(0, maxShown)) output.line(wordsOf(difference));
  if (differences.length > maxShown)
    output.line(`… and ${differences.length - maxShown} more: --json has all of them.`);
  output.answer(
    differences.length === 0
      ? `All ${events} events of ${run} are what the rules of this build make of it.`
      : `${differences.length} of ${events} events of ${run} would be others under the rules of this build.`,
  );
  return differences.length === 0 ? 0 : 1;
}

function wordsOf({ n, recorded, today }: Difference): string {
  const place = `#${n} ${recorded.agent} ${recorded.type}`;
  if (today === null) return `${place}: nothing that was recorded leads to it`;
  return today.type === recorded.type && today.agent === recorded.agent
    ? `${place}: with another ${differingFields(recorded, today).join(", ")}`
    : `${place}: ${today.agent} ${today.type} in its place`;
}
