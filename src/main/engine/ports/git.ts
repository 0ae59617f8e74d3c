// What the engine asks of git. Every path is absolute; every object name is checked. The user's checkout is never a work place.

import type { HunkAmendment } from "../../../shared/contract/amendments.ts";
import type { AgentId, Oid, RunId } from "../../../shared/contract/ids.ts";
import type { ConflictRegion } from "../../../shared/contract/pages.ts";
import type { FileResolution } from "../../../shared/contract/resolutions.ts";
import type { Result } from "../../../shared/lib/result.ts";
import type { FileChange, HunkSelection, RepositoryFacts } from "../../domain/records.ts";

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
  /** What stood there and is not in it, since git cannot hold it as files: repositories made inside, names like `.GIT`. */
  readonly leftOut: readonly string[];
}

export type MergeOutcome =
  | { readonly kind: "clean"; readonly tree: Oid }
  | { readonly kind: "conflict"; readonly paths: readonly string[] };

/** What is merged: the tree at `target`, a commit, and `tree`, a commit or a tree, with `base` as the recorded merge base. */
export interface MergeSides {
  readonly base: Oid;
  readonly target: Oid;
  readonly tree: Oid;
}

/** `outdated`: paths, among those named, whose resolution was made between other files than those that meet now, or where none meet any more. */
export type ResolvedMerge =
  | { readonly kind: "clean"; readonly tree: Oid }
  | { readonly kind: "conflict"; readonly paths: readonly string[]; readonly outdated: readonly string[] };

/** The change `base` → `commit` that stands in a worktree, and the commit `root` that it is to be a change to. */
export interface RebasePlan {
  readonly base: Oid;
  readonly commit: Oid;
  readonly root: Oid;
  /** What `root` is called where its lines are marked. */
  readonly name: string;
}

export interface Rebased {
  readonly place: WorkPlace;
  /** Paths in conflict, sorted. */
  readonly conflicts: readonly string[];
}

/** A worktree of ours as it is found, whatever has become of it. */
export interface FoundWorktree {
  readonly path: string;
  /** The commit that it stands at, as far as anything says. */
  readonly head: Oid;
  /** Git has an entry for it. */
  readonly isRegistered: boolean;
  readonly isOnDisk: boolean;
  /** Folder and entry name each other. */
  readonly isConnected: boolean;
  /** Why a person has locked it; `null`: none has. */
  readonly lock: string | null;
  /** Files that differ from `head`, untracked ones that are not ignored among them. */
  readonly changedCount: number;
  /** Commits that no ref holds. */
  readonly looseCount: number;
}

/** A branch that is checked out, and where it is to go. */
export interface CheckoutMove {
  /** Full ref name below `refs/heads/`. */
  readonly ref: string;
  readonly old: Oid;
  readonly next: Oid;
  /** The folder, as `checkedOutAt` names it: the user's, or a linked worktree of theirs. */
  readonly checkout: string;
  /** For the reflog. */
  readonly reason?: string;
}

/** Why a checkout was left as it is. The engine holds the change set with it. */
export type CheckoutRefusal =
  /** Something untracked or ignored stands where a file is to come. */
  | "PATH_OCCUPIED"
  /** A file or index entry of the change is not as `old` has it. */
  | "LOCAL_CHANGES"
  /** A merge, rebase, cherry-pick, revert, bisect or `git am` is unfinished there, or the index holds conflicts. */
  | "WORKTREE_BUSY"
  /** Another git holds the index, or the branch, for longer than the app waits. */
  | "INDEX_LOCKED"
  | "BRANCH_LOCKED"
  /** The branch is not what HEAD names there, or the folder is no checkout of this repository any more. */
  | "NOT_CHECKED_OUT"
  /** A second worktree has the same branch: moving it would stage its reversal there. */
  | "CHECKED_OUT_TWICE"
  /** Git broke off while it wrote (a filter, a full disk); what it had written was put back. */
  | "CHECKOUT_FAILED"
  /** Only when finishing: the checkout holds something that is neither `old` nor `next`. */
  | "FOREIGN_STATE";

export interface RefusedMove {
  readonly kind: "refused";
  readonly code: CheckoutRefusal;
  /** What stands in the way, where, and what to do, for people. */
  readonly sentence: string;
  readonly paths?: readonly string[];
}

export type CheckoutLanding = { readonly kind: "landed" } | { readonly kind: "moved" } | RefusedMove;

/**
 * What a landing that was cut short has left. `landed`: the branch holds `next`. `untouched`: branch, index and files are as before.
 * `finishable`: the branch is at `old`, index and files are path by path old or new. `foreign`: anything else; leave it alone.
 */
export type LandingState = "landed" | "untouched" | "finishable" | "foreign";

