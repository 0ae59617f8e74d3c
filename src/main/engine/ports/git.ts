// What the engine asks of git. Every path is absolute; every object name is checked. The user's checkout is never a work place.

import type { ChangeSetId, Oid, RunId, AgentId } from "../../../shared/contract/ids.ts";
import type { Result } from "../../../shared/lib/result.ts";
import type { FileChange, HunkSelection, RepositoryFacts } from "../../domain/events.ts";

export interface OpenedRepository {
  readonly facts: RepositoryFacts;
  /** The branch checked out, by short name; `null` on a detached HEAD. */
  readonly branch: string | null;
  /** The commit that the user sees. */
  readonly head: Oid;
  /** Tracked files that differ from HEAD, and untracked ones that are not ignored. */
  readonly dirtyCount: number;
}

/** A work place: an executor's git worktree, or (`kind: "checkout"`) a read-only copy of one tree, not registered with git. */
export interface WorkPlace {
  readonly kind: "worktree" | "checkout";
  readonly path: string;
  readonly root: Oid;
  /** The worktree's own folder in the common git dir; `null` for a checkout. */
  readonly gitDir: string | null;
}

export interface Snapshot {
  readonly commit: Oid;
  readonly tree: Oid;
  /** The tree equals the base's. */
  readonly isEmpty: boolean;
}

export type MergeOutcome =
  | { readonly kind: "clean"; readonly tree: Oid }
  | { readonly kind: "conflict"; readonly paths: readonly string[] };

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface GitPort {
  /** Codes: `REPOSITORY_NOT_FOUND`, `NOT_A_REPOSITORY`, `BARE_REPOSITORY`, `NO_COMMITS`, `UNSAFE_OWNER`, `GIT_MISSING`. */
  openRepository(folder: string): Promise<Result<OpenedRepository>>;
  /** The user's name and mail as git would use them in that checkout; `null` when not set. */
  findIdentity(repo: RepositoryFacts): Promise<Identity | null>;
  /** `null` when the ref does not exist. */
  readRef(repo: RepositoryFacts, ref: string): Promise<Oid | null>;
  /** Whether `name` may be a branch here: well formed, and no existing ref stands in its way (`a` beside `a/b`). Code `BAD_BRANCH_NAME`. */
  checkBranchName(repo: RepositoryFacts, name: string): Promise<Result<string>>;
  /** Creates or moves a ref below `refs/coppice/`. Refuses any other name. */
  pin(repo: RepositoryFacts, ref: string, commit: Oid): Promise<void>;
  /** The text of a file at a commit, at most `maxBytes`; `null` when it is not there. */
  readFileAt(repo: RepositoryFacts, commit: Oid, path: string, maxBytes: number): Promise<string | null>;
  /** The tree of a commit. */
  treeOf(repo: RepositoryFacts, commit: Oid): Promise<Oid>;

  /** `worktree add --detach --no-checkout`, then `read-tree -u`; serial per common dir, judged by what exists and not by the exit code. Adopts its own half-made folder. Code `WORKTREE_FAILED` with git's words. */
  addWorktree(repo: RepositoryFacts, path: string, root: Oid): Promise<Result<WorkPlace>>;
  /** A plain folder that holds the tree of `commit`, all of it read-only. The same path with the same commit is reused. */
  addCheckout(repo: RepositoryFacts, path: string, commit: Oid): Promise<Result<WorkPlace>>;
  /** The worktree of ours at `path` as it stands, untouched; `null` when it is not there or not whole. */
  findWorktree(repo: RepositoryFacts, path: string, root: Oid): Promise<WorkPlace | null>;
  /** Brings an emptied worktree to another commit (the next executor of `--worktrees off`). */
  resetWorktree(repo: RepositoryFacts, place: WorkPlace, root: Oid): Promise<Result<WorkPlace>>;
  /** Removes a work place that the app made. The caller has pinned what was in it. */
  removeWorkPlace(repo: RepositoryFacts, place: WorkPlace): Promise<void>;

  /** Registered worktrees whose absolute path begins with `prefix`, also those whose folder is gone. */
  worktreesUnder(repo: RepositoryFacts, prefix: string): Promise<readonly string[]>;
  /** Removes a folder of read-only checkouts with all that is in it. */
  removeCheckouts(folder: string): Promise<void>;

  /** Commits everything in the worktree (untracked in, ignored out, no hooks, no signing) over `base` through a temporary index, and points `ref` at it. Code `SNAPSHOT_FAILED`. */
  snapshot(repo: RepositoryFacts, place: WorkPlace, base: Oid, ref: string, message: string): Promise<Result<Snapshot>>;
  /** Files and numbered hunks between two commits: `--histogram -U3`, renames found, names byte-exact. */
  changesBetween(repo: RepositoryFacts, base: Oid, commit: Oid): Promise<readonly FileChange[]>;
  /** The same as a patch for people to read; at most `maxBytes`, cut at a line with a note. */
  patchBetween(repo: RepositoryFacts, base: Oid, commit: Oid, maxBytes: number): Promise<string>;
  /** The tree that is `base` with just the selected hunks of the change applied, byte for byte. */
  composeTree(repo: RepositoryFacts, base: Oid, commit: Oid, selection: HunkSelection): Promise<Oid>;
  /** Three-way merge in memory of `target` and `tree`, with `base` as the recorded merge base. */
  mergeTrees(repo: RepositoryFacts, base: Oid, target: Oid, tree: Oid): Promise<MergeOutcome>;
  /** A commit object with one parent; no hooks, no signing, no ref. */
  commitTree(repo: RepositoryFacts, tree: Oid, parent: Oid, identity: Identity, message: string, at: number): Promise<Oid>;
  /** Worktrees (the user's checkout among them) that have `ref` checked out, by path. */
  checkedOutAt(repo: RepositoryFacts, ref: string): Promise<readonly string[]>;
  /** Compare-and-swap of one branch: `old` null = it must not exist. False when it stood elsewhere. Only for a branch that is checked out nowhere. */
  swapRef(repo: RepositoryFacts, ref: string, old: Oid | null, next: Oid, reason: string): Promise<boolean>;
  /** Copies new objects from an agent's private object folder into the repository, before anything else runs on it. */
  adoptObjects(repo: RepositoryFacts, objectFolder: string): Promise<void>;
}

/** Hidden refs that the app owns. */
export const hiddenRefs = {
  base: (run: RunId) => `refs/coppice/${run}/base`,
  changeSet: (run: RunId, agent: AgentId, number: number) => `refs/coppice/${run}/${agent}/${number}`,
  pin: (run: RunId, agent: AgentId) => `refs/coppice/${run}/${agent}/pin`,
};

export type { ChangeSetId };
