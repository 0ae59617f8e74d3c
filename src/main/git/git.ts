// The one door to git: the only file that has it started. Every call has a time limit, a cleaned environment, no prompts and
// no hooks, and speaks bytes. It never discovers a repository from a folder that an agent can write: callers name GIT_DIR.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

import { type ProcessEnd, type ProcessStart, signalGroup, type StartedProcess, startProcess } from "./forkServer.ts";

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
const wordsLimitBytes = 1024 * 1024;

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

/** In its environment, every git that this process starts carries this mark, which no other process has. */
export const markVariable = "COPPICE_GIT";
export const gitMark = randomUUID();

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
  const timeoutMs = call.timeoutMs ?? defaultTimeoutMs;
  const stdout = collectBytes(call.maxBytes ?? outputLimitBytes, () => limit.stop());
  const stderr = collectBytes(wordsLimitBytes);
  const child = startProcess(startOf(call, call.input !== undefined), { stdout: stdout.take, stderr: stderr.take });
  const limit = limitTime(child, timeoutMs);
  if (call.input !== undefined) child.write(call.input, true);
  const end = await child.ended.finally(limit.lift);
  const { exitCode } = end;
  const answer = { stdout: stdout.bytes(), stderr: stderr.bytes().toString("utf8"), isCut: stdout.isCut() };
  if (answer.isCut && call.maxBytes !== undefined) return { ...answer, exitCode: 0 };
  const timedOut = limit.isReached();
  if (!timedOut && !answer.isCut && exitCode !== null && (call.answers ?? [0]).includes(exitCode))
    return { ...answer, exitCode };
  throw describeFailure(call, { ...answer, ...end, timeoutMs, timedOut });
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
  const output = new PassThrough();
  const stderr = collectBytes(wordsLimitBytes);
  const child = startProcess(startOf(call, true), { stdout: (bytes) => output.write(bytes), stderr: stderr.take });
  const limit = limitTime(child, call.timeoutMs ?? defaultTimeoutMs);
  const ended = child.ended.finally(() => {
    limit.lift();
    output.end();
  });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    async ask(command) {
      child.write(command);
      const line = await lines.next();
      return line.done === true ? null : line.value;
    },
    async end() {
      child.write("", true);
      await ended;
      return stderr.bytes().toString("utf8");
    },
  };
}

/** Keeps the first `limitBytes` of what it takes, and says so once that there was more. */
function collectBytes(limitBytes: number, onCut: () => void = () => undefined) {
  const chunks: Buffer[] = [];
  let left = limitBytes;
  let isCut = false;
  return {
    take(bytes: Buffer): void {
      if (left > 0) chunks.push(bytes.subarray(0, left));
      left -= bytes.length;
      if (left >= 0 || isCut) return;
      isCut = true;
      onCut();
    },
    bytes: () => Buffer.concat(chunks),
    isCut: () => isCut,
  };
}

function startOf(call: GitCall, hasInput: boolean): ProcessStart {
  return {
    file: "git",
    args: [...fixedSettings, ...call.args],
    cwd: folderOf(call),
    env: { ...cleanEnvironment(process.env), [markVariable]: gitMark, ...placeVariables(call), ...call.env },
    hasInput,
  };
}

function folderOf(call: GitPlace): string | undefined {
  return call.cwd ?? call.workTree ?? call.gitDir;
}

function placeVariables(place: GitPlace): Record<string, string> {
  return {
    ...(place.gitDir === undefined ? {} : { GIT_DIR: place.gitDir }),
    ...(place.workTree === undefined ? {} : { GIT_WORK_TREE: place.workTree }),
    ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
  };
}

/** Ends a process group at its time limit, or at `stop`: politely, so that git removes its lock files, and soon after for good. Whoever is left then, and holds git's output, is not waited for. */
function limitTime(child: StartedProcess, timeoutMs: number) {
  let isReached = false;
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, act: () => void): void => void timers.push(setTimeout(act, ms));
  const signal = (name: "SIGTERM" | "SIGKILL", next: () => void): void => {
    const pid = child.pid();
    if (pid !== undefined && signalGroup(pid, name)) after(graceMs, next);
    else child.abandon();
  };
  const stop = (): void => signal("SIGTERM", () => signal("SIGKILL", child.abandon));
  after(timeoutMs, () => {
    isReached = true;
    stop();
  });
  return { stop, isReached: () => isReached, lift: () => timers.forEach((timer) => clearTimeout(timer)) };
}

interface FailedRun extends ProcessEnd {
  readonly stderr: string;
  readonly timeoutMs: number;
  readonly isCut: boolean;
  readonly timedOut: boolean;
}

function describeFailure(call: GitCall, run: FailedRun): GitError {
  const line = `git ${call.args.join(" ")}`;
  const folder = folderOf(call);
  // A missing working folder is reported as if the program itself were missing.
  if (run.failure === "ENOENT" && (folder === undefined || existsSync(folder)))
    return new GitError("GIT_MISSING", "git was not found on PATH. Install git 2.38 or newer.", call.args);
  if (run.timedOut)
    return new GitError("GIT_TIMEOUT", `${line} did not end within ${run.timeoutMs / 1000} s.`, call.args, run.stderr);
  if (run.isCut)
    return new GitError("GIT_OUTPUT_TOO_LARGE", `${line} answered with more than it may.`, call.args, run.stderr);
  const words =
    run.stderr.trim() || (run.failure ?? (run.signal ? `ended by ${run.signal}` : `exit code ${run.exitCode}`));
  return new GitError("GIT_FAILED", `${line} failed: ${words}`, call.args, run.stderr);
}
