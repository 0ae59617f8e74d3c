// Plants each defect and expects the rig to find it: a rig that nobody has seen bite proves nothing.

import { planted } from "./mutations.ts";
import type { Options } from "./options.ts";
import { runPart } from "./runParts.ts";
import { buildWithSeams } from "./seamBuild.ts";

/** How long one part may look for one defect, ms. */
const partMs = 60_000;

/** Exit code 0: every defect was found. */
export async function runSelfTest(options: Options): Promise<number> {
  let missedCount = 0;
  for (const { name, mutation, part, isRare } of planted.filter(
    ({ name }) => options.only.length === 0 || options.only.includes(name),
  )) {
    using build = await buildWithSeams(mutation);
    const until = performance.now() + partMs;
    const { report } = await runPart(part, build, { ...options, isShort: isRare !== true, isFull: false, until });
    const [fault] = report.faults;
    if (fault === undefined) missedCount += 1;
    process.stdout.write(
      `${fault === undefined ? "MISSED" : "bit   "} ${name}\n       ${part.name}: ${fault?.split("\n")[0] ?? "no fault"}\n`,
    );
  }
  process.stdout.write(
    missedCount === 0 ? "every planted defect was found\n" : `${missedCount} planted defects were not found\n`,
  );
  return missedCount === 0 ? 0 : 1;
}
