// Owns the view of the processes on this machine, as Linux tells it in /proc, and the ending of a set of them.
// It must never signal a process that the caller's own test did not pick.

import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Arguments, as the process shows them. */
  readonly argv: readonly string[];
  /** `NAME=value` as given at its start; empty when it belongs to another account. */
  readonly environment: readonly string[];
}

/** After KILL the kernel needs a moment, longer when a process sits in a device. */
const killLimitMs = 2000;
/** Looking costs a few milliseconds, so the pauses grow. */
const firstPollMs = 10;
const longestPollMs = 80;

/** Every live process, zombies left out. Empty where there is no /proc. */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  const names = await readdir("/proc").catch(() => []);
  const rows = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readProcess));
  return rows.filter((row) => row !== null);
}

/**
 * Ends what `pick` picks: TERM, up to `graceMs`, then KILL until nothing is left or two seconds are over. `spare`
 * processes get no TERM, only the KILL. Returns the pids that were ended and those that could not be.
 */
export async function endProcesses(
  pick: (row: ProcessRow) => boolean,
  graceMs: number,
  spare: ReadonlySet<number> = new Set(),
): Promise<{ readonly ended: readonly number[]; readonly left: readonly number[] }> {
  const seen = new Set<number>();
  const find = async (): Promise<readonly number[]> => {
    const picked = (await listProcesses()).filter((row) => row.pid !== process.pid && pick(row)).map((row) => row.pid);
    for (const pid of picked) seen.add(pid);
    return picked;
  };
  let alive = await find();
  for (const pid of alive) if (!spare.has(pid)) sendSignal(pid, "SIGTERM");
  // A process that is started while its parent is being ended is found by looking again.
  alive = await waitUntilGone(find, alive, graceMs, () => undefined);
  alive = await waitUntilGone(find, alive, killLimitMs, (pid) => sendSignal(pid, "SIGKILL"));
  return { ended: [...seen].filter((pid) => !alive.includes(pid)), left: alive };
}

/** Ends a process group without a process table: TERM, up to `graceMs`, then KILL whatever became of its leader. */
export async function endGroup(leader: number, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  let isAlive = sendSignal(-leader, "SIGTERM");
  while (isAlive && performance.now() < deadline) {
    await delay(firstPollMs);
    isAlive = sendSignal(-leader, 0);
  }
  sendSignal(-leader, "SIGKILL");
}

/** Sends a signal (0 = only asks whether it could) to a process, or with a negative number to a group. False when there is none, or it is not ours. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ESRCH" || code === "EPERM") return false;
    throw error;
  }
}

async function waitUntilGone(
  find: () => Promise<readonly number[]>,
  first: readonly number[],
  limitMs: number,
  act: (pid: number) => void,
): Promise<readonly number[]> {
  const deadline = performance.now() + limitMs;
  let alive = first;
  let pollMs = firstPollMs;
  while (alive.length > 0) {
    for (const pid of alive) act(pid);
    if (performance.now() >= deadline) break;
    await delay(pollMs);
    pollMs = Math.min(2 * pollMs, longestPollMs);
    alive = await find();
  }
  return alive;
}

async function readProcess(name: string): Promise<ProcessRow | null> {
  const [stat, command, environment] = await Promise.all(
    ["stat", "cmdline", "environ"].map((file) => readEntry(`/proc/${name}/${file}`)),
  );
  // The name in parentheses may itself hold spaces and parentheses; what follows the last one is numbers.
  const [state, parent, group, session] = (stat ?? "").slice((stat ?? "").lastIndexOf(")") + 2).split(" ");
  if (state === undefined || state === "" || state === "Z" || state === "X") return null;
  return {
    pid: Number(name),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    argv: splitAtNul(command),
    environment: splitAtNul(environment),
  };
}

/** Empty for a process that ended meanwhile or belongs to another account: both are not ours to end. */
function readEntry(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

function splitAtNul(text: string | undefined): readonly string[] {
  return (text ?? "").split("\0").filter((part) => part !== "");
}