export interface HiddenRef {
  readonly ref: string;
  readonly commit: Oid;
}

/** How a branch stands to a commit that it held earlier. */
export interface BranchDrift {
  /** Commits that the tip has and the base has not. */
  readonly aheadCount: number;
  /** Commits that the base has and the tip has not: above 0 the branch was rewritten. */
  readonly behindCount: number;
  /** Of the commits ahead, those that touch one of the paths asked about; all of them when none were named. */
  readonly touchingCount: number;
  /** Paths whose content at the tip is not that at the base. */
  readonly paths: readonly string[];
  /** The newest of those that touch, with the asked-about paths that each touches. */
  readonly touching: readonly DriftCommit[];
}

/** A commit that came after a base. `subject` is the first line of its message. */
export interface DriftCommit {
  readonly commit: Oid;
  readonly subject: string;
  readonly paths: readonly string[];
}

/** One place of a file where both sides differ, whole. */
export type LineConflict = Omit<ConflictRegion, "isCut">;

/** `whole`: it cannot be told by lines. `target` and `proposed` are the blobs that meet, `null` where there is no file. */
export interface FileConflict {
  readonly kind: "lines" | "whole" | "none";
  readonly target: Oid | null;
  readonly proposed: Oid | null;
  readonly regions: readonly LineConflict[];
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** What a person sees in their checkout before they begin a run there. */
export interface CheckoutLook {
  /** First line of the message of HEAD. */
  readonly subject: string;
  /** Paths that differ from HEAD, the first hundred; untracked ones that are not ignored among them. */
  readonly dirty: readonly string[];
}

/** Merges tried in a folder of their own: nothing of them is left in the repository. */
export interface MergeTrial {
  /** The tree of what stands in a place now, whoever writes there meanwhile. Throws where that cannot be read. */
  treeOf(place: WorkPlace, base: Oid): Promise<Oid>;
  /** Brings the change `base` → `tree` onto `onto`, a commit or a tree. `tree` of a clean one can be merged on within the trial. */
  merge(base: Oid, onto: Oid, tree: Oid): Promise<TrialOutcome>;
}

export interface TrialOutcome {
  readonly tree: Oid;
  /** Paths in conflict, sorted; empty when it is clean. */
  readonly paths: readonly string[];
}

export interface GitPort {
  /** Codes: `REPOSITORY_NOT_FOUND`, `NOT_A_REPOSITORY`, `BARE_REPOSITORY`, `NO_COMMITS`, `UNSAFE_OWNER`, `REPOSITORY_UNREADABLE` (git itself cannot: a newer format, damage), `GIT_MISSING`. */
  openRepository(folder: string): Promise<Result<OpenedRepository>>;
  /** Looks at the user's checkout; takes no lock. */
  lookAtCheckout(repo: RepositoryFacts): Promise<CheckoutLook>;
  /** Paths of tracked files in the user's checkout, in git's order, at most `limit`. */
  listTracked(repo: RepositoryFacts, limit: number): Promise<readonly string[]>;
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
  /** Paths of the files directly in these folders at a commit, in git's order, at most `limit`. */
  listFilesAt(
    repo: RepositoryFacts,
    commit: Oid,
    folders: readonly string[],
    limit: number,
  ): Promise<readonly string[]>;
  /** Gives `use` a trial; what it wrote is gone afterwards. */
  tryMerges<T>(repo: RepositoryFacts, use: (trial: MergeTrial) => Promise<T>): Promise<T>;
  /** The tree of a commit. */
  treeOf(repo: RepositoryFacts, commit: Oid): Promise<Oid>;
  /** The first parent of a commit; `null` of a root commit. */
  parentOf(repo: RepositoryFacts, commit: Oid): Promise<Oid | null>;

  /** `worktree add --detach --no-checkout`, then `read-tree -u`; serial per common dir, judged by what exists and not by the exit code. Adopts its own half-made folder. Code `WORKTREE_FAILED` with git's words. */
  addWorktree(repo: RepositoryFacts, path: string, root: Oid): Promise<Result<WorkPlace>>;
  /** A plain folder that holds the tree of `commit`, all of it read-only. The same path with the same commit is reused. */
  addCheckout(repo: RepositoryFacts, path: string, commit: Oid): Promise<Result<WorkPlace>>;
  /** The worktree of ours at `path` as it stands, untouched; `null` when it is not there or not whole. */
  findWorktree(repo: RepositoryFacts, path: string, root: Oid): Promise<WorkPlace | null>;
  /** Brings an emptied worktree to another commit (the next executor of `--worktrees off`). */
  resetWorktree(repo: RepositoryFacts, place: WorkPlace, root: Oid): Promise<Result<WorkPlace>>;
  /** Brings a worktree of ours to `plan.root`, with the change that stands in it merged onto that; lines that both changed stand side by side, marked. What is ignored there stays. Code `WORKTREE_FAILED`. */
  rebaseWorktree(repo: RepositoryFacts, place: WorkPlace, plan: RebasePlan): Promise<Result<Rebased>>;
  /** Removes a work place that the app made, or one that was registered and never filled (`gitDir: null`: found by its path). The caller has pinned what was in it. */
  removeWorkPlace(repo: RepositoryFacts, place: WorkPlace): Promise<void>;

