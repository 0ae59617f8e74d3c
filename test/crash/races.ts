// Two processes that want one run at the same moment: never both, and no epoch twice.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { openStore } from "../../src/main/store/openStore.ts";
import { start } from "../../src/main/store/fixture.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";
import { bundledNode } from "../support/commandLineBuild.ts";
import type { Bench, Part, Report } from "./round.ts";

const run = "race-for-this-run" as RunId;

export const races: Part = { name: "Race for a lease", rows: ["L1", "L4", "L5", "L8"], run: runRaces };

interface Racer extends Disposable {
  /** Sends a line and waits for the answer. */
  ask(line: string): Promise<string>;
}

async function runRaces(bench: Bench): Promise<Report> {
  await using desk = await bench.openDesk();
  const opened = await openStore({ folder: desk.home });
  if (!opened.ok) throw new Error(opened.error.message);
  await opened.value.append(start(opened.value, run));
  await opened.value.release(run);
  await opened.value.close();
  using first = await startRacer(bench, desk.home);
  using second = await startRacer(bench, desk.home);
  const epochs: number[] = [];
  const faults: string[] = [];
  const wanted = bench.isShort ? 100 : 1_000;
  let rounds = 0;
  // Cheap enough to be done all, whatever the time.
  for (; rounds < wanted; rounds += 1) {
    const answers = await Promise.all([first.ask("take"), second.ask("take")]);
    const won = answers.flatMap((answer) => (answer.startsWith("took ") ? [Number(answer.slice(5))] : []));
    if (won.length !== 1 || !answers.includes("refused DRIVEN_ELSEWHERE"))
      faults.push(`round ${rounds}: the two got ${answers.join(" and ")}`);
    epochs.push(...won);
    const [winner, loser] = (answers[0] ?? "").startsWith("took ") ? [first, second] : [second, first];
    // Who had it before writes nothing, though it knows how far the journal has come.
    if (rounds % 10 === 9) {
      const late = await loser.ask("write");
      if (late !== "refused STALE_LEASE") faults.push(`round ${rounds}: whoever has lost the lease ${late}`);
    }
    await winner.ask("give");
  }
  const falls = epochs.filter((epoch, index) => index > 0 && epoch <= (epochs[index - 1] ?? 0));
  return {
    rounds,
    figures: `epochs ${epochs[0] ?? 0} to ${epochs.at(-1) ?? 0}, ${falls.length} not above the one before`,
    faults: [...faults, ...falls.map((epoch) => `epoch ${epoch} was given again`)],
  };
}

async function startRacer({ build }: Bench, home: string): Promise<Racer> {
  const child = spawn(bundledNode, [build.racer, home, run], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error("A racer has ended");
    return line.value;
  };
  await read();
  return {
    ask(line) {
      child.stdin.write(`${line}\n`);
      return read();
    },
    [Symbol.dispose]: () => child.kill("SIGKILL"),
  };
}
