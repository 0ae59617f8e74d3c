// Puts the parts of this room together as the engine's GitPort. Writes to one repository happen one after another; reads do not wait.

import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { adoptObjects } from "./adopt.ts";
import { bundleRefs, restoreRefs } from "./bundle.ts";
import { changesBetween, patchBetween } from "./changeset.ts";
import { addCheckout, removeCheckout } from "./checkouts.ts";
import { withCommonDirLock } from "./commonDirLock.ts";
import { composeTree } from "./compose.ts";
import { conflictsIn } from "./conflicts.ts";
import { driftBetween } from "./drift.ts";
import { deleteHiddenRefs, listHiddenRefs } from "./hiddenRefs.ts";
import { findHooks } from "./hooks.ts";
import { copyIncluded } from "./include.ts";
import { countPointers } from "./pointers.ts";
import { findIdentity } from "./identity.ts";
import { finishLandingOnCheckout, inspectLanding } from "./inspectLanding.ts";
import { mergeTrees, revertTree } from "./landing.ts";
import { landOnCheckout } from "./landOnCheckout.ts";
import { commitTree, listFilesAt, parentOf, readFileAt, treeOf } from "./objects.ts";
import { patchId } from "./patchId.ts";
import { rebaseWorktree } from "./rebase.ts";
import { checkBranchName, checkedOutAt, pin, readRef, swapRef } from "./refs.ts";
import { listTracked, lookAtCheckout } from "./lookAtCheckout.ts";
import { openRepository } from "./repository.ts";
import { mergeResolved } from "./resolve.ts";
import { snapshot, snapshotCheckout } from "./snapshot.ts";
import { inspectWorktree, keepOnBranch, registerAgain } from "./strays.ts";
import { tryMerges } from "./tryMerges.ts";
import { worktreesUnder } from "./worktreeList.ts";
import {
  addWorktree,
  findWorktree,
  reconnectWorktrees,
  removeOwnFolder,
  removeWorktree,
  resetWorktree,
} from "./worktrees.ts";

/** `dataFolder` (absolute; made when missing) holds what the app keeps for git; it must lie outside every repository. */
export function createGit(options: { readonly dataFolder: string }): GitPort {
  const { dataFolder } = options;
  const inTurn = <T>(repo: RepositoryFacts, work: () => Promise<T>) => withCommonDirLock(repo.commonDir, work);
  return {
    openRepository,
    lookAtCheckout,
    listTracked,
    findIdentity,
    readRef,
    checkBranchName,
    readFileAt,
    listFilesAt,
    treeOf,
    parentOf,
    findHooks,
    countPointers,
    copyIncluded: (repo, place, patterns) => copyIncluded(dataFolder, repo, place, patterns),
    changesBetween,
    patchBetween,
    mergeTrees,
    revertTree,
    checkedOutAt,
    listHiddenRefs,
    bundleRefs,
    restoreRefs: (repo, run, file) => inTurn(repo, () => restoreRefs(repo, run, file)),
    driftBetween,
    removeFolder: removeOwnFolder,
    patchId: (repo, base, commit, selection, amendments, except) =>
      patchId(dataFolder, repo, { base, commit, selection, amendments, except }),
    inspectLanding: (repo, move) => inspectLanding(dataFolder, repo, move),
    snapshotCheckout: (repo, checkout, head) => snapshotCheckout(dataFolder, repo, checkout, head),
    deleteHiddenRefs: (repo, refs) => inTurn(repo, () => deleteHiddenRefs(dataFolder, repo, refs)),
    landOnCheckout: (repo, move) => inTurn(repo, () => landOnCheckout(dataFolder, repo, move)),
    finishLandingOnCheckout: (repo, move) => inTurn(repo, () => finishLandingOnCheckout(dataFolder, repo, move)),
    worktreesUnder,
    inspectWorktree: (repo, path, root) => inspectWorktree(dataFolder, repo, path, root),
    keepOnBranch: (repo, found, branch) => inTurn(repo, () => keepOnBranch(dataFolder, repo, found, branch)),
    registerAgain: (repo, path, root) => inTurn(repo, () => registerAgain(dataFolder, repo, path, root)),
    reconnectWorktrees: (repo, prefix) => inTurn(repo, () => reconnectWorktrees(repo, prefix)),
    findWorktree: (repo, path, root) => findWorktree(dataFolder, repo, path, root),
    pin: (repo, ref, commit) => inTurn(repo, () => pin(dataFolder, repo, ref, commit)),
    swapRef: (repo, ref, old, next, reason) => inTurn(repo, () => swapRef(dataFolder, repo, ref, old, next, reason)),
    addWorktree: (repo, path, root) => inTurn(repo, () => addWorktree(dataFolder, repo, path, root)),
    addCheckout: (repo, path, commit) => inTurn(repo, () => addCheckout(dataFolder, repo, path, commit)),
    resetWorktree: (repo, place, root) => inTurn(repo, () => resetWorktree(dataFolder, repo, place, root)),
    rebaseWorktree: (repo, place, plan) => inTurn(repo, () => rebaseWorktree(dataFolder, repo, place, plan)),
    removeWorkPlace: (repo, place) =>
      inTurn(repo, () =>
        place.kind === "checkout" ? removeCheckout(repo, place) : removeWorktree(dataFolder, repo, place),
      ),
    snapshot: (repo, place, base, ref, message) => snapshot(dataFolder, repo, place, { base, ref, message }),
    composeTree: (repo, base, commit, selection, amendments) =>
      composeTree(dataFolder, repo, base, commit, selection, amendments),
    mergeResolved: (repo, sides, resolutions) => mergeResolved(dataFolder, repo, sides, resolutions),
    conflictsIn: (repo, sides, path) => conflictsIn(dataFolder, repo, sides, path),
    commitTree: (repo, tree, parent, identity, message, at) =>
      commitTree(repo, { tree, parent, identity, message, at }),
    tryMerges: (repo, use) => tryMerges(dataFolder, repo, use),
    adoptObjects: (repo, objectFolder) => inTurn(repo, () => adoptObjects(repo, objectFolder)),
  };
}
