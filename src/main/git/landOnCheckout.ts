// Moves a branch that somebody has checked out, together with that checkout's index and files: all of it or nothing. Works in
// the user's own folder, so it writes nowhere but at the paths of the landing, stashes nothing and runs no hook.

import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { realpath } from "node:fs/promises";
import type { RepositoryFacts } from "../domain/records.ts";
import type { CheckoutLanding, CheckoutMove, CheckoutRefusal, RefusedMove } from "../engine/ports/git.ts";
import { withBranchLocked } from "./branchLock.ts";
import { type PathChange, pathChanges } from "./changeset.ts";
import { type IndexedCheckout, type IndexEntries, readIndex, readStates } from "./checkoutIndex.ts";
import { git, type GitAnswer, GitError, gitLine, longTimeoutMs } from "./git.ts";
import { describeLock, lockIn, lockWaitsMs, notingLocks, refLock, removeLeftLock, stampOf } from "./leftLocks.ts";
import { showPath } from "./names.ts";
import { findObstacles, findTwins, type Obstacle } from "./obstacles.ts";
import { withPreimages } from "./preimages.ts";
import { checkedOutAt, readRef } from "./refs.ts";
import { findCheckoutAt } from "./repository.ts";
import { findUnfinished } from "./unfinished.ts";

/** A lock file that another git holds just now: worth another attempt. */
class Locked extends Error {
  readonly code: "INDEX_LOCKED" | "BRANCH_LOCKED";
  readonly file: string;

  constructor(code: Locked["code"], file: string) {
    super(`${file} is held`);
    this.code = code;
    this.file = file;
  }
}

/**
 * Lands `old` → `next` in `checkout`. The user's hooks (post-checkout, post-merge, reference-transaction) do not run; filters that
 * their settings name do, as in any checkout of theirs. Throws `GIT_FAILED` when the very last step, the branch itself, fails:
 * then `inspectLanding` knows the state. Call under the lock of the common dir.
 */
export async function landOnCheckout(
  dataFolder: string,
  repo: RepositoryFacts,
  move: CheckoutMove,
  waitsMs = lockWaitsMs,
): Promise<CheckoutLanding> {
  const changes = await pathChanges(repo, move.old, move.next);
  return withCheckoutLocked(dataFolder, repo, move, waitsMs, async (on) => {
    const entries = await readIndex(on);
    const blocked = await findBlocked(on, entries, changes);
    return blocked ?? switchFiles(dataFolder, on, move, { entries, changes });
  });
}

/**
 * Holds branch and HEAD of the checkout still while `work` brings index and files to `next`; the branch follows when `work` answers
 * with `null`. Refuses before that while something is unfinished there, and waits, within limits, for locks of other gits.
 */
export async function withCheckoutLocked(
  dataFolder: string,
  repo: RepositoryFacts,
  move: CheckoutMove,
  waitsMs: readonly number[],
  work: (on: IndexedCheckout) => Promise<RefusedMove | null>,
): Promise<CheckoutLanding> {
  let hasRemoved = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce(dataFolder, repo, move, work);
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      const waitMs = waitsMs[attempt];
      if (waitMs === undefined) return refuseLocked(error);
      if (!hasRemoved && (await removeLeftLock(dataFolder, repo, error.file))) hasRemoved = true;
      else await delay(waitMs);
    }
  }
}

/** Runs git in the checkout as it stands, with its own settings and filters. Throws `Locked` when another git has the index. */
export async function gitThere(on: IndexedCheckout, args: readonly string[], input?: Uint8Array): Promise<GitAnswer> {
  const answer = await git({
    ...on,
    args,
    ...(input === undefined ? {} : { input }),
    // What the user sees in their folder is content, not pointers, unless they have asked for those.
    env: { GIT_LFS_SKIP_SMUDGE: process.env["GIT_LFS_SKIP_SMUDGE"] ?? "0" },
    answers: [0, 1, 128],
    timeoutMs: longTimeoutMs,
  });
  if (answer.exitCode !== 0 && (await stampOf(`${on.indexFile}.lock`)) !== null) throw lockedIndex(on);
  return answer;
}

export function refuse(code: CheckoutRefusal, sentence: string, paths?: readonly Buffer[]): RefusedMove {
  return { kind: "refused", code, sentence, ...(paths === undefined ? {} : { paths: paths.map(showPath).toSorted() }) };
}

