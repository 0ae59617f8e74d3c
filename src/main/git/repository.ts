// Opens a folder that the user chose: which repository it is, and what they see in it. Reads only; takes no lock.

import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import { type Failure, fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { OpenedRepository } from "../engine/ports/git.ts";
import { findText, isMissing } from "./files.ts";
import { git, GitError, gitLine, longTimeoutMs } from "./git.ts";
import { requireOid, splitNul } from "./names.ts";

/** The checkout that the user opened, with its own git dir (a linked worktree's or a submodule's differs from the common dir). */
export interface Checkout {
  readonly gitDir: string;
  readonly workTree: string;
}

/** Answers with the codes of `GitPort.openRepository`; throws only what nobody could expect. */
export async function openRepository(folder: string): Promise<Result<OpenedRepository>> {
  try {
    const cwd = await requireFolder(folder);
    const checkout = await requireCheckout(cwd);
    const head = await findHead(checkout);
    if (head === null) throw await whyNoHead(folder, checkout);
    const [branch, dirtyCount, rootCommit, commonDir] = await Promise.all([
      findBranch(checkout),
      countDirty(checkout),
      findRootCommit(checkout),
      gitLine({ ...checkout, args: ["rev-parse", "--path-format=absolute", "--git-common-dir"] }),
    ]);
    const facts = { topLevel: checkout.workTree, commonDir: await realpath(commonDir), rootCommit };
    return succeed({ facts, branch, head, dirtyCount });
  } catch (error) {
    return fail(explain(folder, error));
  }
}

/** The user's own checkout of an opened repository. Only ever read. */
export async function requireCheckoutOf(repo: RepositoryFacts): Promise<Checkout> {
  return requireCheckout(repo.topLevel);
}

/** The checkout at `folder`; `null` when there is none, or one of another repository. */
export async function findCheckoutAt(repo: RepositoryFacts, folder: string): Promise<Checkout | null> {
  try {
    const checkout = await requireCheckout(await requireFolder(folder));
    const commonDir = await gitLine({ ...checkout, args: ["rev-parse", "--path-format=absolute", "--git-common-dir"] });
    return (await realpath(commonDir)) === repo.commonDir ? checkout : null;
  } catch (error) {
    const isAbsent = error instanceof Refusal || (error instanceof GitError && error.code === "GIT_FAILED");
    if (isAbsent || isMissing(error)) return null;
    throw error;
  }
}

async function requireFolder(folder: string): Promise<string> {
  const real = await realpath(folder);
  if (!(await stat(real)).isDirectory()) throw new Refusal("REPOSITORY_NOT_FOUND", `${folder} is not a folder.`);
  return real;
}

async function requireCheckout(cwd: string): Promise<Checkout> {
  const said = await gitLine({ cwd, args: ["rev-parse", "--is-inside-work-tree", "--absolute-git-dir"] });
  const isInside = said.startsWith("true\n");
  const gitDir = await realpath(said.slice(said.indexOf("\n") + 1));
  if (isInside) {
    return { gitDir, workTree: await realpath(await gitLine({ cwd, args: ["rev-parse", "--show-toplevel"] })) };
  }
  // Where worktree settings are on and the shared ones say "bare", a linked worktree is called bare as well (case A13).
  const link = (await findText(`${gitDir}/commondir`)) === null ? null : await findText(`${gitDir}/gitdir`);
  if (link !== null) return { gitDir, workTree: await realpath(dirname(link.trimEnd())) };
  const isBare = (await gitLine({ cwd, args: ["rev-parse", "--is-bare-repository"] })) === "true";
  if (isBare) throw new Refusal("BARE_REPOSITORY", `${cwd} is a bare repository. Open a checkout of it instead.`);
  throw new Refusal("NOT_A_REPOSITORY", `${cwd} is a git folder. Open the folder that it belongs to instead.`);
}

async function findHead(checkout: Checkout): Promise<Oid | null> {
  const args = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  const { exitCode, stdout } = await git({ ...checkout, args, answers: [0, 1] });
  return exitCode === 0 ? requireOid(stdout.toString("utf8").trim()) : null;
}

/** An unborn branch, or a HEAD whose commit is not there. */
async function whyNoHead(folder: string, checkout: Checkout): Promise<Refusal> {
  const named = await git({ ...checkout, args: ["rev-parse", "--verify", "--quiet", "HEAD"], answers: [0, 1] });
  if (named.exitCode === 0) {
    const oid = named.stdout.toString("utf8").trim();
    return new Refusal(
      "REPOSITORY_UNREADABLE",
      `${folder} stands at ${oid}, a commit that it does not have. "git fsck" says more.`,
    );
  }
  const branch = await findBranch(checkout);
  const others = await gitLine({
    ...checkout,
    args: ["for-each-ref", "--count=1", "--format=%(refname)", "refs/heads/"],
  });
  return new Refusal(
    "NO_COMMITS",
    branch === null || others === ""
      ? `${folder} has no commits yet. Make a first commit, then open it again.`
      : `${branch}, which ${folder} stands on, has no commits yet. Make a first commit on it or switch to another branch, then open it again.`,
  );
}

async function findBranch(checkout: Checkout): Promise<string | null> {
  const { stdout } = await git({ ...checkout, args: ["symbolic-ref", "--quiet", "HEAD"], answers: [0, 1] });
  const ref = stdout.toString("utf8").trim();
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
}

async function countDirty(checkout: Checkout): Promise<number> {
  return (await listDirty(checkout)).length;
}

/** Paths that differ from HEAD, each once, untracked ones that are not ignored among them. */
export async function listDirty(checkout: Checkout): Promise<readonly string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=all"];
  const fields = splitNul((await git({ ...checkout, args, timeoutMs: longTimeoutMs })).stdout);
  const paths: string[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    paths.push(fields[at]?.toString("utf8", 3) ?? "");
    // A rename or copy is followed by the name it came from.
    if (/[RC]/.test(fields[at]?.toString("latin1", 0, 2) ?? "")) at += 1;
  }
  return paths;
}

