// One `coppice` process: its arguments and environment, what it prints as it prints it, and how it ends.

import { spawn, type ChildProcess } from "node:child_process";

import { builtCli, bundledNode } from "./commandLineBuild.ts";

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
  readonly subagents: readonly {
    readonly id: string;
    readonly role: string;
    readonly status: string;
    readonly code?: string;
    readonly verification: string;
  }[];
  readonly landed: readonly {
    readonly landing: string;
    readonly changeset: string;
    readonly target: string;
    readonly commit: string;
    readonly files: readonly string[];
  }[];
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
  /** The program that is started; the built command line without. */
  readonly cli?: string;
  /** The words before the command: a program that starts it. */
  readonly under?: readonly string[];
  /** What stands on standard input; nothing without. */
  readonly input?: string;
  /** After so long it counts as hanging, ms; a minute without. */
  readonly limitMs?: number;
  /** Sees each event as soon as it is printed. */
  readonly onEvent?: (event: PrintedEvent, child: ChildProcess) => void;
}

/** No command of a test takes this long on any machine, ms. One that does hangs, and is killed. */
const processLimitMs = 60_000;

/** Starts `coppice ARGS` as the leader of a process group of its own, with nothing of this machine's settings. */
export function startProcess(args: readonly string[], options: ProcessOptions): Running {
  const inherited = {
    PATH: process.env["PATH"],
    TZ: "UTC",
    LANG: "C.UTF-8",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    OPENAI_API_KEY: "test-key",
  };
  const [program = bundledNode, ...words] = [...(options.under ?? []), bundledNode, options.cli ?? builtCli, ...args];
  const child = spawn(program, words, {
    cwd: options.cwd,
    env: { ...inherited, ...options.env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
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
  const ended = untilEnd(child, args, output, options.limitMs ?? processLimitMs);
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
        ended.then(
          (end) => reject(new Error(`coppice ${args[0]} ended with ${end.code} and printed no ${type}: ${end.stderr}`)),
          reject,
        );
      });
    },
    signal: (signal) => void child.kill(signal),
  };
}

function untilEnd(
  child: ChildProcess,
  args: readonly string[],
  output: { readonly stdout: string; readonly stderr: string },
  limitMs: number,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      endGroup(child);
      reject(new Error(`coppice ${args.join(" ")} did not end within ${limitMs} ms. It said: ${output.stderr}`));
    }, limitMs);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(endOf(code, signal, output.stdout, output.stderr));
    });
  });
}

function endOf(code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string): Ended {
  const lines = () =>
    stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as PrintedLine);
  return {
    code,
    signal,
    stdout,
    stderr,
    lines,
    events: () => lines().flatMap((line) => ("n" in line && "seq" in line ? [line as unknown as PrintedEvent] : [])),
    summary: () => {
      const last = lines().at(-1);
      if (last?.["type"] !== "summary")
        throw new Error(
          `The last line is no summary but ${JSON.stringify(last)}. It ended with ${code} and said: ${stderr}`,
        );
      return last as unknown as PrintedSummary;
    },
  };
}

function readEvent(line: string): PrintedEvent | null {
  if (!line.startsWith('{"n":')) return null;
  return JSON.parse(line) as PrintedEvent;
}

/** Ends all that a process has started, also when the leader has gone. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
