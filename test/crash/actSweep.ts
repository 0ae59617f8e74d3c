// The seam sweep over what a person does with a run: each command dies a few times where none did before, and is given again.

import { openDesk, type Desk } from "../support/commandLine.ts";
import type { PrintedEvent } from "../support/commandProcess.ts";
import { actFaults, acts, type Act, actsStory, outcomeOf, type Scene } from "./acts.ts";
import type { Bench } from "./round.ts";
import { live, openPoints, runsIn, type Tally, type Told } from "./seamDeaths.ts";
import { wholeLines } from "./story.ts";

/** How often one command may die before it is let through. */
const deathsEach = 3;

/** All of it without a death; answers with how it ends. */
export async function tellActs(bench: Bench, tally: Tally, told: Told): Promise<string> {
  await using telling = await beginTelling(bench, tally, told);
  for (const act of acts) {
    const fault = await give(telling, act, () => null);
    if (fault !== null) throw new Error(`The acts do not even end by themselves: ${fault}`);
  }
  return outcomeOf(await look(telling));
}

/** All of it, with deaths spread over the points that are left. `outcome`: how it ends without any. */
export async function dieInActs(
  bench: Bench,
  tally: Tally,
  told: Told,
  { outcome, upTo }: { readonly outcome: string; readonly upTo: (most: number) => number },
): Promise<readonly string[]> {
  const before = tally.died.size;
  await using telling = await beginTelling(bench, tally, told);
  for (const act of acts) {
    const apart = Math.max(1, Math.floor(openPoints(told, tally).length / (deathsEach * acts.length)));
    const fault = await give(telling, act, (deaths) => (deaths < deathsEach ? upTo(apart) : null));
    if (fault !== null) return [`${telling.where.join(", then ")}: ${fault}`];
  }
  told.fruitless = tally.died.size > before ? 0 : told.fruitless + 1;
  const faults = await actFaults(await look(telling), telling.printed, outcome);
  return faults.map((fault) => `${telling.where.join(", then ")}: ${fault}`);
}

interface Telling extends AsyncDisposable {
  readonly bench: Bench;
  readonly desk: Desk;
  readonly tally: Tally;
  readonly told: Told;
  readonly printed: PrintedEvent[];
  /** Where it died. */
  readonly where: string[];
  run: string | null;
}

async function beginTelling(bench: Bench, tally: Tally, told: Told): Promise<Telling> {
  const desk = await openDesk(actsStory, undefined, false);
  const close = () => desk[Symbol.asyncDispose]();
  return { bench, desk, tally, told, printed: [], where: [], run: null, [Symbol.asyncDispose]: close };
}

/** Gives a command until it was carried out; says how it ended by itself without that. `dies`: at which new point it dies that died so often, `null` for none. */
async function give(telling: Telling, act: Act, dies: (deaths: number) => number | null): Promise<string | null> {
  const { bench, desk, tally, told, printed, where } = telling;
  for (let given = 0; ; given += 1) {
    const scene = await look(telling);
    if (act.isRepeatable !== true && act.isDone(scene)) return null;
    act.prepare?.(scene);
    const point = dies(given);
    const death = point === null ? null : { at: point, isNew: true };
    const args = act.args(scene);
    const { ended, at } = await live(bench, desk, args, { tally, told, death, before: where.at(-1) ?? null });
    telling.run ??= wholeLines(ended.stdout)[0]?.root ?? runsIn(desk).runs[0] ?? null;
    printed.push(...wholeLines(ended.stdout).filter(({ root }) => root === telling.run));
    if (at !== null) where.push(at);
    else if (act.isRepeatable === true ? ended.code === 0 : act.isDone(await look(telling))) return null;
    else return `${args.slice(0, 2).join(" ")} ended with ${ended.code ?? ended.signal}: ${ended.stderr.trim()}`;
  }
}

async function look({ desk, run }: Telling): Promise<Scene> {
  return { desk, run, log: run === null ? [] : await desk.journal(run), ...runsIn(desk) };
}
