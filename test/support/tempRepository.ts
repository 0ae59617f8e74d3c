// A real git repository in the system's temporary folder, for tests. Its settings are its own: no global or system file is read.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TempRepository {
  /** Real path of the checkout, on branch `main`. */
  readonly folder: string;
  /** Real path of an empty folder beside it, for worktrees and the app's data. */
  readonly outside: string;
  /** Runs git in the checkout and answers with its output, trimmed at the end. Throws with git's words when it fails. */
  git(...args: string[]): string;
  /** Writes files below the checkout (or below `root`), making folders. */
  write(files: Readonly<Record<string, string | Uint8Array>>, root?: string): void;
  /** Commits all that is in the checkout and answers with the commit. */
  commitAll(message: string): string;
  cleanup(): void;
}

/** Runs git in `cwd` as a user without settings of their own, whatever the machine has. */
export function runGit(
  cwd: string,
  args: readonly string[],
  options: { env?: Record<string, string>; input?: Uint8Array | string } = {},
): Buffer {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const env = {
    ...inherited,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
    ...options.env,
  };
  return execFileSync("git", [...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 256 * 1024 * 1024,
    ...(options.input === undefined ? {} : { input: options.input }),
  });
}

/** A repository with one commit of `files`; with `files` null, one without any commit. */
export function createTempRepository(
  files: Readonly<Record<string, string | Uint8Array>> | null = { "a.txt": "one\ntwo\nthree\n" },
): TempRepository {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "coppice-test-")));
  const folder = join(parent, "repo");
  const outside = join(parent, "outside");
  mkdirSync(folder);
  mkdirSync(outside);
  const git = (...args: string[]) => runGit(folder, args).toString("utf8").trimEnd();
  const repository: TempRepository = {
    folder,
    outside,
    git,
    write(contents, root = folder) {
      for (const [path, content] of Object.entries(contents)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
    },
    commitAll(message) {
      git("add", "-A");
      git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", message);
      return git("rev-parse", "HEAD");
    },
    cleanup: () => rmSync(parent, { recursive: true, force: true }),
  };
  git("init", "--quiet", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.test");
  if (files !== null) {
    repository.write(files);
    repository.commitAll("init");
  }
  return repository;
}
