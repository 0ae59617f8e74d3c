// Reads, pins and moves refs. Moves a user's branch only by compare-and-swap, never one that is checked out, and deletes none.

import { join } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { listWorktrees } from "./entries.ts";
import { findNames, findText } from "./files.ts";
import { git, GitError } from "./git.ts";
import { refLock, withLocks } from "./leftLocks.ts";
import { requireOid, requireRef } from "./names.ts";
import { requireCheckoutOf } from "./repository.ts";

/** What a full ref name points at; `null` when it does not exist. */
export async function readRef(repo: RepositoryFacts, ref: string): Promise<Oid | null> {
  const args = ["rev-parse", "--verify", "--quiet", requireRef(ref, "refs/")];
  const { exitCode, stdout } = await git({ gitDir: repo.commonDir, args, answers: [0, 1] });
  return exitCode === 0 ? requireOid(stdout.toString("utf8").trim()) : null;
}

/** Answers with the name itself. A branch of that name may exist already; one above or below it may not. */
export async function checkBranchName(repo: RepositoryFacts, name: string): Promise<Result<string>> {
  const refuse = (message: string) => fail({ code: "BAD_BRANCH_NAME", message });
  const ref = `refs/heads/${name}`;
  if (name.startsWith("-") || name === "HEAD" || !(await isWellFormed(ref))) {
    return refuse(`${JSON.stringify(name)} is not a name that git allows for a branch. Choose another.`);
  }
  const { stdout } = await git({
    gitDir: repo.commonDir,
    args: ["for-each-ref", "--format=%(refname)", "refs/heads/"],
  });
  const inTheWay = stdout
    .toString("utf8")
    .split("\n")
    .find((other) => other !== "" && (ref.startsWith(`${other}/`) || other.startsWith(`${ref}/`)));
  if (inTheWay === undefined) return succeed(name);
  return refuse(
    `The branch ${inTheWay.slice("refs/heads/".length)} stands in the way of ${name}. Choose another name.`,
  );
}

/** Creates or moves a ref of the app's own. Throws `GIT_REFUSED` for any other. */
export async function pin(dataFolder: string, repo: RepositoryFacts, ref: string, commit: Oid): Promise<void> {
  const args = ["update-ref", "--no-deref", requireRef(ref, "refs/coppice/"), requireOid(commit)];
  await withLocks(dataFolder, repo, refLock(repo, ref, commit), () => git({ gitDir: repo.commonDir, args }));
}

/** Paths of the worktrees that have `ref` checked out, or are in the middle of rebasing it. One whose folder is gone does not count. */
export async function checkedOutAt(repo: RepositoryFacts, ref: string): Promise<readonly string[]> {
  requireRef(ref, "refs/");
  const fields = await listWorktrees(repo);
  const paths: string[] = [];
  let path = "";
  let isHere = false;
  for (const field of fields) {
    if (field.startsWith("worktree ")) path = field.slice("worktree ".length);
    else if (field === `branch ${ref}`) isHere = true;
    else if (field.startsWith("prunable")) isHere = false;
    else if (field === "") {
      if (isHere) paths.push(path);
      isHere = false;
    }
  }
  // Of a submodule's own checkout git lists the git dir; of any other main checkout, the folder above it.
  const isInside = paths.includes(repo.commonDir) && (await requireCheckoutOf(repo)).gitDir === repo.commonDir;
  const listed = paths.map((at) => (isInside && at === repo.commonDir ? repo.topLevel : at));
  return [...listed, ...(await rebasedAt(repo, ref))];
}

/** Moves `ref` below refs/heads/ from `old` to `next`. False when it stood elsewhere. Throws `GIT_REFUSED` when it is checked out. */
export async function swapRef(
  dataFolder: string,
  repo: RepositoryFacts,
  ref: string,
  old: Oid | null,
  next: Oid,
  reason: string,
): Promise<boolean> {
  requireRef(ref, "refs/heads/");
  const holders = await checkedOutAt(repo, ref);
  if (holders.length > 0) {
    throw new GitError(
      "GIT_REFUSED",
      `${ref} is checked out at ${holders.join(", ")}; moving it would stage its reversal there.`,
    );
  }
  const from = old === null ? null : requireOid(old);
  const command =
    from === null ? `create ${ref}\0${requireOid(next)}\0` : `update ${ref}\0${requireOid(next)}\0${from}\0`;
  try {
    const args = ["update-ref", "--stdin", "-z", "--no-deref", "-m", reason];
    await withLocks(dataFolder, repo, refLock(repo, ref, next), () =>
      git({ gitDir: repo.commonDir, args, input: command }),
    );
    return true;
  } catch (error) {
    // Git has no exit code of its own for a lost race: where the ref stands tells it from a real failure.
    if (error instanceof GitError && error.code === "GIT_FAILED" && (await readRef(repo, ref)) !== old) return false;
    throw error;
  }
}

async function isWellFormed(ref: string): Promise<boolean> {
  // A NUL cannot be passed to git at all.
  if (ref.includes("\0")) return false;
  return (await git({ args: ["check-ref-format", ref], answers: [0, 1] })).exitCode === 0;
}

/** A rebase holds its branch although HEAD is detached meanwhile, and fails at its end when the branch has moved. */
async function rebasedAt(repo: RepositoryFacts, ref: string): Promise<string[]> {
  const linked = (await findNames(join(repo.commonDir, "worktrees"))) ?? [];
  const gitDirs = [repo.commonDir, ...linked.map((name) => join(repo.commonDir, "worktrees", name))];
  const found: string[] = [];
  for (const gitDir of gitDirs) {
    for (const state of ["rebase-merge", "rebase-apply"]) {
      const held = await findText(join(gitDir, state, "head-name"));
      if (held?.trim() === ref) found.push(gitDir);
    }
  }
  return found;
}
