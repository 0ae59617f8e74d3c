// A holder that is stopped (SIGSTOP), passed over, and wakes when another has driven its run to the end: it writes nothing, to
// the journal or to the world, and says who was faster.

import { leaseTtlMs } from "../../src/main/store/leases.ts";
import type { Desk } from "../support/commandLine.ts";
import type { Running } from "../support/commandProcess.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

/** The moments at which the holder is stopped; each is right before or in the middle of an act. */
const moments = [
  "model.requested",
  "handoff.recorded",
  "subagent.started",
  "worktree.created",
  "tool.dispatched",
  "subagent.result",
  "changeset.proposed",
  "verification.ran",
  "approval.decided",
  "changeset.landing",
] as const;

/** Longer than a lease lasts without a word from its holder, ms. */
const stoppedMs = leaseTtlMs + 1_500;
/** Rounds that only wait need no processor: so many times as many go side by side. */
const patience = 2;

export const stops: Part = {
  name: "SIGSTOP and take-over",
  rows: ["L2", "L3", "L8", "L9", "L10", "L11"],
  isPatient: true,
  run: runStops,
};

async function runStops(bench: Bench): Promise<Report> {
  const chance = chanceOf(bench.seed + 2);
  const tally = { refused: 0, ended: 0, locked: 0, written: 0 };
  const acts = Array.from({ length: bench.isShort ? 1 : 100 }, () => {
    const moment = moments[Math.floor(chance() * moments.length)] ?? "tool.dispatched";
    const pauseMs = Math.floor(chance() * 30);
    return () => stopAndTakeOver(bench, tally, { moment, pauseMs });
  });
  const { done, faults } = await inTurn({ ...bench, width: bench.width * patience }, acts);
  return {
    rounds: done,
    figures: `stopped for ${stoppedMs / 1_000} s each; woken, ${tally.refused} holders ended with exit code 5, ${tally.ended} had ended before, ${tally.locked} held the write lock and went on; ${tally.written} events were written by one that was passed over`,
    faults,
  };
}

/** What woken holders did. */
interface Tally {
  refused: number;
  ended: number;
  locked: number;
  written: number;
}

async function stopAndTakeOver(
  bench: Bench,
  tally: Tally,
  { moment, pauseMs }: { readonly moment: string; readonly pauseMs: number },
): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  const holder = desk.start(beginArgs(desk), { cli });
  const event = await holder.printed(moment).catch(() => null);
  if (event === null) return [`stopped at ${moment}: it was never printed`];
  if (pauseMs > 0) await pause(pauseMs);
  holder.signal("SIGSTOP");
  await pause(stoppedMs);
  const resumed = await desk.coppice(["resume", event.root, "--json"], { cli });
  // Stopped in the middle of a transaction it keeps the write lock: the other says so and changes nothing, and it goes on.
  if (resumed.code === 5 && resumed.stdout.includes("write lock")) {
    tally.locked += 1;
    return await wakeWithLock(desk, holder, event.root);
  }
  const atEnd = await desk.journal(event.root);
  holder.signal("SIGCONT");
  const woken = await holder.ended;
  const after = await desk.journal(event.root);
  // What it was in the middle of making in the run's scratch folder when it was stopped is garbage, and collected as such.
  await desk.coppice(["gc", "--json"], { cli });
  const printed = wholeLines(woken.stdout).filter(({ n }) => n <= atEnd.length);
  const faults = await faultsOf(desk, event.root, printed, resumed);
  // It may have come to its end, or not have begun, in the moment before it was stopped.
  const hadEnded = woken.code === 0 && printed.some(({ type }) => type === "run.stopped");
  tally.written += after.length - atEnd.length;
  if (woken.code === 5) tally.refused += 1;
  else if (hadEnded) tally.ended += 1;
  return [
    ...faults,
    ...(after.length === atEnd.length ? [] : [`the woken holder wrote ${after.length - atEnd.length} events`]),
    ...(woken.code === 5 || hadEnded
      ? []
      : [`the woken holder ended with ${woken.code ?? woken.signal}: ${woken.stderr.trim()}`]),
  ].map((fault) => `stopped ${pauseMs} ms after ${moment}: ${fault}`);
}

async function wakeWithLock(desk: Desk, holder: Running, run: string): Promise<readonly string[]> {
  holder.signal("SIGCONT");
  const woken = await holder.ended;
  const ended = woken.code === 0 ? woken : await desk.coppice(["resume", run, "--json"]);
  return faultsOf(desk, run, wholeLines(woken.stdout), ended);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
