// Wall clocks that jump: in the middle of a run, and between a death and what goes on after it. Nothing expires early, nothing is
// driven twice, and nothing is lost.

import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";

const hourMs = 60 * 60_000;
const jumps = [-hourMs, hourMs, -24 * hourMs, 10 * 60_000];
/** Seams that the story passes, about. */
const pointCount = 1_500;

export const clocks: Part = { name: "Clock jumps", rows: ["L6"], run: runClocks };

async function runClocks(bench: Bench): Promise<Report> {
  const chance = chanceOf(bench.seed + 5);
  const acts = Array.from({ length: bench.isShort ? 2 : 40 }, (_, round) => {
    const at = 1 + Math.floor(chance() * pointCount);
    const jumpMs = jumps[round % jumps.length] ?? hourMs;
    // Each jump comes to both.
    const isWithin = (round + Math.floor(round / jumps.length)) % 2 === 0;
    return () => (isWithin ? jumpWithin(bench, at, jumpMs) : jumpBetween(bench, at, jumpMs));
  });
  const { done, faults } = await inTurn(bench, acts);
  return { rounds: done, figures: `${done} jumps of 10 minutes to a day, back and forth`, faults };
}

async function jumpWithin(bench: Bench, at: number, jumpMs: number): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const env = { COPPICE_SEAM_JUMP: String(at), COPPICE_CLOCK_OFFSET_MS: String(jumpMs) };
  const ended = await desk.coppice(beginArgs(desk), { cli: bench.build.cli, env });
  const printed = wholeLines(ended.stdout);
  const faults = await faultsOf(desk, printed[0]?.root ?? "", printed, ended);
  return faults.map((fault) => `the clock jumps by ${jumpMs / 60_000} min at point ${at}: ${fault}`);
}

async function jumpBetween(bench: Bench, at: number, jumpMs: number): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  const ended = await desk.coppice(beginArgs(desk), { cli, env: { COPPICE_SEAM_DIE: String(at) } });
  const printed = wholeLines(ended.stdout);
  const run = printed[0]?.root;
  if (run === undefined) return [];
  const env = { COPPICE_CLOCK_OFFSET_MS: String(jumpMs) };
  const resumed = await desk.coppice(["resume", run, "--json"], { cli, env });
  const faults = await faultsOf(desk, run, printed, resumed);
  return faults.map((fault) => `it dies at point ${at}, and the clock stands ${jumpMs / 60_000} min off: ${fault}`);
}
