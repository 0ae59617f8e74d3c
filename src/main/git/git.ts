// The one door to git: the only file that starts it. Every call has a time limit, a cleaned environment, no prompts and
// no hooks, and speaks bytes. It never discovers a repository from a folder that an agent can write: callers name GIT_DIR.

import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { execa } from "execa";

/** Where a call works. Absent parts are absent from its environment; `cwd` absent = the git dir. */
interface GitPlace {
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly cwd?: string;
}

export interface GitCall extends GitPlace {
  readonly args: readonly string[];
  readonly input?: Uint8Array | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers rather than failures. Default: 0 alone. */
  readonly answers?: readonly number[];
  /** Milliseconds; default one minute. */
  readonly timeoutMs?: number;
  /** Cut the output here, which is no failure, instead of refusing more than 512 MiB. */
  readonly maxBytes?: number;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly isCut: boolean;
}

type GitErrorCode = "GIT_FAILED" | "GIT_TIMEOUT" | "GIT_MISSING" | "GIT_OUTPUT_TOO_LARGE" | "GIT_REFUSED";

/** What went wrong at the door: `GIT_REFUSED` is ours (a name or place that the app may not touch), the others are git's. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly code: GitErrorCode;
  readonly args: readonly string[];
  readonly stderr: string;

  constructor(code: GitErrorCode, message: string, args: readonly string[] = [], stderr = "") {
    super(message);
    this.code = code;
    this.args = args;
    this.stderr = stderr;
  }
}

/** For work that grows with the repository: filling a worktree, hashing it, diffing it. */
export const longTimeoutMs = 600_000;

const defaultTimeoutMs = 60_000;
const graceMs = 2_000;
const outputLimitBytes = 512 * 1024 * 1024;

/** Settings that may not be the user's or an agent's in any call of the app. */
const fixedSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.quotePath=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "i18n.commitEncoding=UTF-8",
].flatMap((setting) => ["-c", setting]);

/** Which files hold the user's settings is the user's to say; "clean" must mean what their own `git status` means (case A23). */
const keptVariables = new Set(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]);

/** The identity of commits that are the app's own: snapshots, pins, merge inputs. */
export const appIdentity = { name: "Coppice", email: "coppice@localhost" };

/** `inherited` without any GIT_* location, identity or trace variable, and without prompts. */
export function cleanEnvironment(inherited: NodeJS.ProcessEnv): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    const isGits = name.toUpperCase().startsWith("GIT_") && !keptVariables.has(name);
    if (value !== undefined && !isGits && name !== "SSH_ASKPASS") env[name] = value;
  }
  return {
    ...env,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_COMMITTER_NAME: appIdentity.name,
    GIT_COMMITTER_EMAIL: appIdentity.email,
  };
}

/** Runs git once. Throws `GitError` for an exit code that is not among `answers`, at the time limit, and when git is not installed. */
export async function git(call: GitCall): Promise<GitAnswer> {
  const cwd = call.cwd ?? call.workTree ?? call.gitDir;
  const timeoutMs = call.timeoutMs ?? defaultTimeoutMs;
  const child = execa("git", [...fixedSettings, ...call.args], {
    ...processOptions(call),
    ...(call.input === undefined ? { stdin: "ignore" as const } : { input: call.input }),
    encoding: "buffer",
    stripFinalNewline: false,
    maxBuffer: { stdout: call.maxBytes ?? outputLimitBytes, stderr: 1024 * 1024 },
  });
  const limit = limitGroup(child.pid, timeoutMs);
  const result = await child.finally(limit.lift);
  const stdout = Buffer.from(result.stdout ?? []);
  const stderr = Buffer.from(result.stderr ?? []).toString("utf8");
  const isCut = result.isMaxBuffer;
  if (isCut && call.maxBytes !== undefined) return { exitCode: 0, stdout, stderr, isCut };
  const { exitCode, code: cause } = result;
  const timedOut = limit.isReached();
  if (!timedOut && !isCut && exitCode !== undefined && (call.answers ?? [0]).includes(exitCode)) {
    return { exitCode, stdout, stderr, isCut };
  }
  throw describeFailure(call, { stderr, cwd, timeoutMs, isCut, timedOut, cause, exitCode });
}

