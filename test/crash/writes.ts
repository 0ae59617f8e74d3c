// SIGKILL in the middle of a write: in a commit, where the journal takes in its log, and where it is brought to a newer version;
// there also a disk that is full from a write on.
// The store's thread has no seams, so its deaths are aimed at its system calls.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { migrations } from "../../src/main/store/migrate.ts";
import { type Connection, openReader, openWriter } from "../../src/main/store/openDatabase.ts";
import type { Desk } from "../support/commandLine.ts";
import type { Ended } from "../support/commandProcess.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, wholeLines } from "./story.ts";
import { canTrace, dieInCall, failCalls, noteCalls, readCalls } from "./trace.ts";

/** The version that the journal has before it is brought forward. */
const oldVersion = 2;
/** The exit code of what was killed, where a shell or a tracer tells of it. */
const killed = 137;

const journalFiles = ["journal.db", "journal.db-wal"] as const;
type JournalFile = (typeof journalFiles)[number];

export const writes: Part = { name: "Deaths in a write", rows: ["A2", "A3", "A5", "A7", "A15"], run: runWrites };

async function runWrites(bench: Bench): Promise<Report> {
  if (!(await canTrace())) return { rounds: 0, figures: "not here: it takes strace to aim at a call", faults: [] };
  const chance = chanceOf(bench.seed + 8);
  const wanted = bench.isShort ? 4 : 60;
  // One round in each part of the writes, so that a few come to all of them.
  const pick = (round: number, count: number) => 1 + Math.floor(((round + chance()) / wanted) * count);
  const migration = await countMigration(bench);
  // Whose deaths the short form leaves to others.
  const story = bench.isShort ? null : await countStory(bench);
  let deaths = 0;
  let refusals = 0;
  const onDeath = () => (deaths += 1);
  const acts = Array.from({ length: wanted }, (_, round) => {
    const from = pick(round, migration);
    if (story === null ? round % 2 === 1 : round % 6 === 3)
      return () => fillInMigration(bench, from, () => (refusals += 1));
    if (story === null || round % 3 === 0) return () => dieInMigration(bench, from, onDeath);
    const file = round % 3 === 1 ? "journal.db" : "journal.db-wal";
    return () => dieInStory(bench, file, pick(round, story[file]), onDeath);
  });
  const { done, faults } = await inTurn(bench, acts);
  return {
    rounds: done,
    figures: `${refusals} migrations were refused by a full disk; ${deaths} deaths, each in one of ${migration} writes of a migration${story === null ? "" : `, ${story["journal.db-wal"]} to the log or ${story["journal.db"]} of it into the journal`}`,
    faults,
  };
}

/** How often a command writes to the journal and its log that finds an old version of it. */
async function countMigration(bench: Bench): Promise<number> {
  await using desk = await bench.openDesk();
  makeOld(desk.home);
  const paths = await notedWrites(bench, desk, ["runs", "--json"]);
  return paths.filter((path) => journalFiles.some((name) => path === join(desk.home, name))).length;
}

/** How often the story writes to each file. */
async function countStory(bench: Bench): Promise<Readonly<Record<JournalFile, number>>> {
  await using desk = await bench.openDesk();
  const paths = await notedWrites(bench, desk, beginArgs(desk));
  const countOf = (name: JournalFile) => paths.filter((path) => path === join(desk.home, name)).length;
  return { "journal.db": countOf("journal.db"), "journal.db-wal": countOf("journal.db-wal") };
}

async function notedWrites({ build }: Bench, desk: Desk, args: readonly string[]): Promise<readonly string[]> {
  const notes = join(desk.repository.outside, "calls");
  const ended = await desk.coppice(args, { cli: build.cli, under: noteCalls(notes) });
  if (ended.code !== 0) throw new Error(`${args[0]} does not end under strace: ${ended.stderr}`);
  return readCalls(readFileSync(notes, "utf8")).flatMap(({ name, path }) => (name === "pwrite64" ? [path] : []));
}

