// Runs the parts of the rig one after the other, each with its share of the time, and writes the table.

import { openDesk } from "../support/commandLine.ts";
import { buildCommandLine } from "../support/commandLineBuild.ts";
import { crashStory } from "./story.ts";
import type { Options } from "./options.ts";
import { parts } from "./parts.ts";
import { printCompared, printCoverage, printTable, writeReliability, type Row } from "./reliability.ts";
import type { Bench, Extent, Part, Report } from "./round.ts";
import { buildWithSeams, type SeamBuild } from "./seamBuild.ts";

/** Exit code 0: no fault. The full form, with all parts, writes docs/reliability.md. */
export async function runParts(options: Options): Promise<number> {
  // By which what is left is looked at.
  await buildCommandLine();
  using build = await buildWithSeams();
  const chosen = parts.filter(({ part }) => options.only.length === 0 || options.only.includes(part.name));
  if (chosen.length === 0)
    throw new Error(`There is no such part; they are ${parts.map(({ part }) => part.name).join(", ")}.`);
  const from = performance.now();
  const end = from + options.durationS * 1_000;
  const [patient, busy] = [chosen.filter(({ part }) => part.isPatient), chosen.filter(({ part }) => !part.isPatient)];
  // Those that mostly wait go beside the others, for three quarters of the time, so that nothing is left over at the end.
  const waiting = patient.map(({ part }) => runPart(part, build, { ...options, until: from + (end - from) * 0.75 }));
  const rows: Row[] = [];
  for (const [index, { part, share }] of busy.entries()) {
    const shares = busy.slice(index).reduce((sum, one) => sum + one.share, 0);
    const until = performance.now() + Math.max(0, end - performance.now()) * (share / shares);
    rows.push(await runPart(part, build, { ...options, until }));
    printTable(rows.slice(-1));
  }
  const waited = await Promise.all(waiting);
  printTable(waited);
  rows.push(...waited);
  const faults = rows.flatMap(({ report }) => report.faults);
  printCompared();
  for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
  if (!options.isShort && options.only.length === 0) {
    printCoverage(rows);
    writeReliability(rows, options, performance.now() - from);
  }
  process.stdout.write(faults.length === 0 ? "no fault\n" : `${faults.length} faults\n`);
  return faults.length === 0 ? 0 : 1;
}

/** One part on this build. What it throws is a fault as well. */
export async function runPart(part: Part, build: SeamBuild, extent: Extent): Promise<Row> {
  const from = performance.now();
  const bench: Bench = { ...extent, build, openDesk: () => openDesk(crashStory, undefined, false) };
  const report = await part.run(bench).catch((error: unknown): Report => ({
    rounds: 0,
    figures: "it broke off",
    faults: [`${part.name} broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
  }));
  return { part, report, tookMs: performance.now() - from };
}