/** Of several roots the first by code unit, so that the answer does not hang on the order of walking. */
async function findRootCommit(checkout: Checkout): Promise<Oid> {
  const args = ["rev-list", "--max-parents=0", "HEAD"];
  const { stdout } = await git({ ...checkout, args, timeoutMs: longTimeoutMs });
  return requireOid(stdout.toString("utf8").split("\n").filter(Boolean).toSorted()[0] ?? "");
}

class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function explain(folder: string, error: unknown): Failure {
  if (error instanceof Refusal) return { code: error.code, message: error.message };
  if (isMissing(error))
    return { code: "REPOSITORY_NOT_FOUND", message: `${folder} does not exist. Choose another folder.` };
  if (!(error instanceof GitError)) throw error;
  if (error.code === "GIT_MISSING") return { code: "GIT_MISSING", message: error.message };
  if (error.stderr.includes("dubious ownership")) {
    const advice = /git config --global --add safe\.directory .*/.exec(error.stderr)?.[0];
    const message = `${folder} belongs to another user, so git does not trust it.${advice === undefined ? "" : ` If you do, run: ${advice}`}`;
    return { code: "UNSAFE_OWNER", message, details: { advice: advice ?? null } };
  }
  if (/not a git repository/i.test(error.stderr)) {
    return {
      code: "NOT_A_REPOSITORY",
      message: `${folder} is not in a git repository. Run "git init" there, or choose another folder.`,
    };
  }
  if (error.code !== "GIT_FAILED") throw error;
  const isNewer = /unknown repository extension|expected git repo version|unknown ref storage/i.test(error.stderr);
  const advice = isNewer ? " It takes a newer git than the one that is installed." : "";
  return {
    code: "REPOSITORY_UNREADABLE",
    message: `git cannot open ${folder}.${advice} It said: ${error.stderr.trim() || error.message}`,
  };
}