async function dieInStory(
  bench: Bench,
  file: JournalFile,
  from: number,
  onDeath: () => void,
): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  const meddling = { paths: [join(desk.home, file)], calls: "pwrite64", from };
  const ended = await desk.coppice(beginArgs(desk), { cli, under: dieInCall(meddling) });
  if (hasDied(ended)) onDeath();
  const printed = wholeLines(ended.stdout);
  const run = printed[0]?.root;
  // It died before there was a run: the next command finds a journal that opens.
  const next = await desk.coppice(run === undefined ? ["runs", "--json"] : ["resume", run, "--json"], { cli });
  const faults = run === undefined ? openFaults(next) : await faultsOf(desk, run, printed, next);
  return faults.map((fault) => `killed in write ${from} to ${file}: ${fault}`);
}

async function dieInMigration(bench: Bench, from: number, onDeath: () => void): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  makeOld(desk.home);
  const paths = journalFiles.map((name) => join(desk.home, name));
  const ended = await desk.coppice(["runs", "--json"], { cli, under: dieInCall({ paths, calls: "pwrite64", from }) });
  if (hasDied(ended)) onDeath();
  const between = versionFaults(desk.home);
  const next = await desk.coppice(["runs", "--json"], { cli });
  const faults = [...between, ...openFaults(next), ...(await desk.faults())];
  return faults.map((fault) => `killed in write ${from} of a migration: ${fault}`);
}

/** The disk is full from that write on, and then has room again. */
async function fillInMigration(bench: Bench, from: number, onRefusal: () => void): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  makeOld(desk.home);
  const paths = journalFiles.map((name) => join(desk.home, name));
  const under = failCalls({ paths, calls: "pwrite64", from }, "ENOSPC");
  const ended = await desk.coppice(["runs", "--json"], { cli, under });
  if (ended.code === 5) onRefusal();
  const between = versionFaults(desk.home);
  const next = await desk.coppice(["runs", "--json"], { cli });
  const isTold = ended.code === 0 || (ended.code === 5 && /disk is full/.test(ended.stdout + ended.stderr));
  const faults = [
    ...(isTold ? [] : [`it ended with ${ended.code ?? ended.signal} and said ${ended.stderr.trim()}`]),
    ...between,
    ...openFaults(next),
    ...(await desk.faults()),
  ];
  return faults.map((fault) => `the disk is full from write ${from} of a migration on: ${fault}`);
}

/** A journal of an old version, with one fact in it. */
function makeOld(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const db = openWriter(home, migrations.slice(0, oldVersion));
  db.exec("INSERT INTO meta VALUES ('kept', 'yes')");
  db.close();
}

/** A migration that was cut leaves a whole version, with all that was in the one before, and a backup of that. */
function versionFaults(home: string): readonly string[] {
  const copies = readdirSync(join(home, "backups")).filter((name) => /^journal-v\d+-.*\.db$/.test(name));
  const db = openReader(home);
  try {
    const version = Number(db.pragma("user_version", { simple: true }));
    const tables = tablesAt(version);
    const found = tablesOf(db);
    const kept = db.prepare("SELECT value FROM meta WHERE name = 'kept'").pluck().get();
    return [
      ...(copies.length > 0 ? [] : ["there is no backup of the old version"]),
      ...(kept === "yes" ? [] : ["what the old version held is gone"]),
      ...(found === tables ? [] : [`the file says that it is of version ${version} and does not have its tables`]),
    ];
  } finally {
    db.close();
  }
}

/** What a journal of that version consists of, as SQLite notes it. */
function tablesAt(version: number): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-version-"));
  const db = openWriter(folder, migrations.slice(0, version));
  try {
    return tablesOf(db);
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}

function tablesOf(db: Connection): string {
  return JSON.stringify(db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all());
}

function openFaults({ code, signal, stderr }: Ended): readonly string[] {
  return code === 0 ? [] : [`the next command ended with ${code ?? signal}: ${stderr.trim()}`];
}

/** strace ends as what it started has ended. */
function hasDied({ code, signal }: Ended): boolean {
  return signal === "SIGKILL" || code === killed;
}
