// Starts processes through a fork server: a small process that does nothing else. A fork copies the page tables of the one
// that forks, which blocks a large process for longer than git takes (`npm run bench gitStart`, ADR 48).
// There is one per thread of the app, started with the first process and ended with the thread.

import { type ChildProcess, spawn } from "node:child_process";
import { forkServerSource } from "./forkServerSource.ts";

export interface ProcessStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** The whole environment; its PATH says where `file` is. */
  readonly env: Readonly<Record<string, string>>;
  /** Without it the standard input is empty. */
  readonly hasInput: boolean;
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it never ran, or what became of it is unknown: the system's code (`ENOENT`), `FORK_SERVER_ENDED` or `ABANDONED`. */
  readonly failure: string | null;
}

export interface StartedProcess {
  /** Of its leader, whose group has the same number. Undefined until the system has started it. */
  pid(): number | undefined;
  /** To its standard input. `isLast` closes it. What comes after its end is dropped. */
  write(input: Uint8Array | string, isLast?: boolean): void;
  /** Waits for it no longer: `ended` is told now. For one whose output somebody holds who has left its group. */
  abandon(): void;
  /** Never rejects. All output has been told before. */
  readonly ended: Promise<ProcessEnd>;
}

export interface OutputWatch {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
}

/** What the server says of a process: one of the fields beside `id`. */
interface Told {
  readonly id: number;
  readonly pid?: number;
  readonly stdout?: Buffer;
  readonly stderr?: Buffer;
  readonly end?: ProcessEnd;
}

interface Running {
  readonly watch: OutputWatch;
  readonly settle: (end: ProcessEnd) => void;
  pid: number | undefined;
}

interface ForkServer {
  readonly child: ChildProcess;
  readonly running: Map<number, Running>;
}

const unknownEnd = (failure: string): ProcessEnd => ({ exitCode: null, signal: null, failure });

let current: ForkServer | null = null;
let lastId = 0;

/** Starts a process in a group of its own and tells its output as it comes. Failures to start are told by `ended`. */
export function startProcess(start: ProcessStart, watch: OutputWatch): StartedProcess {
  const server = (current ??= startServer());
  const id = ++lastId;
  const { promise: ended, resolve: settle } = Promise.withResolvers<ProcessEnd>();
  const running: Running = { watch, settle, pid: undefined };
  server.running.set(id, running);
  // A process that is waited for keeps the app alive; an idle server does not.
  server.child.channel?.ref();
  say(server, { id, start });
  return {
    pid: () => running.pid,
    write: (input, isLast = false) => say(server, { id, input, isLast }),
    abandon: () => finish(server, id, unknownEnd("ABANDONED")),
    ended,
  };
}

function startServer(): ForkServer {
  const child = spawn(process.execPath, ["-"], {
    env: { ELECTRON_RUN_AS_NODE: "1" },
    // Out of the terminal's process group.
    detached: true,
    serialization: "advanced",
    stdio: ["pipe", "ignore", "ignore", "ipc"],
    windowsHide: true,
  });
  const server: ForkServer = { child, running: new Map() };
  child.on("message", (told) => hear(server, told as Told));
  child.on("error", () => end(server));
  child.on("exit", () => end(server));
  // It ended before it had read its own source: "exit" says so.
  child.stdin?.on("error", () => undefined).end(forkServerSource);
  child.unref();
  return server;
}

function say(server: ForkServer, message: object): void {
  server.child.send(message, (error) => {
    if (error !== null) end(server);
  });
}

function hear(server: ForkServer, told: Told): void {
  const running = server.running.get(told.id);
  if (!running) {
    // It was abandoned before it had begun.
    if (told.pid !== undefined) signalGroup(told.pid, "SIGTERM");
    return;
  }
  if (told.pid !== undefined) running.pid = told.pid;
  if (told.stdout) running.watch.stdout(told.stdout);
  if (told.stderr) running.watch.stderr(told.stderr);
  if (told.end) finish(server, told.id, told.end);
}

function finish(server: ForkServer, id: number, end: ProcessEnd): void {
  const running = server.running.get(id);
  if (!running) return;
  server.running.delete(id);
  if (server.running.size === 0) server.child.channel?.unref();
  running.settle(end);
}

/** Somebody ended the server. What it had started is stopped, for nobody reads its output any more; the next start has a new one. */
function end(server: ForkServer): void {
  if (current === server) current = null;
  for (const { pid, settle } of server.running.values()) {
    if (pid !== undefined) signalGroup(pid, "SIGTERM");
    settle(unknownEnd("FORK_SERVER_ENDED"));
  }
  server.running.clear();
}

/** Signals a process and all of its group. False when all of them have ended by themselves. */
export function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): boolean {
  try {
    return process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
