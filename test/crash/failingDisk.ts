// The journal's disk fails under a process at work: from a random moment on it can no longer be read, written or synced, or can
// only be read. Nothing is dispatched any more, the command ends with 5 and says why; on a sound disk the run goes on to its end.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Desk } from "../support/commandLine.ts";
import type { PrintedEvent } from "../support/commandProcess.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, unrecordedEdit, wholeLines } from "./story.ts";
import { canTrace, failCalls, type Meddling } from "./trace.ts";

/** What fails, how, and how many such calls a whole run makes, about. */
const failures = [
  { name: "cannot be written", calls: "pwrite64", error: "EIO", most: 700 },
  { name: "cannot be synced", calls: "fsync,fdatasync", error: "EIO", most: 60 },
  { name: "can only be read", calls: "pwrite64,ftruncate,unlink", error: "EROFS", most: 700 },
  { name: "cannot be read", calls: "pread64", error: "EIO", most: 150 },
] as const;

export const failingDisk: Part = { name: "Failing disk", rows: ["A12"], run: runFailingDisk };

async function runFailingDisk(bench: Bench): Promise<Report> {
  if (!(await canTrace())) return { rounds: 0, figures: "not here: it takes strace to let calls fail", faults: [] };
  const chance = chanceOf(bench.seed + 7);
  const tally = { stopped: 0, wentOn: 0 };
  const acts = Array.from({ length: bench.isShort ? 1 : 40 }, (_, round) => {
    const failure = failures[round % failures.length] ?? failures[0];
    const from = 1 + Math.floor(chance() * failure.most);
    return () => failAndGoOn(bench, { ...failure, from }, tally);
  });
  const { done, faults } = await inTurn(bench, acts);
  return {
    rounds: done,
    figures: `reads, writes, syncs fail or the disk turns read-only; ${tally.stopped} commands were stopped by it with exit code 5, and ${tally.wentOn} of them went on later`,
    faults,
  };
}

interface Failing extends Omit<Meddling, "paths"> {
  readonly name: string;
  readonly error: string;
}

async function failAndGoOn(
  bench: Bench,
  failing: Failing,
  tally: { stopped: number; wentOn: number },
): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const { cli } = bench.build;
  const paths = ["journal.db", "journal.db-wal"].map((name) => join(desk.home, name));
  const ended = await desk.coppice(beginArgs(desk), { cli, under: failCalls({ paths, ...failing }, failing.error) });
  const printed = wholeLines(ended.stdout);
  const faults = [
    ...(ended.code === 0 || ended.code === 5
      ? []
      : [`it ended with ${ended.code ?? ended.signal}: ${ended.stderr.trim()}`]),
    ...(ended.code !== 5 || /cannot be|could not read or write|malformed|damaged/.test(ended.stdout + ended.stderr)
      ? []
      : [`it did not say what failed, but: ${(ended.stderr.trim() || ended.stdout.trim().split("\n").at(-1)) ?? ""}`]),
    ...unrecordedEdit(editedIn(desk.home), printed),
    ...(await afterwards(bench, desk, printed)),
  ];
  if (ended.code === 5) tally.stopped += 1;
  if (ended.code === 5 && faults.length === 0) tally.wentOn += 1;
  return faults.map((fault) => `the disk ${failing.name} from call ${failing.from} on: ${fault}`);
}

/** On a disk that is sound again the store opens, and a run that had been acknowledged goes on to its end. */
async function afterwards(
  { build: { cli } }: Bench,
  desk: Desk,
  printed: readonly PrintedEvent[],
): Promise<readonly string[]> {
  const run = printed[0]?.root;
  if (run !== undefined) return faultsOf(desk, run, printed, await desk.coppice(["resume", run, "--json"], { cli }));
  const listed = await desk.coppice(["runs", "--json"], { cli });
  return listed.code === 0
    ? []
    : [`afterwards runs ended with ${listed.code ?? listed.signal}: ${listed.stderr.trim()}`];
}

/** The file that the story edits, as it stands in the work places. */
function editedIn(home: string): string {
  const places = join(home, "places");
  if (!existsSync(places)) return "";
  return readdirSync(places, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("/a.txt"))
    .map((path) => readFileSync(join(places, path), "utf8"))
    .join("\n");
}
