// The entries of worktrees in the common dir: whose they are, where they lead, and those of ours that git died over. Entries
// of other worktrees are only ever read.

import { rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { RepositoryFacts } from "../domain/records.ts";
import { findNames, findText, resolveFolder } from "./files.ts";
import { git } from "./git.ts";
import { isDeserted } from "./leftLocks.ts";
import { showPath, splitNul } from "./names.ts";

export const lockReason = "coppice: an agent works here";

/** The folder name of a work place: its run, the epoch, whose it is. */
export const placeName = /.-e\d+-./;

/** What git lists of the worktrees of a repository, field by field. */
export async function listWorktrees(repo: RepositoryFacts): Promise<readonly string[]> {
  const call = { gitDir: repo.commonDir, args: ["worktree", "list", "--porcelain", "-z"] };
  const answer = await git(call).catch(async (error: unknown) => {
    if (await removeCutEntries(repo, false)) return git(call);
    throw error;
  });
  return splitNul(answer.stdout).map(showPath);
}

/**
 * Removes entries of ours that a git died over before it wrote what they are part of: while there is one, git neither lists nor
 * adds worktrees. False where there is none, or a git that is alive may be at it; none of this process is under the lock of the common dir.
 */
export async function removeCutEntries(repo: RepositoryFacts, isLocked: boolean): Promise<boolean> {
  const parent = join(repo.commonDir, "worktrees");
  let isRemoved = false;
  for (const name of (await findNames(parent)) ?? []) {
    const entry = join(parent, name);
    const link = await linkOf(entry);
    // One that leads nowhere is passed over by git.
    const isCut = placeName.test(name) && link !== null && !(await findText(join(entry, "commondir")))?.trim();
    if (!isCut || (await foreignLock(entry)) !== null || !(await isDeserted(repo, entry, isLocked))) continue;
    const folder = dirname(resolve(entry, link));
    // It was never filled. Whatever else stands there is not git's.
    if (((await findNames(folder)) ?? []).every((file) => file === ".git"))
      await rm(folder, { recursive: true, force: true });
    await removeEntry(repo, entry);
    isRemoved = true;
  }
  return isRemoved;
}

/** The entry in the common dir that belongs to the worktree at `path`; `null` when none does. */
export async function findEntry(repo: RepositoryFacts, path: string): Promise<string | null> {
  const parent = join(repo.commonDir, "worktrees");
  for (const name of (await findNames(parent)) ?? []) {
    const entry = join(parent, name);
    const link = await linkOf(entry);
    if (link === null) {
      // The folder's name says whose it is, unless a lock says otherwise.
      if (name === basename(path) && (await foreignLock(entry)) === null) return entry;
    } else if ((await resolveFolder(dirname(resolve(entry, link)))) === path) return entry;
  }
  return null;
}

/** The `.git` of the worktree that an entry is of; `null` where that was not written, or not to the end. */
export async function linkOf(entry: string): Promise<string | null> {
  return (await findText(join(entry, "gitdir")))?.trimEnd() || null;
}

/** Why somebody else has locked a worktree, empty without a reason; `null` where nobody has. */
export async function foreignLock(entry: string): Promise<string | null> {
  const lock = (await findText(join(entry, "locked")))?.trim() ?? null;
  if (lock === null || lock === lockReason) return null;
  // In an entry that leads nowhere an empty lock is a writing that was cut: nobody can have locked it yet.
  return lock === "" && (await linkOf(entry)) === null ? null : lock;
}

/** What `git worktree prune` would do to this one entry, and to no other. */
export async function removeEntry(repo: RepositoryFacts, gitDir: string): Promise<void> {
  await rm(gitDir, { recursive: true, force: true });
  const parent = join(repo.commonDir, "worktrees");
  if ((await findNames(parent))?.length === 0) await rmdir(parent);
}