async function attemptOnce(
  dataFolder: string,
  repo: RepositoryFacts,
  move: CheckoutMove,
  work: (on: IndexedCheckout) => Promise<RefusedMove | null>,
): Promise<CheckoutLanding> {
  const checkout = await findCheckoutAt(repo, move.checkout);
  const busy = await findUnfinished(checkout?.gitDir ?? move.checkout);
  if (busy !== null) {
    return refuse(
      "WORKTREE_BUSY",
      `${move.checkout} is in the middle of ${busy}. Finish or abort that, then land again.`,
    );
  }
  if (checkout === null)
    return refuse("NOT_CHECKED_OUT", `${move.checkout} is no longer a checkout of this repository.`);
  const on = { ...checkout, indexFile: join(checkout.gitDir, "index") };
  const elsewhere = await findOtherHolder(repo, on, move);
  if (elsewhere !== null) return elsewhere;
  if ((await stampOf(`${on.indexFile}.lock`)) !== null) throw lockedIndex(on);
  const reason = move.reason ?? "coppice: landed";
  const lockOfHead = { [join(on.gitDir, "HEAD.lock")]: "" };
  const locks = { ...refLock(repo, move.ref, move.next), ...lockOfHead, [`${on.indexFile}.lock`]: null };
  const held = await notingLocks(dataFolder, locks, () =>
    withBranchLocked(on.gitDir, { ...move, reason }, async () => {
      // With HEAD on it the branch's lock covers HEAD too, so from here on nobody can switch or commit.
      return (await findWrongHead(on, move)) ?? work(on);
    }),
  );
  if (held.kind === "held") return held.value ?? { kind: "landed" };
  if ((await readRef(repo, move.ref)) !== move.old) return { kind: "moved" };
  throw new Locked("BRANCH_LOCKED", lockIn(held.words) ?? move.ref);
}

async function findWrongHead(on: IndexedCheckout, { ref }: CheckoutMove): Promise<RefusedMove | null> {
  const { stdout } = await git({ ...on, args: ["symbolic-ref", "--quiet", "HEAD"], answers: [0, 1] });
  if (stdout.toString("utf8").trim() === ref) return null;
  return refuse("NOT_CHECKED_OUT", `${on.workTree} does not have ${ref} checked out any more. Land again.`);
}

async function findOtherHolder(
  repo: RepositoryFacts,
  on: IndexedCheckout,
  { ref }: CheckoutMove,
): Promise<RefusedMove | null> {
  const holders = await checkedOutAt(repo, ref);
  for (const holder of holders) {
    if ((await realpath(holder)) === on.workTree) continue;
    const advice = "Switch one of the two to another branch, then land again.";
    return refuse(
      "CHECKED_OUT_TWICE",
      `${ref} is checked out at ${on.workTree} and also in use at ${holder}. ${advice}`,
    );
  }
  return null;
}

/** What would be overwritten, written through or brought back. Asked as late as can be: the files are the user's, and unlocked. */
async function findBlocked(
  on: IndexedCheckout,
  entries: IndexEntries,
  changes: readonly PathChange[],
): Promise<RefusedMove | null> {
  // Without an index, which is never empty on disk, git would check out the whole tree over what stands there.
  if ((await stampOf(on.indexFile)) === null) {
    return refuse("LOCAL_CHANGES", `${on.workTree} has no index. Run "git reset" there, then land again.`);
  }
  const open = [...entries].filter(([, entry]) => entry.stage !== 0).map(([path]) => Buffer.from(path, "latin1"));
  if (open.length > 0) {
    return refuse("WORKTREE_BUSY", `The index of ${on.workTree} holds conflicts. Resolve them, then land again.`, open);
  }
  const twins = await findTwinsThere(on, changes);
  if (twins.length > 0) return refuseOccupied(on, twins);
  return refuseObstacles(on, await findObstacles(on.workTree, entries, changes));
}

function refuseObstacles(on: IndexedCheckout, obstacles: readonly Obstacle[]): RefusedMove | null {
  const occupied = obstacles.filter(({ kind }) => kind === "occupied").map(({ path }) => path);
  if (occupied.length > 0) return refuseOccupied(on, occupied);
  const changed = obstacles.map(({ path }) => path);
  return changed.length > 0 ? refuseChanged(on, changed) : null;
}

