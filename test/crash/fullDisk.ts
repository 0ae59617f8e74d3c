// The journal's disk is full, and then for a while only read: a small file system of its own, filled up to a random rest. Nothing
// is dispatched that is not on disk, the command ends with 5 and says so; once there is space, the run goes on to its end.

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { bundledNode } from "../support/commandLineBuild.ts";
import { type Bench, chanceOf, inTurn, type Part, type Report } from "./round.ts";
import { beginArgs, faultsOf, unrecordedEdit, wholeLines } from "./story.ts";

const execute = promisify(execFile);

const diskBytes = 16 * 1024 * 1024;
/** How long a command may take that meets a full disk, s. */
const longestS = 60;
/** What a shell says of a process that was ended by SIGKILL. */
const killedCode = 137;
const least = 60;
const most = 500;

export const fullDisk: Part = { name: "Full disk", rows: ["A11", "A12", "M7"], run: runFullDisk };

async function runFullDisk(bench: Bench): Promise<Report> {
  if (!(await canMount()))
    return { rounds: 0, figures: "not here: it takes bubblewrap to mount a small file system", faults: [] };
  const chance = chanceOf(bench.seed + 3);
  const tally: Tally = { stopped: 0, wentOn: 0 };
  const acts = Array.from({ length: bench.isShort ? 1 : 24 }, (_, round) => {
    const freeKib = least + Math.floor(chance() * (most - least));
    // Every other time the worktrees are on the full disk as well.
    return () => fillAndFree(bench, { freeKib, isWhole: round % 2 === 1 }, tally);
  });
  const { done, faults } = await inTurn(bench, acts);
  return {
    rounds: done,
    figures: `${tally.stopped} commands were stopped by the full disk with exit code 5, and ${tally.wentOn} of their runs went on later`,
    faults,
  };
}

interface Tally {
  stopped: number;
  wentOn: number;
}

interface Filling {
  /** What is left on the small disk. */
  readonly freeKib: number;
  /** The worktrees are on it too, and not only the journal. */
  readonly isWhole: boolean;
}

/** Runs the command twice inside one mount namespace: on the full disk, and after the space has come back. */
async function fillAndFree(bench: Bench, { freeKib, isWhole }: Filling, tally: Tally): Promise<readonly string[]> {
  await using desk = await bench.openDesk();
  const scratch = desk.repository.outside;
  for (const folder of [desk.home, join(scratch, "places"), join(scratch, "runs")])
    mkdirSync(folder, { recursive: true });
  const script = join(scratch, "script.sh");
  writeFileSync(script, scriptOf(bench, desk.home, scratch, beginArgs(desk), freeKib));
  const mounts = [
    ["--dev-bind", "/", "/"],
    ["--size", String(diskBytes), "--tmpfs", desk.home],
    ...(isWhole
      ? []
      : [
          ["--bind", join(scratch, "places"), join(desk.home, "places")],
          ["--bind", join(scratch, "runs"), join(desk.home, "runs")],
        ]),
  ];
  const env = {
    ...process.env,
    COPPICE_HOME: desk.home,
    HOME: scratch,
    OPENAI_API_KEY: "test-key",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  await execute("bwrap", [...mounts.flat(), "bash", script], { env, timeout: 180_000 });
  // What stood on the small file system is gone with it, but for what the script has brought out.
  cpSync(join(scratch, "kept"), desk.home, { recursive: true });
  const read = (name: string) => readFileSync(join(scratch, name), "utf8");
  const [first, second] = [endOf(read, "first"), endOf(read, "second")];
  const printed = wholeLines(first.stdout);
  const run = printed[0]?.root;
  const where = `with ${freeKib} KiB left${isWhole ? ", worktrees and all" : ""}`;
  if (first.code === 5) tally.stopped += 1;
  else if (first.code !== 0 || !printed.some(({ type }) => type === "run.stopped"))
    return [
      `${where}: ${first.code === killedCode ? `it hung for ${longestS} s` : `it ended with ${first.code}`}, and the run has not stopped: ${first.stderr.trim()}`,
    ];
  if (run === undefined) return first.code === 5 ? [] : [`${where}: nothing was printed`];
  const faults = await faultsOf(desk, run, printed, second);
  if (first.code === 5 && faults.length === 0) tally.wentOn += 1;
  const readOnly = endOf(read, "third");
  return [
    ...faults,
    ...(readOnly.code === 5 && /cannot be written/.test(readOnly.stderr)
      ? []
      : [`on a disk that can only be read it ended with ${readOnly.code}: ${readOnly.stderr.trim()}`]),
    ...(first.code === 5 && !/disk is full|STORE_UNAVAILABLE/.test(first.stdout + first.stderr)
      ? ["it did not say that the disk is full"]
      : []),
    ...unrecordedEdit(read("worktree"), printed),
  ].map((fault) => `${where}: ${fault}`);
}

function scriptOf({ build }: Bench, home: string, scratch: string, args: readonly string[], freeKib: number): string {
  const line = (words: readonly string[]) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  // One that hangs is a fault, and is told as such.
  const cli = ["timeout", "-s", "KILL", String(longestS), bundledNode, build.cli];
  return [
    // The journal is made while there is room; then the disk is filled up to the rest.
    `${line([...cli, "runs", "--json"])} > ${scratch}/made 2>&1`,
    `free=$(df -k --output=avail ${home} | tail -1)`,
    `head -c $(( (free - ${freeKib}) * 1024 )) /dev/zero > ${home}/ballast`,
    `${line([...cli, ...args])} > ${scratch}/first.out 2> ${scratch}/first.err; echo $? > ${scratch}/first.code`,
    `cat ${home}/places/*/a.txt > ${scratch}/worktree 2>/dev/null`,
    `rm ${home}/ballast`,
    `run=$(head -1 ${scratch}/first.out | sed -n 's/.*"root":"\\([^"]*\\)".*/\\1/p')`,
    // Nobody may write to it for a while; then it is as before.
    `if [ -n "$run" ]; then bwrap --dev-bind / / --ro-bind ${home} ${home} ${line([...cli, "resume"])} "$run" --json > ${scratch}/third.out 2> ${scratch}/third.err; echo $? > ${scratch}/third.code; fi`,
    `if [ -n "$run" ]; then ${line([...cli, "resume"])} "$run" --json > ${scratch}/second.out 2> ${scratch}/second.err; echo $? > ${scratch}/second.code; fi`,
    `touch ${scratch}/third.out ${scratch}/third.err ${scratch}/third.code`,
    `touch ${scratch}/second.out ${scratch}/second.err ${scratch}/second.code`,
    // What stands on the small file system goes with it, so it is brought out for the look at it.
    `mkdir -p ${scratch}/kept && cp -a ${home}/. ${scratch}/kept/`,
    "exit 0",
  ].join("\n");
}

function endOf(read: (name: string) => string, name: string) {
  const code = Number(read(`${name}.code`).trim() || "0");
  return { code, signal: null, stdout: read(`${name}.out`), stderr: read(`${name}.err`) };
}

async function canMount(): Promise<boolean> {
  try {
    await execute("bwrap", ["--dev-bind", "/", "/", "--size", "1048576", "--tmpfs", "/mnt", "true"]);
    return true;
  } catch {
    // Recorded in the figures of the part.
    return false;
  }
}
