// Bytes of the journal that flip, and a log beside it that is cut short. Damage is told, or it did no harm; what is read never
// differs from what was written without a word.

import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openWorkbench, type Workbench } from "../../src/main/workbench.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";
import type { PrintedEvent } from "../support/commandProcess.ts";
import { type Bench, chanceOf, type Part, type Report } from "./round.ts";
import { beginArgs, wholeLines } from "./story.ts";

export const damage: Part = { name: "Byte damage", rows: ["A13", "A14"], run: runDamage };

/** Of either kind at least one, however short the time is. */
const leastRounds = 4;

interface Tally {
  told: number;
  harmless: number;
}

async function runDamage(bench: Bench): Promise<Report> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  const ended = await desk.coppice(beginArgs(desk), { cli });
  const events = wholeLines(ended.stdout);
  // Killed, so that the log beside the journal stands as it was left.
  const cut = desk.start(beginArgs(desk), {
    cli,
    onEvent: ({ type }, child) => void (type === "tool.dispatched" && child.kill("SIGKILL")),
  });
  const killed = wholeLines((await cut.ended).stdout);
  const chance = chanceOf(bench.seed + 4);
  const tally: Tally = { told: 0, harmless: 0 };
  const faults: string[] = [];
  const wanted = bench.isShort ? 4 : 200;
  let rounds = 0;
  for (; rounds < wanted && (performance.now() < bench.until || rounds < leastRounds); rounds += 1) {
    const home = join(desk.repository.outside, `copy-${rounds}`);
    cpSync(desk.home, home, { recursive: true });
    faults.push(
      ...(rounds % 4 === 3
        ? await cutLog(home, chance(), killed)
        : await flipByte(home, chance, [events, killed], tally)),
    );
    rmSync(home, { recursive: true });
  }
  return {
    rounds,
    figures: `${tally.told} of ${tally.told + tally.harmless} flipped bytes were told, the others changed nothing that is read; the log was cut ${Math.floor(rounds / 4)} times`,
    faults,
  };
}

/** One byte of the journal or of its log, anywhere. */
async function flipByte(
  home: string,
  chance: () => number,
  runs: readonly (readonly PrintedEvent[])[],
  tally: Tally,
): Promise<readonly string[]> {
  const file = join(home, chance() < 0.3 && existsSync(join(home, "journal.db-wal")) ? "journal.db-wal" : "journal.db");
  const bytes = readFileSync(file);
  const at = Math.floor(chance() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(chance() * 8));
  writeFileSync(file, bytes);
  const seen = await look(home, runs);
  if (seen.isTold) tally.told += 1;
  else tally.harmless += 1;
  return seen.isTold || seen.faults.length === 0
    ? []
    : seen.faults.map((fault) => `byte ${at} of ${file.slice(home.length + 1)}: ${fault}`);
}

/** The log beside the journal without its end, as a file system may leave it: what is still there is a whole beginning. */
async function cutLog(home: string, part: number, killed: readonly PrintedEvent[]): Promise<readonly string[]> {
  const log = join(home, "journal.db-wal");
  if (!existsSync(log)) return ["cut log: there is none, though its process was killed"];
  truncateSync(log, Math.floor(statSync(log).size * part));
  const run = killed[0]?.root as RunId;
  const opened = await openWorkbench({ home });
  if (!opened.ok) return [`cut log: the journal does not open: ${opened.error.message}`];
  try {
    const left = await opened.value.journal(run);
    // Whether all that was acknowledged is still there stands beside the journal: that it is not may be said, and nothing else.
    const broken = (await brokenIn(opened.value)).filter((words) => !words.startsWith("I20"));
    return [
      ...broken.map((words) => `cut log: ${words}`),
      ...differences(left, killed.slice(0, left.length)).map((words) => `cut log: ${words}`),
    ];
  } finally {
    await opened.value.close();
  }
}

/** Whether the damage is told, and what is read that was not written. */
async function look(
  home: string,
  runs: readonly (readonly PrintedEvent[])[],
): Promise<{ readonly isTold: boolean; readonly faults: readonly string[] }> {
  const opened = await openWorkbench({ home }).catch((error: unknown) => ({
    ok: false as const,
    error: { message: String(error) },
  }));
  if (!opened.ok) return { isTold: true, faults: [] };
  try {
    const isTold = (await brokenIn(opened.value)).length > 0;
    const faults: string[] = [];
    for (const events of runs)
      faults.push(...differences(await opened.value.journal(events[0]?.root as RunId), events));
    return { isTold, faults };
  } catch {
    // Reading it failed aloud, which is what it should do.
    return { isTold: true, faults: [] };
  } finally {
    await opened.value.close().catch(() => undefined);
  }
}

/** What the invariants of the journal say against it. */
async function brokenIn(workbench: Workbench): Promise<readonly string[]> {
  return (await workbench.examine()).flatMap(({ id, ok, details }) =>
    id.startsWith("I") && !ok ? [`${id}: ${details.join("; ")}`] : [],
  );
}

function differences(
  read: readonly { readonly n: number; readonly data: unknown }[],
  written: readonly PrintedEvent[],
): readonly string[] {
  return written.flatMap((event, index) =>
    JSON.stringify(read[index]?.data) === JSON.stringify(event.data)
      ? []
      : [`event ${event.n} is not read as it was written, and nothing says so`],
  );
}
