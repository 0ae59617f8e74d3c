// Owns what the tests of this room run commands in: a repository with a worktree in a data folder, in a temporary place.
// Test code: it must never be imported by the application.

import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CommandOutcome, CommandPort, CommandSpec } from "../engine/ports/command.ts";
import { listProcesses, type ProcessRow } from "./processTable.ts";

export interface TrialPlace {
  readonly base: string;
  /** The user's checkout, with the file `a.txt` committed and an uncommitted `secret.txt`. */
  readonly checkout: string;
  /** Holds `journal.txt`, and the worktree. */
  readonly dataFolder: string;
  /** A detached worktree of the checkout. */
  readonly root: string;
  readonly objectFolder: string;
  /** Marks the processes of this place's commands. */
  readonly tag: string;
  run(
    port: CommandPort,
    command: string,
    change?: Partial<CommandSpec>,
    watch?: Partial<Watch>,
  ): Promise<CommandOutcome>;
  git(folder: string, ...args: readonly string[]): string;
  /** Live processes that were started with an argument that holds `word`, the ones that `run` starts among them. */
  findProcesses(word: string): Promise<readonly ProcessRow[]>;
  remove(): void;
}

interface Watch {
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

const gitEnvironment = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export function makeTrialPlace(): TrialPlace {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "coppice-sandbox-")));
  const [checkout, dataFolder] = [path.join(base, "checkout"), path.join(base, "data")];
  const [root, objectFolder] = [path.join(dataFolder, "work", "own"), path.join(dataFolder, "objects")];
  const tag = `trial-${path.basename(base)}`;
  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      env: gitEnvironment,
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();

  mkdirSync(checkout);
  mkdirSync(path.join(dataFolder, "work"), { recursive: true });
  git(checkout, "init", "-q", "-b", "main");
  writeFileSync(path.join(checkout, "a.txt"), "one\n");
  git(checkout, "add", ".");
  git(checkout, "-c", "user.name=T", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "init");
  writeFileSync(path.join(checkout, "secret.txt"), "uncommitted");
  writeFileSync(path.join(dataFolder, "journal.txt"), "journal");
  git(checkout, "worktree", "add", "-q", "--detach", root);

  const commonDir = path.join(checkout, ".git");
  const spec = (command: string): CommandSpec => ({
    command,
    root,
    cwd: root,
    privateHome: path.join(dataFolder, "home"),
    git: { commonDir, gitDir: path.join(commonDir, "worktrees", "own"), objectFolder },
    hidden: [checkout, dataFolder],
    network: "off",
    timeoutMs: 15_000,
    tag,
  });
  return {
    base,
    checkout,
    dataFolder,
    root,
    objectFolder,
    tag,
    git,
    run: (port, command, change, watch) =>
      port.run({ ...spec(command), ...change }, { signal: new AbortController().signal, ...watch }),
    findProcesses: async (word) =>
      (await listProcesses()).filter((row) => row.argv.some((argument) => argument.includes(word))),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** A duration for `sleep` that no other process here has: it makes the process easy to find, and outlasts every test. */
export function uniqueSleep(): string {
  return `600.${randomInt(1e9, 1e10 - 1)}`;
}
