// SIGKILL over the command line as it ships: at a random moment after a random event, of the process alone or of all that it
// has started, git in the middle of its work among it; once or several times in one run.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { listProcesses } from "../../src/main/sandbox/processTable.ts";
import type { Desk } from "../support/commandLine.ts";
import { buildCommandLine, builtCli, projectRoot } from "../support/commandLineBuild.ts";
import type { Ended, PrintedEvent, Running } from "../support/commandProcess.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

/** What the story prints until its end, about. */
const eventCount = 60;
const longestPauseMs = 60;

interface Death {
  /** After how many printed events. */
  readonly after: number;
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
  const folder = mkdtempSync(join(projectRoot, "out/crash-"));
  cpSync(dirname(builtCli), folder, { recursive: true });
  const cli = join(folder, "cli.js");
  const chance = chanceOf(bench.seed + 1);
  const plans = Array.from({ length: bench.isShort ? 2 : 200 }, (_, round) =>
    Array.from({ length: 1 + (round % 3) }, (): Death => ({
      after: 1 + Math.floor(chance() * eventCount),
      pauseMs: Math.floor(chance() * longestPauseMs),
      isOfAll: chance() < 0.5,
    })),
  );
  let deaths = 0;
  const { done, faults } = await inTurn(
    bench,
    plans.map((plan) => () => killAndResume({ ...bench, cli }, plan, () => (deaths += 1))),
  );
  rmSync(folder, { recursive: true, force: true });
  return {
    rounds: done,
    figures: `${deaths} processes killed, 0 acknowledged events lost where there is no fault`,
    faults,
  };
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
  const where = plan.map(({ after, isOfAll }) => `${after}${isOfAll ? " with all" : ""}`).join(", ");
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
      if (seen === after) setTimeout(() => void kill(running, isOfAll), pauseMs);
    },
  });
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
