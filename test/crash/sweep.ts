// The seam sweep: the command line dies by SIGKILL at each point before and after an await. Whoever resumes it dies at another
// one, so that one story has many deaths, each two of them a pair; then it is resumed, and the run must have ended as if
// nothing had happened.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openReader } from "../../src/main/store/openDatabase.ts";
import type { Desk } from "../support/commandLine.ts";
import type { Ended, PrintedEvent } from "../support/commandProcess.ts";
import { leastSeams } from "./leastSeams.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
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

/** What the deaths so far came to, by the names of points. */
interface Tally {
  /** Those that the story passes without any death. */
  readonly ofStory: readonly string[];
  /** Those that any process passed. */
  readonly passed: Set<string>;
  readonly died: Set<string>;
  /** Two deaths, one right after the other in one story. */
  readonly pairs: Set<string>;
  deaths: number;
  fruitless: number;
}

/** One process that dies: at the how manyth point, of all or only of those at which none has died yet. */
interface Death {
  readonly at: number;
  readonly isNew: boolean;
}

async function runSweep(bench: Bench): Promise<Report> {
  const { build, seed, isShort } = bench;
  const story = await countPoints(bench);
  const tally: Tally = {
    ofStory: [...new Set(story)],
    passed: new Set(story),
    died: new Set(),
    pairs: new Set(),
    deaths: 0,
    fruitless: 0,
  };
  const chance = chanceOf(seed);
  const upTo = (most: number) => 1 + Math.floor(chance() * most);
  const isOpen = () => tally.fruitless < mostFruitless && openPoints(tally).length > 0;
  const acts = Array.from({ length: isShort ? 2 : 1_000 }, (_, round) => () => {
    if (round % 10 === 1) {
      const inRecovery = Array.from({ length: deathsOfRecovery }, () => ({ at: upTo(pointsOfRecovery), isNew: false }));
      return dieAndGoOn(bench, tally, [{ at: upTo(story.length), isNew: false }, ...inRecovery]);
    }
    const pair = [upTo(story.length), Math.ceil(upTo(story.length) / 3)].map((at) => ({ at, isNew: false }));
    if (!isOpen()) return dieAndGoOn(bench, tally, pair);
    return dieAtNewPoints(bench, tally, isShort ? 4 : longestChain, upTo);
  });
  const { done, faults } = await inTurn(bench, acts, () => bench.isFull && isOpen());
  const points = 2 * new Set(build.sites).size;
  return {
    rounds: done,
    figures: `${build.sites.length} seams (at least ${leastSeams}), ${points} points, of which the story passes ${tally.ofStory.length} and its recoveries ${tally.passed.size - tally.ofStory.length} more; ${tally.deaths} deaths, at ${tally.died.size} of these ${tally.passed.size}, as ${tally.pairs.size} different pairs`,
    faults: [
      ...(build.sites.length < leastSeams ? [`only ${build.sites.length} seams, there were ${leastSeams}`] : []),
      ...faults,
    ],
  };
}

function openPoints({ passed, died }: Tally): readonly string[] {
  return [...passed].filter((name) => !died.has(name));
}

/** One story whose processes die at points at which none has died yet, spread over all of it. */
async function dieAtNewPoints(
  bench: Bench,
  tally: Tally,
  most: number,
  upTo: (most: number) => number,
): Promise<readonly string[]> {
  const before = tally.died.size;
  // So far apart that all of them come before the end of the story, as far as so many are left.
  const apart = Math.max(1, Math.floor((2 * openPoints(tally).length) / (most + 1)));
  const deaths = Array.from({ length: most }, () => ({ at: upTo(apart), isNew: true }));
  const faults = await dieAndGoOn(bench, tally, deaths);
  tally.fruitless = tally.died.size > before ? 0 : tally.fruitless + 1;
  return faults;
}

/** The points that the story passes from its beginning to its end, in order. */
async function countPoints(bench: Bench): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { ended, passed } = await live(bench, desk, null);
  if (ended.code !== 0) throw new Error(`The story does not even end by itself: ${ended.stderr}`);
  return passed;
}

/** Dies as planned, once in each process, for as long as the run does not end before; then goes on to the end. */
async function dieAndGoOn(bench: Bench, tally: Tally, plan: readonly Death[]): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const printed: PrintedEvent[] = [];
  const where: string[] = [];
  let run: string | null = null;
  for (const death of [...plan, null]) {
    const { ended, passed } = await live(bench, desk, run, death, tally.died);
    for (const name of passed) tally.passed.add(name);
    printed.push(...wholeLines(ended.stdout));
    run ??= printed[0]?.root ?? runIn(desk);
    const at = passed.at(-1);
    if (ended.signal !== "SIGKILL" || at === undefined) {
      const faults = await faultsOf(desk, run ?? "", printed, ended);
      return faults.map((fault) => `${where.join(", then ")}: ${fault}`);
    }
    const before = where.at(-1);
    if (before !== undefined) tally.pairs.add(`${before}, ${at}`);
    where.push(at);
    tally.died.add(at);
    tally.deaths += 1;
  }
  return [`${where.join(", then ")}: it was killed, and not by the rig`];
}

/** One process, from where the run stands; it begins one where there is none yet. */
async function live(
  { build }: Bench,
  desk: Desk,
  run: string | null,
  death: Death | null = null,
  died: ReadonlySet<string> = new Set(),
): Promise<{ readonly ended: Ended; readonly passed: readonly string[] }> {
  const [note, spare] = ["points", "spared"].map((name) => join(desk.repository.outside, name)) as [string, string];
  writeFileSync(spare, death?.isNew === true ? [...died].join("\n") : "");
  const args = run === null ? beginArgs(desk) : ["resume", run, "--json"];
  const ended = await desk.coppice(args, {
    cli: build.cli,
    env: { COPPICE_SEAM_NOTE: note, COPPICE_SEAM_SPARE: spare, COPPICE_SEAM_DIE: String(death?.at ?? 0) },
  });
  return { ended, passed: readFileSync(note, "utf8").split("\n") };
}

/** A run that was stored before its process could print anything. */
function runIn({ home }: Desk): string | null {
  if (!existsSync(join(home, "journal.db"))) return null;
  const db = openReader(home);
  try {
    const isMade = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get() !== undefined;
    return isMade ? (db.prepare<[], string>("SELECT run FROM runs WHERE run = root").pluck().get() ?? null) : null;
  } finally {
    db.close();
  }
}
