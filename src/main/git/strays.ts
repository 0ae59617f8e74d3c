// Worktrees of ours as they are found, whatever has become of them: what git notes of each, what stands in its folder, and
// what of that nothing else holds. Keeps that on a branch, and notes a worktree again that git has forgotten; removes nothing.

import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { FoundWorktree, WorkPlace } from "../engine/ports/git.ts";
import { pathChanges } from "./changeset.ts";
import { findEntry, lockReason } from "./entries.ts";
import { findText, hasEntry } from "./files.ts";
import { git, GitError } from "./git.ts";
import { deleteHiddenRefs } from "./hiddenRefs.ts";
import { splitNul } from "./names.ts";
import { gitObjects, parentOf } from "./objects.ts";
import { checkBranchName, readRef, swapRef } from "./refs.ts";
import { keptIndexOf, seedIndex } from "./scratch.ts";
import { snapshot, treeOfPlace } from "./snapshot.ts";
import { withTrialObjects } from "./tryMerges.ts";
import { nameEntry, requireOwnPath } from "./worktrees.ts";

const oid = /^[0-9a-f]{40,64}$/;
/** Where what stands in a worktree is until its branch holds it. */
const strayRefs = "refs/coppice/strays/";

/** `root`: the commit that it is compared with where git notes none for it. Writes nothing. */
export async function inspectWorktree(
  dataFolder: string,
  repo: RepositoryFacts,
  path: string,
  root: Oid,
): Promise<FoundWorktree> {
  const at = await requireOwnPath(repo, path);
  const entry = await findEntry(repo, at);
  const isOnDisk = await hasEntry(at);
  const head = entry === null ? null : await headOf(repo, entry);
  const lock = entry === null ? null : ((await findText(join(entry, "locked")))?.trim() ?? null);
  const base = head ?? root;
  return {
    path: at,
    head: base,
    isRegistered: entry !== null,
    isOnDisk,
    isConnected: entry !== null && (await findText(join(at, ".git")))?.trim() === `gitdir: ${entry}`,
    lock: lock === lockReason ? null : lock,
    changedCount: isOnDisk ? await countChanges(dataFolder, repo, placeAt(at, base), base) : 0,
    looseCount: head === null ? 0 : await countLoose(repo, head),
  };
}

/**
 * Puts what nothing else holds on a new branch: commits, and the files as they stand, ignored ones excepted. `null` where there
 * is nothing such. The same again, after it or the removal that follows was cut short, answers with the branch that stands.
 * Codes `SNAPSHOT_FAILED`, `BAD_BRANCH_NAME`; `WORKTREE_BUSY` where a repository stands inside, which no branch can hold.
 */
export async function keepOnBranch(
  dataFolder: string,
  repo: RepositoryFacts,
  found: FoundWorktree,
  branch: string,
): Promise<Result<Oid | null>> {
  const ref = `${strayRefs}${basename(found.path)}`;
  const kept = await keepUnder(ref, dataFolder, repo, found, branch);
  // Either the branch holds it by now, or the worktree stays: unlike work that a run pins, nothing is restored from here.
  const shot = await readRef(repo, ref);
  if (shot !== null) await deleteHiddenRefs(dataFolder, repo, [{ ref, commit: shot }]);
  return kept;
}

async function keepUnder(
  ref: string,
  dataFolder: string,
  repo: RepositoryFacts,
  found: FoundWorktree,
  branch: string,
): Promise<Result<Oid | null>> {
  const { path, head } = found;
  let commit = found.looseCount > 0 ? head : null;
  if (found.isOnDisk) {
    const shot = await snapshot(dataFolder, repo, placeAt(path, head), { base: head, ref, message: `Left in ${path}` });
    if (!shot.ok) return shot;
    const { leftOut, isEmpty } = shot.value;
    if (leftOut.length > 0)
      return fail({
        code: "WORKTREE_BUSY",
        message: `${path} holds what git cannot keep as files: ${leftOut.join(", ")}. Move it out of there, then try again.`,
      });
    if (!isEmpty) commit = shot.value.commit;
  }
  return commit === null ? succeed(null) : createBranch(dataFolder, repo, branch, commit);
}

