// Owns one process tree from its start to the proof that nothing of it lives: spawn, drain, stop, end.
// It must never wait without a limit, nor report twice; what the output means is the caller's business.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { statusFd } from "./bubblewrap.ts";
import { describeRunning } from "./description.ts";
import { endGroup, endProcesses, listProcesses, type ProcessRow } from "./processTable.ts";

export interface ProcessSpec {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** How long after TERM the KILL comes. */
  readonly killGraceMs: number;
  /** `NAME=value` that is in `env` and in no other command's: it finds children that left the group. */
  readonly mark: string;
  /** The leader is a launcher whose end takes the rest with it at once: it is told last. */
  readonly isLauncher: boolean;
  /** The launcher reports on `statusFd`; the descriptor is open for it alone. */
  readonly hasStatus: boolean;
}

export interface ProcessWatch {
  readonly signal: AbortSignal;
  /** Sees bytes as they come; `"stop"` ends the process. Nothing comes after a cancel, a stop, or the end. */
  onOutput(chunk: Buffer): "go" | "stop";
}

export interface ProcessEnd {
  readonly cause: "exited" | "timeout" | "cancelled" | "flooded" | "spawn_failed";
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What was running when a timeout came, for people. */
  readonly running: string;
  /** Processes that withstood KILL. */
  readonly left: readonly number[];
  /** What a launcher said on its standard error, and on its status descriptor. */
  readonly launcherWords: string;
  readonly launcherStatus: string;
  readonly error?: NodeJS.ErrnoException;
}

type Cause = ProcessEnd["cause"];

/** A grandchild may hold the pipe for hours; what the leader itself wrote is there within this time. */
const drainMs = 250;
/** Node's timers fire at once beyond this. */
const longestTimerMs = 2 ** 31 - 1;
const launcherWordsLimit = 8192;

/** Runs one process in its own group and session with an empty standard input. Never rejects; resolves when all of it is gone. */
export async function runProcess(spec: ProcessSpec, watch: ProcessWatch): Promise<ProcessEnd> {
  if (watch.signal.aborted) return { ...nothingRan, cause: "cancelled" };
  const child = start(spec);
  if (child instanceof Error) return { ...nothingRan, cause: "spawn_failed", error: child };
  const leader = child.pid;
  if (leader === undefined) return { ...nothingRan, cause: "spawn_failed", error: await failureOf(child) };

  const gate = openGate();
  const exited = once(child, "exit");
  const closed = once(child, "close");
  const launcher = readOutput(child, spec, watch, gate);
  const cause = await firstCause(exited, spec.timeoutMs, watch.signal, gate);
  const belongs = (row: ProcessRow): boolean =>
    row.group === leader || row.session === leader || row.environment.includes(spec.mark);
  let running = "";
  let left: readonly number[] = [];
  if (cause !== "exited") {
    if (cause !== "timeout") gate.close();
    if (cause === "timeout") running = describeRunning((await listProcesses()).filter(belongs), leader);
    left = await stop(leader, belongs, spec);
    await Promise.race([exited, delay(drainMs)]);
  }
  await Promise.race([closed, delay(drainMs)]);
  gate.close();
  // Again after an orderly exit, for what it left behind; regardless of the leader, whose end says nothing of its children.
  if (cause === "exited") left = await stop(leader, belongs, spec);
  discardPipes(child);
  return { cause, exitCode: child.exitCode, signal: child.signalCode, running, left, ...launcher() };
}

const nothingRan = {
  exitCode: null,
  signal: null,
  running: "",
  left: [],
  launcherWords: "",
  launcherStatus: "",
} as const;

function start(spec: ProcessSpec): ChildProcess | Error {
  const [file, ...rest] = spec.argv;
  try {
    // The launcher dies with the thread that spawns it (PR_SET_PDEATHSIG), so this must not be a short-lived worker.
    return spawn(file, rest, {
      cwd: spec.cwd,
      env: { ...spec.env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe", ...(spec.hasStatus ? (["pipe"] as const) : [])],
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function failureOf(child: ChildProcess): Promise<Error> {
  const [error] = await Promise.race([once(child, "error"), delay(drainMs, [new Error("it did not start")])]).catch(
    (failure: unknown) => [failure],
  );
  return error instanceof Error ? error : new Error(String(error));
}

interface Gate {
  isOpen(): boolean;
  close(): void;
  readonly flooded: Promise<void>;
  flood(): void;
}

/** Lets output through until it is closed: the one place that says "later bytes are dropped". */
function openGate(): Gate {
  let isOpen = true;
  const flooded = Promise.withResolvers<void>();
  return {
    isOpen: () => isOpen,
    close: () => {
      isOpen = false;
    },
    flooded: flooded.promise,
    flood: () => {
      isOpen = false;
      flooded.resolve();
    },
  };
}

/** Connects the pipes. The pipes are always read to the end, so that a process that is being stopped never blocks on them. */
function readOutput(
  child: ChildProcess,
  spec: ProcessSpec,
  watch: ProcessWatch,
  gate: Gate,
): () => { launcherWords: string; launcherStatus: string } {
  const texts = { words: "", status: "" };
  const take = (chunk: Buffer): void => {
    if (gate.isOpen() && watch.onOutput(chunk) === "stop") gate.flood();
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", (chunk: Buffer) => {
    if (!spec.isLauncher) take(chunk);
    else if (texts.words.length < launcherWordsLimit) texts.words += chunk.toString("utf8");
  });
  const status = child.stdio[statusFd];
  if (status !== undefined && status !== null && "read" in status) {
    status.on("data", (chunk: Buffer) => {
      texts.status += chunk.toString("utf8");
    });
  }
  return () => ({ launcherWords: texts.words.trim(), launcherStatus: texts.status });
}

/** Waits for the first of exit, timeout, abort and flood. Leaves no timer and no listener behind. */
async function firstCause(
  exited: Promise<unknown>,
  timeoutMs: number,
  signal: AbortSignal,
  gate: Gate,
): Promise<Cause> {
  const settled = Promise.withResolvers<Cause>();
  const timer = setTimeout(() => settled.resolve("timeout"), Math.min(timeoutMs, longestTimerMs));
  const onAbort = (): void => settled.resolve("cancelled");
  signal.addEventListener("abort", onAbort, { once: true });
  exited.then(
    () => settled.resolve("exited"),
    () => settled.resolve("exited"),
  );
  void gate.flooded.then(() => settled.resolve("flooded"));
  const cause = await settled.promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  return cause;
}

/** Ends the whole tree. Where there is no process table the group is all that can be named. */
async function stop(
  leader: number,
  belongs: (row: ProcessRow) => boolean,
  spec: ProcessSpec,
): Promise<readonly number[]> {
  if (process.platform !== "linux") {
    await endGroup(leader, spec.killGraceMs);
    return [];
  }
  const { left } = await endProcesses(belongs, spec.killGraceMs, spec.isLauncher ? new Set([leader]) : new Set());
  return left;
}

function discardPipes(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
}