  /** What has become of the worktree of ours at `path`. `root`: what it is compared with where git notes no commit for it. Reads only. Throws `GIT_REFUSED` where the path is the user's. */
  inspectWorktree(repo: RepositoryFacts, path: string, root: Oid): Promise<FoundWorktree>;
  /** Puts what nothing else holds of it on a new branch, read back: loose commits, and the files as they stand. `null`: there is nothing such. May be asked again after it, or the removal that follows, was cut short. Codes `SNAPSHOT_FAILED`, `BAD_BRANCH_NAME`, `WORKTREE_BUSY` where it holds what git cannot keep as files. */
  keepOnBranch(repo: RepositoryFacts, found: FoundWorktree, branch: string): Promise<Result<Oid | null>>;
  /** Lets git know again of a worktree whose folder stands. Its files are not touched. Throws `GIT_REFUSED`. */
  registerAgain(repo: RepositoryFacts, path: string, root: Oid): Promise<void>;
  /** Worktrees whose absolute path begins with `prefix`: the registered ones, also where the folder is gone, and those of `runs` in whose making git died. */
  worktreesUnder(repo: RepositoryFacts, prefix: string, runs: readonly RunId[]): Promise<readonly string[]>;
  /** After a repository was moved: the worktrees of ours whose path begins with `prefix` find it again. Others are left as they are. */
  reconnectWorktrees(repo: RepositoryFacts, prefix: string): Promise<void>;
  /** Removes a folder of the app's own, absolute, with all that is in it, what agents and their commands made read-only too. Throws `GIT_REFUSED` for a repository or a worktree. */
  removeFolder(folder: string): Promise<void>;

