// Makes, refills and removes the executors' worktrees. What exists decides, never an exit code; entries of other worktrees
// are never touched, and nothing is pruned. GIT_DIR is the common dir throughout: a worktree's own files belong to its agent.

import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { WorkPlace } from "../engine/ports/git.ts";
import { findEntry, foreignLock, lockReason, removeCutEntries, removeEntry } from "./entries.ts";
import { findNames, findText, hasEntry, isWithin, resolveFolder, setWritable } from "./files.ts";
import { git, GitError, longTimeoutMs } from "./git.ts";
import { requireOid } from "./names.ts";
import { copyIndex, dropKeptIndex, keepIndex, keptIndexOf, seedIndex, withTemporaryIndex } from "./scratch.ts";

const cleanRounds = 10;

/** Every file of the tree, none passed over, each looked at by its times and content. */
export const wholeTree = [
  "core.sparseCheckout=false",
  "core.splitIndex=false",
  "core.untrackedCache=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "index.sparse=false",
].flatMap((setting) => ["-c", setting]);

/** State that an operation cut short leaves in a worktree's own folder. */
const unfinished = [
  "MERGE_HEAD",
  "MERGE_MSG",
  "MERGE_MODE",
  "AUTO_MERGE",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
];
const unfinishedFolders = ["rebase-merge", "rebase-apply", "sequencer"];

/** Makes a worktree at `path`, or adopts the one that an earlier attempt left there. Code `WORKTREE_FAILED`. Call under the lock of the common dir. */
export async function addWorktree(
  dataFolder: string,
  repo: RepositoryFacts,
  path: string,
  root: Oid,
): Promise<Result<WorkPlace>> {
  return answerFailure(path, async () => {
    const at = await requireOwnPath(repo, path);
    await removeCutEntries(repo, true);
    const left = await findEntry(repo, at);
    if (left !== null && !(await hasEntry(join(at, ".git")))) await removeEntry(repo, left);
    const existing = left !== null && (await hasEntry(left)) ? left : await register(dataFolder, repo, at, root);
    return fill(dataFolder, repo, { kind: "worktree", path: at, root, gitDir: existing });
  });
}

/**
 * The worktree of ours at `path`, untouched; `null` when it is not there or was never filled to the end. That an agent has
 * broken its git files does not unmake it: what it holds can still be saved.
 */
export async function findWorktree(
  dataFolder: string,
  repo: RepositoryFacts,
  path: string,
  root: Oid,
): Promise<WorkPlace | null> {
  const at = await requireOwnPath(repo, path);
  if (!(await hasEntry(at)) || !(await hasEntry(keptIndexOf(dataFolder, at)))) return null;
  return { kind: "worktree", path: at, root: requireOid(root), gitDir: await findEntry(repo, at) };
}

/** Brings a worktree to `root`: tracked files as there, untracked ones gone, ignored ones kept. Code `WORKTREE_FAILED`. */
export async function resetWorktree(
  dataFolder: string,
  repo: RepositoryFacts,
  place: WorkPlace,
  root: Oid,
): Promise<Result<WorkPlace>> {
  return answerFailure(place.path, async () => {
    const gitDir = requireWorktree(repo, place);
    requireOid(root);
    await withTemporaryIndex(dataFolder, async (indexFile) => {
      const on = { gitDir: repo.commonDir, workTree: place.path, indexFile, timeoutMs: longTimeoutMs };
      // What was tracked before has to go even where it is ignored, so the starting point is the index as it was filled.
      if (!(await seedIndex(keptIndexOf(dataFolder, place.path), indexFile)))
        await git({ ...on, args: [...wholeTree, "read-tree", requireOid(place.root)] });
      await git({ ...on, args: [...wholeTree, "read-tree", "--reset", "-u", "--no-recurse-submodules", root] });
      await removeUntracked(on);
      await moveHead(repo, gitDir, root);
      await copyIndex(indexFile, join(gitDir, "index"));
      await keepIndex(dataFolder, place.path, indexFile);
    });
    return { ...place, root };
  });
}

