// The power is cut: every write and sync of a whole run is noted, and of any moment an image of the disk is made as it may stand
// then. Each must open, hold all that was acknowledged, whole groups only, and break no invariant.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";

import { checkJournal } from "../../src/main/care/checkJournal.ts";
import { placesFolder } from "../../src/main/engine/room.ts";
import { markPath } from "../../src/main/store/ackMark.ts";
import { openReader, openWriter } from "../../src/main/store/openDatabase.ts";
import { createDisk } from "./powerImage.ts";
import { type Bench, chanceOf, type Part, type Report } from "./round.ts";
import { beginArgs } from "./story.ts";
import { canTrace, noteCalls, readCalls, type SystemCall } from "./trace.ts";

/** What the journal consists of on disk; the file of shared memory is made anew by whoever opens it first. */
const files = ["journal.db", "journal.db-wal", "journal.db-journal"];

export const powerCut: Part = { name: "Power cut", rows: ["A4", "A5", "A7", "A10", "T8"], run: runPowerCut };

interface Row {
  readonly pos: number;
  readonly hash: string;
}

interface Recording {
  /** The data folder that was written to. */
  readonly home: string;
  /** Calls on the journal, its mark and their folder, in order. */
  readonly calls: readonly SystemCall[];
  /** Place of each event → its hash, as the run left them. */
  readonly events: ReadonlyMap<number, string>;
  /** The last places of the groups that were committed. */
  readonly ends: ReadonlySet<number>;
}

async function runPowerCut(bench: Bench): Promise<Report> {
  if (!(await canTrace()))
    return { rounds: 0, figures: "not here: it takes strace to see what is written", faults: [] };
  await using desk = await bench.openDesk();
  const notes = join(desk.repository.outside, "calls");
  const ended = await desk.coppice(beginArgs(desk), { cli: bench.build.cli, under: noteCalls(notes) });
  if (ended.code !== 0) throw new Error(`The story does not end under strace: ${ended.stderr}`);
  const calls = readCalls(readFileSync(notes, "utf8"));
  const recording = recordingOf(desk.home, calls);
  const wanted = bench.isShort ? 24 : 1_000;
  const faults = await cutAnywhere(recording, wanted, chanceOf(bench.seed + 6));
  return {
    rounds: wanted,
    figures: `images of the disk at any of ${recording.calls.length} writes and syncs of a run with ${recording.ends.size} commits`,
    faults: [...unsyncedEdits(placesFolder(desk.home), calls), ...faults],
  };
}

/** Follows the run to its end; of `wanted` moments since the first acknowledgement, an image each is examined. Answers with what is wrong with them. */
async function cutAnywhere(recording: Recording, wanted: number, chance: () => number): Promise<readonly string[]> {
  const { home, calls } = recording;
  const first = calls.findIndex(({ path }) => isMark(home, path));
  const moments = Array.from({ length: wanted }, () => first + Math.floor(chance() * (calls.length - first)));
  const folder = mkdtempSync(join(tmpdir(), "coppice-image-"));
  const disk = createDisk();
  const faults: string[] = [];
  let acknowledged = 0;
  try {
    for (const [index, call] of calls.entries()) {
      if (isMark(home, call.path)) acknowledged = placeIn(call.bytes);
      else disk.take(call);
      for (const _ of moments.filter((moment) => moment === index)) {
        const wrong = examine(recording, acknowledged, disk.cut(chance), join(folder, "image"));
        faults.push(...wrong.map((fault) => `power is cut after call ${index} of ${calls.length}: ${fault}`));
        // Other parts go beside this one.
        await setImmediate();
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return faults;
}

function recordingOf(home: string, calls: readonly SystemCall[]): Recording {
  const own = calls.filter(
    ({ path }) => path === home || isMark(home, path) || files.some((name) => path === join(home, name)),
  );
  const reader = openReader(home);
  try {
    const rows = reader.prepare<[], Row>("SELECT pos, hash FROM events").all();
    return {
      home,
      calls: own,
      events: new Map(rows.map(({ pos, hash }) => [pos, hash])),
      ends: new Set(own.filter(({ path }) => isMark(home, path)).map(({ bytes }) => placeIn(bytes))),
    };
  } finally {
    reader.close();
  }
}

function isMark(home: string, path: string): boolean {
  return path === markPath(home);
}

/** The place of the event that a mark calls acknowledged. */
function placeIn(mark: Buffer): number {
  return (JSON.parse(String(mark)) as { readonly pos: number }).pos;
}

/** What is wrong with one image of the disk, put down in `home` for the look: `acknowledged` is the place of the last event that was. */
function examine(
  { home: origin, events, ends }: Recording,
  acknowledged: number,
  image: ReadonlyMap<string, Buffer>,
  home: string,
): readonly string[] {
  mkdirSync(home, { mode: 0o700 });
  try {
    for (const [path, bytes] of image) writeFileSync(join(home, relative(origin, path)), bytes);
    const writer = openWriter(home);
    const found = writer.prepare<[], Row>("SELECT pos, hash FROM events ORDER BY pos").all();
    writer.close();
    const last = found.at(-1)?.pos ?? 0;
    const lost = [...events].filter(([pos, hash]) => pos <= acknowledged && found[pos - 1]?.hash !== hash);
    return [
      ...lost.map(([pos]) => `the acknowledged event at place ${pos} is lost`),
      ...(ends.has(last) ? [] : [`it ends within a group, at place ${last}`]),
      ...checkJournal(home).flatMap(({ id, details }) => details.map((detail) => `${id}: ${detail}`)),
    ];
  } catch (error) {
    return [`it does not open: ${String(error)}`];
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** A file of a work place gets its name only once its content lasts, so that no edit is ever half there. */
function unsyncedEdits(places: string, calls: readonly SystemCall[]): readonly string[] {
  const unsynced = new Set<string>();
  const named: string[] = [];
  const faults: string[] = [];
  for (const { name, path, target } of calls) {
    if (name === "write" || name === "pwrite64") unsynced.add(path);
    else if (name === "fsync" || name === "fdatasync") unsynced.delete(path);
    else if (target.startsWith(`${places}/`) && basename(target) === "a.txt") {
      named.push(target);
      if (unsynced.has(path)) faults.push(`${target} got its name before its content was synced`);
    }
  }
  return named.length > 0 ? faults : ["no edit of a work place was seen"];
}
