// One process of the seam sweep: it dies at a point before or after an await, or passes all of them. Keeps count of the points
// that were passed, of those at which one died, and of what died right after what.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openReader } from "../../src/main/store/openDatabase.ts";
import type { Desk } from "../support/commandLine.ts";
import type { Ended } from "../support/commandProcess.ts";
import type { Bench } from "./round.ts";
import { seamRooms } from "./seams.ts";

/** What the deaths so far came to, by the names of points. */
export interface Tally {
  readonly died: Set<string>;
  /** Two deaths, one right after the other in one story. */
  readonly pairs: Set<string>;
  deaths: number;
}

/** What one story came to. */
export interface Told {
  /** The points that any process of it has passed. */
  readonly passed: Set<string>;
  /** How often in a row it was told without a death at a new point. */
  fruitless: number;
}

/** At the how manyth point a process dies, of all or only of those at which none has died yet. */
export interface Death {
  readonly at: number;
  readonly isNew: boolean;
}

/** Those that were passed and at which nobody has died yet. */
export function openPoints({ passed }: Told, { died }: Tally): readonly string[] {
  return [...passed].filter((name) => !died.has(name));
}

/** Starts `coppice ARGS`, which dies as it is told, and counts. `at`: where it died; `null` when it ended by itself. */
export async function live(
  { build }: Bench,
  desk: Desk,
  args: readonly string[],
  {
    tally,
    told,
    death,
    before,
  }: {
    readonly tally: Tally;
    readonly told: Told;
    readonly death: Death | null;
    /** Where the process before it died. */
    readonly before: string | null;
  },
): Promise<{ readonly ended: Ended; readonly at: string | null; readonly passedCount: number }> {
  const [note, spare] = ["points", "spared"].map((name) => join(desk.repository.outside, name)) as [string, string];
  writeFileSync(spare, death?.isNew === true ? [...tally.died].join("\n") : "");
  const ended = await desk.coppice(args, {
    cli: build.cli,
    env: { COPPICE_SEAM_NOTE: note, COPPICE_SEAM_SPARE: spare, COPPICE_SEAM_DIE: String(death?.at ?? 0) },
  });
  const passed = readFileSync(note, "utf8").split("\n");
  for (const name of passed) told.passed.add(name);
  const at = ended.signal === "SIGKILL" ? (passed.at(-1) ?? null) : null;
  if (at !== null) {
    if (before !== null) tally.pairs.add(`${before}, ${at}`);
    tally.died.add(at);
    tally.deaths += 1;
  }
  return { ended, at, passedCount: passed.length };
}

/** The runs that are stored, and those of them that have stopped. */
export function runsIn({ home }: Desk): { readonly runs: readonly string[]; readonly stopped: readonly string[] } {
  if (!existsSync(join(home, "journal.db"))) return { runs: [], stopped: [] };
  const db = openReader(home);
  try {
    const isMade = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get() !== undefined;
    const read = (where: string) =>
      isMade ? db.prepare<[], string>(`SELECT run FROM runs WHERE run = root ${where}`).pluck().all() : [];
    return { runs: read(""), stopped: read("AND status = 'stopped'") };
  } finally {
    db.close();
  }
}

/** How many points each room has that no story passes. */
export function unpassedByRoom(sites: readonly string[], told: readonly Told[]): string {
  const isPassed = (name: string) => told.some(({ passed }) => passed.has(name));
  const points = [...new Set(sites)].flatMap((site) => [`${site} before`, `${site} after`]);
  return seamRooms
    .map((room) => {
      const count = points.filter((name) => name.startsWith(room) && !isPassed(name)).length;
      return `${room.split("/").at(-2)} ${count}`;
    })
    .join(", ");
}