  /** Commits everything in the worktree (untracked in, ignored out, no hooks, no signing) over `base` through a temporary index, and points `ref` at it. Code `SNAPSHOT_FAILED`. */
  snapshot(repo: RepositoryFacts, place: WorkPlace, base: Oid, ref: string, message: string): Promise<Result<Snapshot>>;
  /** Files and numbered hunks between two commits: `--histogram -U3`, renames found, names byte-exact. */
  changesBetween(repo: RepositoryFacts, base: Oid, commit: Oid): Promise<readonly FileChange[]>;
  /** The same as a patch for people to read; at most `maxBytes`, cut at a line with a note. */
  patchBetween(repo: RepositoryFacts, base: Oid, commit: Oid, maxBytes: number): Promise<string>;
  /** The tree that is `base` with just the selected hunks of the change applied, as amended, byte for byte. Throws with the code `GIT_REFUSED` what cannot be taken so. */
  composeTree(
    repo: RepositoryFacts,
    base: Oid,
    commit: Oid,
    selection: HunkSelection,
    amendments?: readonly HunkAmendment[],
  ): Promise<Oid>;
  /** Three-way merge in memory of `target` and `tree`, with `base` as the recorded merge base. */
  mergeTrees(repo: RepositoryFacts, base: Oid, target: Oid, tree: Oid): Promise<MergeOutcome>;
  /** The same with a person's choice at each place in conflict, byte for byte. A choice between other files than those that meet now holds nothing. */
  mergeResolved(
    repo: RepositoryFacts,
    sides: MergeSides,
    resolutions: readonly FileResolution[],
  ): Promise<ResolvedMerge>;
  /** Both sides and the base of each place at which the file is in conflict when the sides are merged. */
  conflictsIn(repo: RepositoryFacts, sides: MergeSides, path: string): Promise<FileConflict>;
  /** A commit object with one parent; no hooks, no signing, no ref. */
  commitTree(
    repo: RepositoryFacts,
    tree: Oid,
    parent: Oid,
    identity: Identity,
    message: string,
    at: number,
  ): Promise<Oid>;
  /** Worktrees (the user's checkout among them) that have `ref` checked out, by path. */
  checkedOutAt(repo: RepositoryFacts, ref: string): Promise<readonly string[]>;
  /** Copies into a worktree what `.worktreeinclude` at its commit, or one of `patterns`, names and git ignores, from the user's checkout: plain files, never over anything. Answers with their paths. */
  copyIncluded(repo: RepositoryFacts, place: WorkPlace, patterns?: readonly string[]): Promise<readonly string[]>;
  /** How many files of a worktree's tree Git LFS keeps: they stand there as pointers, their content is not fetched. */
  countPointers(repo: RepositoryFacts, place: WorkPlace): Promise<number>;
  /** Names of the hooks that git would run around a commit in that checkout of the user's. The app runs none. */
  findHooks(repo: RepositoryFacts, checkout: string): Promise<readonly string[]>;
  /** Compare-and-swap of one branch: `old` null = it must not exist. False when it stood elsewhere. Only for a branch that is checked out nowhere. */
  swapRef(repo: RepositoryFacts, ref: string, old: Oid | null, next: Oid, reason: string): Promise<boolean>;
  /**
   * Moves a branch that is checked out in `checkout` from `old` to `next`, with index and files: all of it or nothing. Lands over
   * unrelated dirty, staged and touched files without moving any. No hook of the user's runs (post-checkout, post-merge,
   * reference-transaction), so whoever shows the landing says that their gates did not. `moved`: the branch stood elsewhere.
   */
  landOnCheckout(repo: RepositoryFacts, move: CheckoutMove): Promise<CheckoutLanding>;
  /** What a landing that has a record and no outcome has left (recovery, R9). Reads only; waits a little for a git that still writes there. */
  inspectLanding(repo: RepositoryFacts, move: CheckoutMove): Promise<LandingState>;
  /** Completes a `finishable` landing; harmless for one that is whole in index and files already. */
  finishLandingOnCheckout(repo: RepositoryFacts, move: CheckoutMove): Promise<CheckoutLanding>;
  /** The tree that takes the landing `parent` → `landed` back on top of `tip`: a three-way merge in memory. */
  revertTree(
    repo: RepositoryFacts,
    undo: { readonly landed: Oid; readonly parent: Oid; readonly tip: Oid },
  ): Promise<MergeOutcome>;
  /** The uncommitted changes in a checkout of the user's (untracked in, ignored out) as a commit over `head`, on no ref. Nothing there is touched, its index included. Code `SNAPSHOT_FAILED`. */
  snapshotCheckout(repo: RepositoryFacts, checkout: string, head: Oid): Promise<Result<Snapshot>>;
  /** Refs below `refs/coppice/`, of one run or of all, by name. */
  listHiddenRefs(repo: RepositoryFacts, run?: RunId): Promise<readonly HiddenRef[]>;
  /** Writes the run's hidden refs, with what they hold beyond the parents of `base`, to a bundle, and answers with their names; none, and no file, where the repository is gone or has none. */
  bundleRefs(repo: RepositoryFacts, run: RunId, base: Oid, file: string): Promise<readonly string[]>;
  /** Brings a run's hidden refs in from a bundle, checked, and answers with those there are then. Code `BUNDLE_UNUSABLE`. */
  restoreRefs(repo: RepositoryFacts, run: RunId, file: string): Promise<Result<readonly string[]>>;
  /** Deletes hidden refs that still stand where the caller saw them, all at once; answers with those that do not, which stay. Ones that are gone are no matter. */
  deleteHiddenRefs(repo: RepositoryFacts, refs: readonly HiddenRef[]): Promise<readonly HiddenRef[]>;
  /** How far `tip` is from `base`, and how many of the commits between touch `among`. */
  driftBetween(repo: RepositoryFacts, base: Oid, tip: Oid, among?: readonly string[]): Promise<BranchDrift>;
  /** The same for two change sets that do the same to the same surroundings, wherever in a file and on whatever base: `git patch-id`, white space and binary content included. `except`: paths that it passes over. */
  patchId(
    repo: RepositoryFacts,
    base: Oid,
    commit: Oid,
    selection?: HunkSelection,
    amendments?: readonly HunkAmendment[],
    except?: readonly string[],
  ): Promise<string>;
  /** Copies new objects from an agent's private object folder into the repository, before anything else runs on it. */
  adoptObjects(repo: RepositoryFacts, objectFolder: string): Promise<void>;
}

/** Hidden refs that the app owns. */
export const hiddenRefs = {
  base: (run: RunId) => `refs/coppice/${run}/base`,
  /** What is not committed, over the landing of that ordinal among all of the run's. */
  line: (run: RunId, landing: number) => `refs/coppice/${run}/line/${landing}`,
  changeSet: (run: RunId, agent: AgentId, number: number) => `refs/coppice/${run}/${agent}/${number}`,
  /** What stood in the worktree when the target was brought in, of a change set that was sent back so. */
  sentBack: (run: RunId, agent: AgentId, number: number) => `refs/coppice/${run}/${agent}/sent-back/${number}`,
  pin: (run: RunId, agent: AgentId) => `refs/coppice/${run}/${agent}/pin`,
};
