// What the person's login shell has in its environment, for an application that no shell has started: from a dock or a menu
// it gets a short PATH. Asked once, beside the start and never before it; a shell that is slow or broken is left behind.

import { spawn } from "node:child_process";
import { basename } from "node:path";
import { userInfo } from "node:os";
import type { LoginEnvironment } from "../../engine/ports/command.ts";

/** How long the shell and its rc files may take, ms. */
const limitMs = 10_000;
const maxBytes = 1024 * 1024;
/** Around the environment, since rc files print what they like. */
const mark = "coppice:login:environment:";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a shell has started this process: every shell that reads rc files counts its depth, and terminals name themselves. */
export function isFromShell(env: Environment): boolean {
  return env["SHLVL"] !== undefined || env["TERM"] !== undefined;
}

export interface LoginShell {
  /** Absolute. */
  readonly shell: string;
  /** Ours: handed to the shell, as a terminal would be started with it. */
  readonly env: Environment;
  /** Runs JavaScript as Node does. Absolute. */
  readonly node?: string;
  readonly limitMs?: number;
}

/** The shell that this person logs in with, where the system says so. */
export function loginShell(env: Environment): string | null {
  const named = env["SHELL"] ?? userInfo().shell;
  return named?.startsWith("/") === true ? named : null;
}

/** Starts the shell as a terminal does, and reads what it exports. Never rejects: what goes wrong is said in `problem`, and there are no variables then. */
export async function readLoginEnvironment({
  shell,
  env,
  node = process.execPath,
  limitMs: limit = limitMs,
}: LoginShell): Promise<LoginEnvironment> {
  const failed = (problem: string): LoginEnvironment => ({ variables: null, problem });
  const said = await runShell(shell, env, node, limit);
  if (said.isLate)
    return failed(`${shell} did not get through its start-up files within ${limit / 1000} s, and was ended.`);
  const variables = variablesIn(said.output);
  if (variables === null) return failed(`${shell} did not say what its environment is${said.why}.`);
  return { variables, problem: null };
}

interface Said {
  readonly output: string;
  readonly isLate: boolean;
  readonly why: string;
}

function runShell(shell: string, env: Environment, node: string, limit: number): Promise<Said> {
  const { promise, resolve } = Promise.withResolvers<Said>();
  const script = `process.stdout.write(${JSON.stringify(mark)}+JSON.stringify(process.env)+${JSON.stringify(mark)})`;
  // A group of its own, so that whatever the start-up files began can be ended with it.
  const child = spawn(shell, [...flagsOf(shell), "-c", `${quoted(node)} -e ${quoted(script)}`], {
    env: { ...env, ELECTRON_RUN_AS_NODE: "1" },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  const end = (said: Omit<Said, "output">): void => {
    clearTimeout(timer);
    child.stdout.destroy();
    resolve({ output, ...said });
  };
  const timer = setTimeout(() => {
    endGroup(child.pid);
    end({ isLate: true, why: "" });
  }, limit);
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output = (output + chunk).slice(-maxBytes);
    // A program that the start-up files left behind may hold the pipe for good; what was asked for is there.
    if (output.split(mark).length > 2) end({ isLate: false, why: "" });
  });
  child.on("error", (error) => end({ isLate: false, why: `: ${error.message}` }));
  child.on("close", (code) =>
    end({ isLate: false, why: code === 0 || code === null ? "" : `: it ended with ${code}` }),
  );
  return promise;
}

/** As a terminal starts it: a login shell that reads its interactive files too. Shells of the C family take only the one. */
function flagsOf(shell: string): readonly string[] {
  return /^t?csh$/.test(basename(shell)) ? ["-i"] : ["-l", "-i"];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself in this very moment.
  }
}

function variablesIn(output: string): Readonly<Record<string, string>> | null {
  const [, text] = output.split(mark);
  if (text === undefined) return null;
  try {
    const { ELECTRON_RUN_AS_NODE: _ours, SHLVL: _depth, ...variables } = JSON.parse(text) as Record<string, string>;
    return variables;
  } catch {
    // Cut off, or printed over.
    return null;
  }
}
