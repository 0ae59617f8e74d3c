// The built command line as its users meet it: a child process on a data folder, a repository and a model server of its
// own. Knows only what is public: arguments, environment, output, signals, exit code.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { listProcesses } from "../../src/main/sandbox/processTable.ts";
import { builtCli, bundledNode } from "./commandLineBuild.ts";
import { startScriptedModel, type ScriptedEntry, type ScriptedModelServer } from "./scriptedModel.ts";
import { createTempRepository, type TempRepository } from "./tempRepository.ts";

/** A journal event as `--json` prints it. */
export interface PrintedEvent {
  readonly n: number;
  readonly pos: number;
  readonly run: string;
  readonly root: string;
  readonly agent: string;
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly data: { readonly [field: string]: unknown };
}

export interface PrintedSummary {
  readonly type: "summary";
  readonly run: string;
  readonly status: string;
  readonly stopReason: string | null;
  readonly answer: string | null;
  readonly partial: boolean;
  readonly subagents: readonly { readonly id: string; readonly role: string; readonly status: string; readonly code?: string; readonly verification: string }[];
  readonly landed: readonly { readonly landing: string; readonly changeset: string; readonly target: string; readonly commit: string; readonly files: readonly string[] }[];
  readonly waiting: readonly { readonly id: string; readonly kind: string; readonly agent: string }[];
  readonly [field: string]: unknown;
}

/** A line of stdout as JSON. */
export type PrintedLine = { readonly [field: string]: unknown };

/** How a process ended, and all that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Every line of stdout, read as JSON. Throws when one is not. */
  lines(): readonly PrintedLine[];
  events(): readonly PrintedEvent[];
  /** Throws when there is none. */
  summary(): PrintedSummary;
}

/** A process that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the first printed event that fits; rejects when the process ends without one. */
  printed(type: string, fits?: (event: PrintedEvent) => boolean): Promise<PrintedEvent>;
  signal(signal: NodeJS.Signals): void;
}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What stands on standard input; nothing without. */
  readonly input?: string;
  /** Sees each event as soon as it is printed. */
  readonly onEvent?: (event: PrintedEvent, child: ChildProcess) => void;
}

/** One person's place of work. Disposing of it ends what was started from it and removes its folders. */
export interface Desk extends AsyncDisposable {
  /** The data folder; it is not there before the first command makes it. */
  readonly home: string;
  readonly repository: TempRepository;
  readonly server: ScriptedModelServer;
  /** Starts `coppice ARGS`. */
  start(args: readonly string[], options?: ProcessOptions): Running;
  /** The same, to its end. */
  coppice(args: readonly string[], options?: ProcessOptions): Promise<Ended>;
  /** The arguments of a run on this repository and this server with `--json`: changes land unasked on branch `landed`. Later options win. */
  runArgs(task: string, ...more: readonly string[]): readonly string[];
  /** What must not be left of a run: processes, worktrees, locks, folders, refs other than its base and those named. */
  leavings(run: string, ...kept: readonly string[]): Promise<readonly string[]>;
}

/** No command of a test takes this long on any machine, ms. One that does hangs, and is killed. */
const processLimitMs = 60_000;

/** Stories of one file that run side by side; more would only wait for the processor. */
const seats = 3;
let taken = 0;
const queue: (() => void)[] = [];

/** Opens a desk once a seat is free. */
export async function openDesk(entries: readonly ScriptedEntry[] = [], files?: Readonly<Record<string, string>>): Promise<Desk> {
  if (taken >= seats) await new Promise<void>((resolve) => queue.push(resolve));
  else taken += 1;
  const parent = mkdtempSync(join(tmpdir(), "coppice-desk-"));
  const home = join(parent, "data");
  const repository = createTempRepository(files);
  const server = await startScriptedModel(entries);
  const running = new Set<Running>();

  const start: Desk["start"] = (args, options = {}) => {
    const process = startProcess(args, { ...options, env: { COPPICE_HOME: home, HOME: parent, ...options.env }, cwd: options.cwd ?? repository.outside });
    running.add(process);
    return process;
  };
  return {
    home,
    repository,
    server,
    start,
    coppice: (args, options) => start(args, options).ended,
    runArgs: (task, ...more) => ["run", "--repo", repository.folder, "--task", task, "--model", "scripted", "--base-url", server.baseUrl, ...unattended(more), ...more, "--json"],
    leavings: (run, ...kept) => findLeavings(repository, home, run, kept),
    async [Symbol.asyncDispose]() {
      for (const { child } of running) endGroup(child);
      await Promise.all([...running].map(({ ended }) => ended.catch(() => undefined)));
      await server.close();
      repository.cleanup();
      rmSync(parent, { recursive: true, force: true });
      const next = queue.shift();
      if (next) next();
      else taken -= 1;
    },
  };
}