/** The output as one line of text, without its line end. */
export async function gitLine(call: GitCall): Promise<string> {
  const { stdout } = await git(call);
  return stdout.toString("utf8").replace(/\n$/, "");
}

/** A git that waits for commands on its stdin and answers each with one line. */
export interface HeldGit {
  /** Sends bytes and waits for the next line of the answer; `null` when git has ended instead. */
  ask(command: string): Promise<string | null>;
  /** Closes stdin, waits for the end and answers with what git said on stderr. */
  end(): Promise<string>;
}

/** Starts git and keeps it open. Always `end` it; at the time limit it is ended from here, and when this process dies it reads the end of its stdin. */
export function holdGit(call: Omit<GitCall, "input" | "answers" | "maxBytes">): HeldGit {
  const child = execa("git", [...fixedSettings, ...call.args], { ...processOptions(call), stdin: "pipe" });
  const limit = limitGroup(child.pid, call.timeoutMs ?? defaultTimeoutMs);
  const ended = child.finally(limit.lift);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(command) {
      child.stdin.write(command);
      const line = await lines.next();
      return line.done === true ? null : line.value;
    },
    async end() {
      child.stdin.end();
      return (await ended).stderr;
    },
  };
}

function processOptions(call: GitCall) {
  const cwd = call.cwd ?? call.workTree ?? call.gitDir;
  return {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...cleanEnvironment(process.env), ...placeVariables(call), ...call.env },
    extendEnv: false,
    // A process group of its own: a filter that git started would outlive git and keep its pipes open.
    detached: process.platform !== "win32",
    reject: false,
  } as const;
}

function placeVariables(place: GitPlace): Record<string, string> {
  return {
    ...(place.gitDir === undefined ? {} : { GIT_DIR: place.gitDir }),
    ...(place.workTree === undefined ? {} : { GIT_WORK_TREE: place.workTree }),
    ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
  };
}

/** Ends a process group at its time limit: politely, so that git removes its lock files, and soon after for good. */
function limitGroup(pid: number | undefined, timeoutMs: number): { isReached(): boolean; lift(): void } {
  let isReached = false;
  const timers = [
    setTimeout(() => {
      isReached = true;
      signalGroup(pid, "SIGTERM");
    }, timeoutMs),
    setTimeout(() => signalGroup(pid, "SIGKILL"), timeoutMs + graceMs),
  ];
  return { isReached: () => isReached, lift: () => timers.forEach((timer) => clearTimeout(timer)) };
}

function signalGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    // It ended by itself between the timer and here.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

interface FailedRun {
  readonly stderr: string;
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
  readonly isCut: boolean;
  readonly timedOut: boolean;
  readonly cause: string | undefined;
  readonly exitCode: number | undefined;
}

function describeFailure(call: GitCall, run: FailedRun): GitError {
  const line = `git ${call.args.join(" ")}`;
  // Node reports a missing working folder as if the program itself were missing.
  if (run.cause === "ENOENT" && (run.cwd === undefined || existsSync(run.cwd))) {
    return new GitError("GIT_MISSING", "git was not found on PATH. Install git 2.38 or newer.", call.args);
  }
  if (run.timedOut) {
    return new GitError("GIT_TIMEOUT", `${line} did not end within ${run.timeoutMs / 1000} s.`, call.args, run.stderr);
  }
  if (run.isCut)
    return new GitError("GIT_OUTPUT_TOO_LARGE", `${line} answered with more than it may.`, call.args, run.stderr);
  const words = run.stderr.trim() || `exit code ${run.exitCode ?? run.cause ?? "unknown"}`;
  return new GitError("GIT_FAILED", `${line} failed: ${words}`, call.args, run.stderr);
}
