// The seam sweep: the command line dies by SIGKILL at each point before and after an await. Whoever resumes it dies at another
// one, so that one story has many deaths, each two of them a pair; then it is resumed, and the run must have ended as if
// nothing had happened.

import type { Desk } from "../support/commandLine.ts";
import type { PrintedEvent } from "../support/commandProcess.ts";
import { dieInActs, tellActs } from "./actSweep.ts";
import { leastSeams } from "./leastSeams.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { type Death, live, openPoints, runsIn, type Tally, type Told, unpassedByRoom } from "./seamDeaths.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

/** How often recovery is killed in a row (R8), at one of its first so many points. */
const deathsOfRecovery = 8;
const pointsOfRecovery = 60;
/** How many processes of one story may die where none did before; a story costs as much as four deaths. */
const longestChain = 16;
/** So many stories in a row that came to no new point: what is left is passed by chance only. */
const mostFruitless = 4;

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
  const tally: Tally = { died: new Set(), pairs: new Set(), deaths: 0 };
  const [run, acts]: readonly [Told, Told] = [
    { passed: new Set(), fruitless: 0 },
    { passed: new Set(), fruitless: 0 },
  ];
  const pointCount = await tellStory(bench, tally, run);
  const [ofRun, outcome] = [run.passed.size, isShort ? "" : await tellActs(bench, tally, acts)];
  const ofActs = acts.passed.size;
  const chance = chanceOf(seed);
  const upTo = (most: number) => 1 + Math.floor(chance() * most);
  const isOpen = (told: Told) => told.fruitless < mostFruitless && openPoints(told, tally).length > 0;
  const rounds = Array.from({ length: isShort ? 2 : 1_000 }, (_, round) => () => {
    if (round % 10 === 1) {
      const inRecovery = Array.from({ length: deathsOfRecovery }, () => ({ at: upTo(pointsOfRecovery), isNew: false }));
      return dieAndGoOn(bench, tally, run, [{ at: upTo(pointCount), isNew: false }, ...inRecovery]);
    }
    if (!isShort && round % 5 >= 3 && isOpen(acts)) return dieInActs(bench, tally, acts, { outcome, upTo });
    if (isOpen(run)) return dieAtNewPoints(bench, tally, run, isShort ? 4 : longestChain, upTo);
    if (!isShort && isOpen(acts)) return dieInActs(bench, tally, acts, { outcome, upTo });
    const pair = [upTo(pointCount), Math.ceil(upTo(pointCount) / 3)].map((at) => ({ at, isNew: false }));
    return dieAndGoOn(bench, tally, run, pair);
  });
  const { done, faults } = await inTurn(bench, rounds);
  const points = 2 * new Set(build.sites).size;
  const all = new Set([...run.passed, ...acts.passed]);
  return {
    rounds: done,
    figures: `${build.sites.length} seams (at least ${leastSeams}), ${points} points; a run passes ${ofRun}, a person's way with another ${ofActs}, they and what goes on after deaths ${all.size}; ${tally.deaths} deaths, at ${tally.died.size} of these ${all.size}, as ${tally.pairs.size} different pairs; passed by none, by room: ${unpassedByRoom(build.sites, [run, acts])}`,
    faults: [
      ...(build.sites.length < leastSeams ? [`only ${build.sites.length} seams, there were ${leastSeams}`] : []),
      ...faults,
    ],
  };
}

/** One story whose processes die at points at which none has died yet, spread over all of it. */
async function dieAtNewPoints(
  bench: Bench,
  tally: Tally,
  told: Told,
  most: number,
  upTo: (most: number) => number,
): Promise<readonly string[]> {
  const before = tally.died.size;
  // So far apart that all of them come before the end of the story, as far as so many are left.
  const apart = Math.max(1, Math.floor((2 * openPoints(told, tally).length) / (most + 1)));
  const deaths = Array.from({ length: most }, () => ({ at: upTo(apart), isNew: true }));
  const faults = await dieAndGoOn(bench, tally, told, deaths);
  told.fruitless = tally.died.size > before ? 0 : told.fruitless + 1;
  return faults;
}

/** The story from its beginning to its end; answers with how many points it passes, each as often as it is passed. */
async function tellStory(bench: Bench, tally: Tally, told: Told): Promise<number> {
  await using desk = await bench.openDesk();
  const { ended, passedCount } = await live(bench, desk, beginArgs(desk), { tally, told, death: null, before: null });
  if (ended.code !== 0) throw new Error(`The story does not even end by itself: ${ended.stderr}`);
  return passedCount;
}

/** Dies as planned, once in each process, for as long as the run does not end before; then goes on to the end. */
async function dieAndGoOn(bench: Bench, tally: Tally, told: Told, plan: readonly Death[]): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const printed: PrintedEvent[] = [];
  const where: string[] = [];
  let run: string | undefined;
  for (const death of [...plan, null]) {
    const before = where.at(-1) ?? null;
    const { ended, at } = await live(bench, desk, argsFor(desk, run), { tally, told, death, before });
    printed.push(...wholeLines(ended.stdout));
    // It may have been stored before anything could be printed.
    run ??= printed[0]?.root ?? runsIn(desk).runs[0];
    if (at === null) {
      const faults = await faultsOf(desk, run ?? "", printed, ended);
      return faults.map((fault) => `${where.join(", then ")}: ${fault}`);
    }
    where.push(at);
  }
  return [`${where.join(", then ")}: it was killed, and not by the rig`];
}

function argsFor(desk: Desk, run: string | undefined): readonly string[] {
  return run === undefined ? beginArgs(desk) : ["resume", run, "--json"];
}
