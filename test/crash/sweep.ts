// The seam sweep: the command line dies by SIGKILL at each point before and after an await, alone and in pairs, and recovery
// itself dies again and again. Then it is resumed, and the run must have ended as if nothing had happened.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Desk } from "../support/commandLine.ts";
import type { Ended, PrintedEvent } from "../support/commandProcess.ts";
import { leastSeams } from "./leastSeams.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

/** How often recovery is killed in a row (R8). */
const deathsOfRecovery = 8;

export const sweep: Part = {
  name: "Seam sweep",
  rows: [
    "A1",
    "A4",
    "T1",
    "T2",
    "T3",
    "T4",
    "T6",
    "T7",
    "T8",
    "T9",
    "T10",
    "T13",
    "T18",
    "H1",
    "H2",
    "H3",
    "H4",
    "H5",
    "H6",
    "H11",
    "M2",
    "M6",
    "A19",
    "R8",
  ],
  run: runSweep,
};

async function runSweep(bench: Bench): Promise<Report> {
  const { build, seed, isShort } = bench;
  const points = await countPoints(bench);
  const chance = chanceOf(seed);
  const siteOf = (index: number) => points[index - 1] ?? "";
  // The first time that each point is passed, in a shuffled order; then pairs; then recovery over and over.
  const first = points.flatMap((name, index) => (points.indexOf(name) === index ? [index + 1] : []));
  const shuffled = first.map((index) => ({ index, key: chance() })).toSorted((left, right) => left.key - right.key);
  const singles = shuffled.map(
    ({ index }) =>
      () =>
        dieAndResume(bench, [index], `at ${siteOf(index)}`),
  );
  const pair = () => 1 + Math.floor(chance() * points.length);
  const pairs = Array.from({ length: Math.ceil(first.length / 4) }, () => {
    const deaths = [pair(), Math.ceil(pair() / 3)];
    return () => dieAndResume(bench, deaths, `at ${deaths.map(siteOf).join(", then at ")}`);
  });
  const deep = Array.from({ length: isShort ? 1 : 12 }, () => {
    const deaths = [pair(), ...Array.from({ length: deathsOfRecovery }, () => 1 + Math.floor(chance() * 60))];
    return () =>
      dieAndResume(bench, deaths, `at ${siteOf(deaths[0] ?? 0)}, and ${deathsOfRecovery} times in its recovery`);
  });
  const { done, faults } = await inTurn(bench, mixed(singles, pairs, deep));
  const distinct = new Set(build.sites).size;
  return {
    rounds: done,
    figures: `${build.sites.length} seams in ${distinct} places (at least ${leastSeams}); the story passes ${first.length} of ${2 * distinct} points; ${done} deaths`,
    faults: [
      ...(build.sites.length < leastSeams ? [`only ${build.sites.length} seams, there were ${leastSeams}`] : []),
      ...faults,
    ],
  };
}

/** Singles first among equals, so that a short time covers the most points. */
function mixed<T>(singles: readonly T[], pairs: readonly T[], deep: readonly T[]): readonly T[] {
  return singles.flatMap((single, index) => [
    single,
    ...(index % 4 === 3 ? pairs.slice((index - 3) / 4, (index + 1) / 4) : []),
    ...(index === 2 || (index > 2 && index % 20 === 2) ? deep.slice((index - 2) / 20, (index - 2) / 20 + 1) : []),
  ]);
}

/** The points that the story passes from its beginning to its end, in order. */
async function countPoints(bench: Bench): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const note = join(desk.repository.outside, "points");
  const ended = await desk.coppice(beginArgs(desk), { cli: bench.build.cli, env: { COPPICE_SEAM_NOTE: note } });
  if (ended.code !== 0) throw new Error(`The story does not even end by itself: ${ended.stderr}`);
  return readFileSync(note, "utf8").split("\n");
}

/** Dies at the first point of the first process, at the second of the one that resumes it, and so on; then goes on to the end. */
async function dieAndResume(bench: Bench, deaths: readonly number[], where: string): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const printed: PrintedEvent[] = [];
  let run: string | null = null;
  for (const death of deaths) {
    const ended = await live(bench, desk, run, death);
    printed.push(...wholeLines(ended.stdout));
    run ??= printed[0]?.root ?? (await runIn(bench, desk));
    if (ended.signal !== "SIGKILL") break;
  }
  if (run === null) return [];
  const resumed = await live(bench, desk, run, 0);
  const faults = await faultsOf(desk, run, printed, resumed);
  return faults.map((fault) => `${where}: ${fault}`);
}

function live({ build }: Bench, desk: Desk, run: string | null, death: number): Promise<Ended> {
  const args = run === null ? beginArgs(desk) : ["resume", run, "--json"];
  return desk.coppice(args, { cli: build.cli, env: { COPPICE_SEAM_DIE: String(death) } });
}

/** A run that was stored before its process could print anything. */
async function runIn({ build }: Bench, desk: Desk): Promise<string | null> {
  if (!existsSync(join(desk.home, "journal.db"))) return null;
  const [row] = (await desk.coppice(["runs", "--json"], { cli: build.cli })).lines();
  return typeof row?.["run"] === "string" ? row["run"] : null;
}
