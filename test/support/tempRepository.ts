// A real git repository in the system's temporary folder, for tests. Its settings are its own: no global or system file is read.

import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { runProgram } from "./smallStarter.ts";

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

/** Runs git in `cwd` as a user without settings of their own, whatever the machine has. Throws with git's words when it fails. */
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
  const { status, stdout, stderr, failure } = runProgram({ file: "git", args, cwd, env, ...inputOf(options) });
  if (status === 0) return Buffer.from(stdout);
  const words = failure ?? Buffer.from(stderr).toString("utf8");
  throw Object.assign(new Error(`Command failed: git ${args.join(" ")}\n${words}`), { status, stderr: words });
}

function inputOf({ input }: { readonly input?: Uint8Array | string }): { readonly input?: Uint8Array | string } {
  return input === undefined ? {} : { input };
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
  const commit = (message: string) => {
    git("add", "-A");
    git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", message);
  };
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
      commit(message);
      return git("rev-parse", "HEAD");
    },
    cleanup: () => rmSync(parent, { recursive: true, force: true }),
  };
  // Without the samples of hooks that git would copy each time.
  git("init", "--quiet", "--template=", "-b", "main");
  for (const name of ["hooks", "info"]) mkdirSync(join(folder, ".git", name));
  appendFileSync(join(folder, ".git/config"), "[user]\n\tname = Ada\n\temail = ada@example.test\n");
  if (files !== null) {
    repository.write(files);
    commit("init");
  }
  return repository;
}