/** What a run is started with when nobody is there to ask, but for what the test names itself. */
function unattended(named: readonly string[]): readonly string[] {
  const defaults = { "--approve": "auto", "--commands": "allow", "--land-on": "branch:landed", "--verify": "true" };
  return Object.entries(defaults).flatMap(([option, value]) => (named.includes(option) ? [] : [option, value]));
}

function startProcess(args: readonly string[], options: ProcessOptions): Running {
  const inherited = { PATH: process.env["PATH"], TZ: "UTC", LANG: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", OPENAI_API_KEY: "test-key" };
  const child = spawn(bundledNode, [builtCli, ...args], { cwd: options.cwd, env: { ...inherited, ...options.env }, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined).end(options.input ?? "");
  const output = { stdout: "", stderr: "" };
  const events: PrintedEvent[] = [];
  const watchers = new Set<(event: PrintedEvent) => void>();
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const event of lines.map(readEvent)) {
      if (event === null) continue;
      events.push(event);
      options.onEvent?.(event, child);
      for (const watcher of watchers) watcher(event);
    }
  });
  const ended = untilEnd(child, args, output);
  return {
    child,
    ended,
    printed: (type, fits = () => true) => {
      const isIt = (event: PrintedEvent) => event.type === type && fits(event);
      const before = events.find(isIt);
      if (before) return Promise.resolve(before);
      return new Promise((resolve, reject) => {
        const watcher = (event: PrintedEvent) => {
          if (!isIt(event)) return;
          watchers.delete(watcher);
          resolve(event);
        };
        watchers.add(watcher);
        ended.then((end) => reject(new Error(`coppice ${args[0]} ended with ${end.code} and printed no ${type}: ${end.stderr}`)), reject);
      });
    },
    signal: (signal) => void child.kill(signal),
  };
}

function untilEnd(child: ChildProcess, args: readonly string[], output: { readonly stdout: string; readonly stderr: string }): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      endGroup(child);
      reject(new Error(`coppice ${args.join(" ")} did not end within ${processLimitMs} ms. It said: ${output.stderr}`));
    }, processLimitMs);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(endOf(code, signal, output.stdout, output.stderr));
    });
  });
}

function endOf(code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string): Ended {
  const lines = () => stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as PrintedLine);
  return {
    code,
    signal,
    stdout,
    stderr,
    lines,
    events: () => lines().flatMap((line) => ("n" in line && "seq" in line ? [line as unknown as PrintedEvent] : [])),
    summary: () => {
      const last = lines().at(-1);
      if (last?.["type"] !== "summary") throw new Error(`The last line is no summary but ${JSON.stringify(last)}. It ended with ${code} and said: ${stderr}`);
      return last as unknown as PrintedSummary;
    },
  };
}

function readEvent(line: string): PrintedEvent | null {
  if (!line.startsWith('{"n":')) return null;
  return JSON.parse(line) as PrintedEvent;
}

/** Also when the leader has gone: what it started may still be there. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function findLeavings(repository: TempRepository, home: string, run: string, kept: readonly string[]): Promise<readonly string[]> {
  const own = new Set(["refs/heads/main", `refs/coppice/${run}/base`, ...kept]);
  const below = (folder: string) => (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []);
  return [
    ...repository.git("worktree", "list", "--porcelain").split("\n").filter((line) => line.startsWith("worktree ") && line !== `worktree ${repository.folder}`),
    ...below(join(repository.folder, ".git")).filter((path) => path.endsWith(".lock") || path.startsWith("worktrees/")),
    ...below(home).filter((path) => path.includes(run)),
    ...(await listProcesses()).filter((row) => row.environment.includes(`COPPICE_RUN=${run}`)).map((row) => `process ${row.pid} ${row.argv.join(" ")}`),
    ...repository.git("for-each-ref", "--format=%(refname)").split("\n").filter((ref) => !own.has(ref)),
  ];
}