async function createBranch(
  dataFolder: string,
  repo: RepositoryFacts,
  branch: string,
  commit: Oid,
): Promise<Result<Oid>> {
  const name = await checkBranchName(repo, branch);
  if (!name.ok) return name;
  const ref = `refs/heads/${branch}`;
  const standing = await readRef(repo, ref);
  if (standing === null)
    await swapRef(dataFolder, repo, ref, null, commit, "coppice: work of a worktree that nobody holds");
  const made = await readRef(repo, ref);
  return made !== null && (await holds(repo, made, commit))
    ? succeed(made)
    : fail({
        code: "BAD_BRANCH_NAME",
        message: `The branch ${branch} exists and holds something else; rename it, then try again.`,
      });
}

/** Whether `standing` is `commit`, or as an earlier attempt kept it: over the same commit, with all files of `commit` as they are there. A removal that was cut leaves fewer. */
async function holds(repo: RepositoryFacts, standing: Oid, commit: Oid): Promise<boolean> {
  if (standing === commit) return true;
  if ((await parentOf(repo, standing)) !== (await parentOf(repo, commit))) return false;
  return (await pathChanges(repo, standing, commit)).every(({ next }) => next === null);
}

/** Lets git know again of a worktree whose folder stands and whose entry is gone, and lets the two name each other. Its files are not touched. */
export async function registerAgain(dataFolder: string, repo: RepositoryFacts, path: string, root: Oid): Promise<void> {
  const at = await requireOwnPath(repo, path);
  const entry = (await findEntry(repo, at)) ?? (await writeEntry(dataFolder, repo, at, root));
  await nameEntry(join(at, ".git"), entry);
}

async function writeEntry(dataFolder: string, repo: RepositoryFacts, path: string, root: Oid): Promise<string> {
  const entry = join(repo.commonDir, "worktrees", basename(path));
  if (await hasEntry(entry)) throw new GitError("GIT_REFUSED", `${entry} belongs to another worktree.`);
  await mkdir(entry, { recursive: true });
  await writeFile(join(entry, "locked"), lockReason);
  await writeFile(join(entry, "HEAD"), `${root}\n`);
  await writeFile(join(entry, "commondir"), "../..\n");
  await seedIndex(keptIndexOf(dataFolder, path), join(entry, "index"));
  // Last, since it is what makes an entry one.
  await writeFile(join(entry, "gitdir"), `${join(path, ".git")}\n`);
  return entry;
}

function placeAt(path: string, root: Oid): WorkPlace {
  return { kind: "worktree", path, root, gitDir: null };
}

/** `null` where it names no commit that is there. An agent can write it. */
async function headOf(repo: RepositoryFacts, entry: string): Promise<Oid | null> {
  const text = (await findText(join(entry, "HEAD")))?.trim() ?? "";
  const branch = /^ref: (refs\/heads\/\S+)$/.exec(text)?.[1];
  const named = branch === undefined ? text : await readRef(repo, branch).catch(() => null);
  if (named === null || !oid.test(named)) return null;
  const args = ["rev-parse", "--verify", "--quiet", `${named}^{commit}`];
  return (await gitObjects(repo, { args, answers: [0, 1, 128] })).exitCode === 0 ? (named as Oid) : null;
}

async function countChanges(dataFolder: string, repo: RepositoryFacts, place: WorkPlace, base: Oid): Promise<number> {
  return withTrialObjects(dataFolder, repo, async (env) => {
    const tree = await treeOfPlace(dataFolder, repo, place, base, env);
    const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, tree];
    return splitNul((await gitObjects(repo, { args, env })).stdout).length;
  });
}

/** Commits that are gone when nobody names `head` any more. */
async function countLoose(repo: RepositoryFacts, head: Oid): Promise<number> {
  const args = ["rev-list", "--count", head, "--not", "--single-worktree", `--exclude=${strayRefs}*`, "--all"];
  return Number((await git({ gitDir: repo.commonDir, args })).stdout.toString("utf8").trim());
}