/** Removes the folder, the app's notes on it and its own entry in the common dir. Throws `GIT_REFUSED` when the user has locked it. */
export async function removeWorktree(dataFolder: string, repo: RepositoryFacts, place: WorkPlace): Promise<void> {
  const path = await requireOwnPath(repo, place.path);
  const gitDir = place.gitDir === null ? await findEntry(repo, path) : requireWorktree(repo, place);
  const lock = gitDir === null ? null : await foreignLock(gitDir);
  if (lock !== null) {
    throw new GitError(
      "GIT_REFUSED",
      `The worktree ${path} is locked: ${lock || "no reason given"}. Unlock it with "git worktree unlock".`,
    );
  }
  await removeFolder(path);
  await dropKeptIndex(dataFolder, path);
  if (gitDir !== null) await removeEntry(repo, gitDir);
}

/** Lets each worktree of ours below `prefix` point at its entry again, where the common dir stands now. */
export async function reconnectWorktrees(repo: RepositoryFacts, prefix: string): Promise<void> {
  const parent = join(repo.commonDir, "worktrees");
  for (const name of (await findNames(parent)) ?? []) {
    const entry = join(parent, name);
    const link = (await findText(join(entry, "gitdir")))?.trimEnd();
    const isOurs = (await findText(join(entry, "locked")))?.trim() === lockReason;
    if (link === undefined || !isOurs || !link.startsWith(prefix) || !(await hasEntry(link))) continue;
    await nameEntry(link, entry);
  }
}

/** Writes into `link`, the `.git` of a worktree, which entry of the common dir it has. */
export async function nameEntry(link: string, entry: string): Promise<void> {
  // Beside it and renamed: what an agent has put in its place may be a link to somewhere else.
  // A writing that was cut may have left it.
  await rm(`${link}.coppice`, { recursive: true, force: true });
  await writeFile(`${link}.coppice`, `gitdir: ${entry}\n`, { flag: "wx" });
  await rename(`${link}.coppice`, link);
}

/** Removes a folder even where what is in it was made read-only. Links are removed, not followed. */
export async function removeFolder(path: string): Promise<void> {
  if (await hasEntry(path)) await setWritable(path, "owner");
  await rm(path, { recursive: true, force: true });
}

/** The same, of a folder that the app has made for other things than a repository. */
export async function removeOwnFolder(path: string): Promise<void> {
  if (await hasEntry(join(path, ".git"))) throw new GitError("GIT_REFUSED", `${path} is a repository or a worktree.`);
  await removeFolder(path);
}

/** The real path of a work place. Throws `GIT_REFUSED` where it would lie in the user's checkout or in the repository, or hold them. */
export async function requireOwnPath(repo: RepositoryFacts, path: string): Promise<string> {
  const real = join(await resolveFolder(dirname(path)), basename(path));
  for (const taken of [repo.topLevel, repo.commonDir]) {
    if (isWithin(taken, real) || isWithin(real, taken)) {
      throw new GitError("GIT_REFUSED", `A work place may not be at ${path}: ${taken} is the user's.`);
    }
  }
  return real;
}

/** Turns what git or the file system says into `WORKTREE_FAILED` with their words. */
export async function answerFailure<T>(path: string, work: () => Promise<T>): Promise<Result<T>> {
  try {
    return succeed(await work());
  } catch (error) {
    if (!(error instanceof GitError) && !(error instanceof Error && "syscall" in error)) throw error;
    return fail({ code: "WORKTREE_FAILED", message: `The work place ${path} could not be made: ${error.message}` });
  }
}

async function register(dataFolder: string, repo: RepositoryFacts, path: string, root: Oid): Promise<string> {
  const names = (await findNames(path)) ?? [];
  // A lone .git file is what a creation leaves that was cut short; anything more may be work.
  if (names.some((name) => name !== ".git"))
    throw new GitError("GIT_REFUSED", `${path} is not empty and not a worktree of this repository.`);
  await rm(path, { recursive: true, force: true });
  await dropKeptIndex(dataFolder, path);
  await mkdir(dirname(path), { recursive: true });
  const args = [
    "worktree",
    "add",
    "--detach",
    "--no-checkout",
    "--lock",
    "--reason",
    lockReason,
    path,
    requireOid(root),
  ];
  const outcome = await git({ gitDir: repo.commonDir, args, answers: [0, 1, 128, 255] });
  const gitDir = await findEntry(repo, path);
  const isWhole =
    gitDir !== null && (await hasEntry(join(path, ".git"))) && (await findText(join(gitDir, "HEAD")))?.trim() === root;
  if (isWhole) return gitDir;
  await rm(path, { recursive: true, force: true });
  if (gitDir !== null) await removeEntry(repo, gitDir);
  throw new GitError("GIT_FAILED", outcome.stderr.trim() || "git made no worktree", args, outcome.stderr);
}