async function findTwinsThere(on: IndexedCheckout, changes: readonly PathChange[]): Promise<Buffer[]> {
  const twins = findTwins(changes);
  if (twins.length === 0) return [];
  const args = ["config", "--type=bool", "--default=false", "--get", "core.ignoreCase"];
  return (await gitLine({ ...on, args })) === "true" ? twins : [];
}

async function switchFiles(
  dataFolder: string,
  on: IndexedCheckout,
  { old, next }: CheckoutMove,
  { entries, changes }: { readonly entries: IndexEntries; readonly changes: readonly PathChange[] },
): Promise<RefusedMove | null> {
  await gitThere(on, ["update-index", "-q", "--refresh"]);
  const flags = ["-m", "-u", "--no-recurse-submodules"];
  // A refusal of the trial is about what the user has; after it, a failure of the real one is about writing.
  const trial = await gitThere(on, ["read-tree", "--dry-run", ...flags, old, next]);
  if (trial.exitCode !== 0) return explainRefusal(dataFolder, on, changes, trial.stderr.trim());
  return withPreimages(dataFolder, on, changes, async (putBack) => {
    // Looked at once more, since git itself will not look: what came or went meanwhile is the user's.
    const blocked = refuseObstacles(on, await findObstacles(on.workTree, entries, changes));
    if (blocked !== null) return blocked;
    const real = await readTreeOrPutBack(on, [...flags, old, next], putBack);
    if (real === null) return null;
    // What the user changed since the trial makes git refuse before it writes.
    if (/Cannot merge\.|would be overwritten/.test(real)) return explainRefusal(dataFolder, on, changes, real);
    return refuse(
      "CHECKOUT_FAILED",
      `git could not write the files in ${on.workTree}; they are as before. It said: ${real}`,
    );
  });
}

/** Git's words when it did not write everything, `null` when it did. Whatever ends it early, its time limit and its death included, what it wrote is put back. */
async function readTreeOrPutBack(
  on: IndexedCheckout,
  args: readonly string[],
  putBack: () => Promise<void>,
): Promise<string | null> {
  let words: string;
  try {
    const { exitCode, stderr } = await gitThere(on, ["read-tree", ...args]);
    if (exitCode === 0) return null;
    words = stderr.trim();
  } catch (error) {
    await putBack();
    if (!(error instanceof GitError)) throw error;
    words = error.message;
  }
  await putBack();
  await gitThere(on, ["update-index", "-q", "--refresh"]);
  return words;
}

async function explainRefusal(
  dataFolder: string,
  on: IndexedCheckout,
  changes: readonly PathChange[],
  words: string,
): Promise<RefusedMove> {
  const states = await readStates(dataFolder, on, changes);
  const isOld = (state: string) => state === "old" || state === "both";
  const changed = states.filter(({ inIndex, onDisk }) => !isOld(inIndex) || !isOld(onDisk)).map(({ path }) => path);
  if (changed.length > 0) return refuseChanged(on, changed);
  return refuse("LOCAL_CHANGES", `git would not land in ${on.workTree}: ${words}`);
}

function refuseOccupied(on: IndexedCheckout, paths: readonly Buffer[]): RefusedMove {
  const sentence = `Something that git does not track stands in ${on.workTree} where the change adds ${list(paths)}. Move it away, then land again.`;
  return refuse("PATH_OCCUPIED", sentence, paths);
}

function refuseChanged(on: IndexedCheckout, paths: readonly Buffer[]): RefusedMove {
  const sentence = `${on.workTree} has uncommitted changes of its own in ${list(paths)}. Commit or undo them, then land again.`;
  return refuse("LOCAL_CHANGES", sentence, paths);
}

/** The first few paths, and how many more there are. */
function list(paths: readonly Buffer[]): string {
  const shown = paths.slice(0, 3).map(showPath).join(", ");
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}

function lockedIndex(on: IndexedCheckout): Locked {
  return new Locked("INDEX_LOCKED", `${on.indexFile}.lock`);
}

async function refuseLocked({ code, file }: Locked): Promise<RefusedMove> {
  return refuse(code, `${await describeLock(file)} Then land again.`);
}
