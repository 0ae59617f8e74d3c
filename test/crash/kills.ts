// SIGKILL over the command line as it ships: at a random moment after a random event, of the process alone or of all that it
// has started, git in the middle of its work among it; once or several times in one run.

import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { listProcesses } from "../../src/main/sandbox/processTable.ts";
import type { Desk } from "../support/commandLine.ts";
import { buildCommandLine, builtCli } from "../support/commandLineBuild.ts";
import type { Ended, PrintedEvent, Running } from "../support/commandProcess.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { makeBuildFolder } from "./seamBuild.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

/** What the story prints until its end, about. */
const eventCount = 55;
const longestPauseMs = 60;
/** Until a command that goes on with a run has printed its first event, about, ms. */
const startMs = 900;
/** How often one story is killed before it may end: once at any point of it, or on and on, at points that lie closer together. */
const deathCounts = [1, 3, 8, 8] as const;
/** What the full form has to come to. */
const leastDeaths = 200;

interface Death {
  /** After how many events that this process has printed; `null`: while it starts. */
  readonly after: number | null;
  readonly pauseMs: number;
  readonly isOfAll: boolean;
}

interface Killing extends Bench {
  /** The command line as it ships. */
  readonly cli: string;
}

export const kills: Part = {
  name: "SIGKILL",
  rows: ["A2", "A3", "A5", "A18", "A19", "T5", "H7", "H8", "M6", "R5"],
  run: runKills,
};

async function runKills(bench: Bench): Promise<Report> {
  await buildCommandLine();
  // A copy, so that nobody who builds meanwhile takes it away.
  const folder = makeBuildFolder();
  cpSync(dirname(builtCli), folder, { recursive: true });
  const cli = join(folder, "cli.js");
  const chance = chanceOf(bench.seed + 1);
  const plans = Array.from({ length: bench.isShort ? 2 : 400 }, (_, round) => planOf(round, chance));
  let deaths = 0;
  const isOwed = () => bench.isFull && deaths < leastDeaths;
  const { done, faults } = await inTurn(
    bench,
    plans.map((plan) => () => killAndResume({ ...bench, cli }, plan, () => (deaths += 1))),
    isOwed,
  );
  rmSync(folder, { recursive: true, force: true });
  return {
    rounds: done,
    figures: `${deaths} processes killed`,
    faults: [
      ...(isOwed() ? [`only ${deaths} processes were killed, the full form kills ${leastDeaths}`] : []),
      ...faults,
    ],
  };
}

/** The deaths of one story. The first comes once a run has been printed; of the later ones some come before anything is. */
function planOf(round: number, chance: () => number): readonly Death[] {
  const count = deathCounts[round % deathCounts.length] ?? 1;
  // So far apart that about all of them happen before the story ends.
  const apart = Math.ceil((2 * eventCount) / (count + 1));
  return Array.from({ length: count }, (_, index): Death => {
    const isAtStart = index > 0 && chance() < 0.2;
    return {
      after: isAtStart ? null : 1 + Math.floor(chance() * apart),
      pauseMs: Math.floor(chance() * (isAtStart ? startMs : longestPauseMs)),
      isOfAll: chance() < 0.5,
    };
  });
}

async function killAndResume(bench: Killing, plan: readonly Death[], onDeath: () => void): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const printed: PrintedEvent[] = [];
  let run: string | null = null;
  for (const death of plan) {
    const ended = await liveUntil(bench, desk, run, death);
    printed.push(...wholeLines(ended.stdout));
    run ??= printed[0]?.root ?? null;
    if (ended.signal !== "SIGKILL") break;
    onDeath();
  }
  if (run === null) return [];
  const resumed = await desk.coppice(["resume", run, "--json"], { cli: bench.cli });
  const where = plan.map(({ after, isOfAll }) => `${after ?? "no"}${isOfAll ? " with all" : ""}`).join(", ");
  return (await faultsOf(desk, run, printed, resumed)).map((fault) => `killed after ${where} events: ${fault}`);
}

async function liveUntil(
  { cli }: Killing,
  desk: Desk,
  run: string | null,
  { after, pauseMs, isOfAll }: Death,
): Promise<Ended> {
  let seen = 0;
  const args = run === null ? beginArgs(desk) : ["resume", run, "--json"];
  const running: Running = desk.start(args, {
    cli,
    onEvent: () => {
      seen += 1;
      if (seen === after) killSoon();
    },
  });
  const killSoon = () => setTimeout(() => void kill(running, isOfAll), pauseMs);
  if (after === null) killSoon();
  return running.ended;
}

async function kill({ child }: Running, isOfAll: boolean): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const others = isOfAll ? await descendantsOf(child.pid) : [];
  for (const pid of [child.pid, ...others]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It ended by itself between the look and the signal.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

async function descendantsOf(root: number): Promise<readonly number[]> {
  const rows = await listProcesses();
  const found = new Set([root]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid);
  }
  return [...found].filter((pid) => pid !== root);
}