/** Writes the files of the tree, unless that was done before: an agent may have been at work since. */
async function fill(
  dataFolder: string,
  repo: RepositoryFacts,
  place: WorkPlace & { readonly gitDir: string },
): Promise<WorkPlace> {
  const indexFile = join(place.gitDir, "index");
  if (await hasEntry(keptIndexOf(dataFolder, place.path))) {
    const head = (await findText(join(place.gitDir, "HEAD")))?.trim();
    if (head === place.root) return place;
    throw new GitError("GIT_REFUSED", `${place.path} holds a worktree at ${head ?? "nothing"}, not at ${place.root}.`);
  }
  // Left by a process that died while filling: no agent has been here, and this process holds the lock.
  for (const file of [indexFile, join(place.gitDir, "config.worktree")]) await rm(`${file}.lock`, { force: true });
  await overrideBare(repo, place.gitDir);
  const args = [...wholeTree, "read-tree", "--reset", "-u", "--no-recurse-submodules", place.root];
  await git({ gitDir: repo.commonDir, workTree: place.path, indexFile, args, timeoutMs: longTimeoutMs });
  await keepIndex(dataFolder, place.path, indexFile);
  return place;
}

/** Where the shared settings say "bare" and worktrees have their own, git would call this one bare too (case A13). Writes to our own file only. */
async function overrideBare(repo: RepositoryFacts, gitDir: string): Promise<void> {
  const read = async (key: string) => {
    const file = join(repo.commonDir, "config");
    return (
      await git({
        gitDir: repo.commonDir,
        args: ["config", "--file", file, "--type=bool", "--get", key],
        answers: [0, 1],
      })
    ).stdout
      .toString()
      .trim();
  };
  if ((await read("extensions.worktreeConfig")) !== "true" || (await read("core.bare")) !== "true") return;
  await git({
    gitDir: repo.commonDir,
    args: ["config", "--file", join(gitDir, "config.worktree"), "core.bare", "false"],
  });
}

/** Clears untracked files until nothing more turns up: removing an agent's ignore file uncovers what it hid. */
async function removeUntracked(on: {
  gitDir: string;
  workTree: string;
  indexFile: string;
  timeoutMs: number;
}): Promise<void> {
  for (let round = 0; round < cleanRounds; round += 1) {
    const { stdout } = await git({ ...on, args: [...wholeTree, "clean", "-d", "-f", "-f"] });
    if (stdout.length === 0) return;
  }
}

/** Lets the worktree stand at `root`, with nothing unfinished. */
export async function moveHead(repo: RepositoryFacts, gitDir: string, root: Oid): Promise<void> {
  for (const name of unfinished) await rm(join(gitDir, name), { force: true });
  for (const name of unfinishedFolders) await rm(join(gitDir, name), { recursive: true, force: true });
  for (const name of ["index.lock", "HEAD.lock"]) await rm(join(gitDir, name), { force: true });
  await git({ gitDir: repo.commonDir, args: ["update-ref", "--no-deref", `worktrees/${basename(gitDir)}/HEAD`, root] });
}

/** The entry of a worktree of ours. Throws `GIT_REFUSED` for any other place. */
export function requireWorktree(repo: RepositoryFacts, place: WorkPlace): string {
  if (place.kind === "worktree" && place.gitDir !== null && dirname(place.gitDir) === join(repo.commonDir, "worktrees"))
    return place.gitDir;
  throw new GitError("GIT_REFUSED", `${place.path} is not a worktree that the app made in ${repo.commonDir}.`);
}
