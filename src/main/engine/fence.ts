// Ports through which only the holder of a run acts. A process that was stopped, was passed over and wakes finds out here,
// in the moment before it would act, that it may not any more: the journal refuses it by itself, the world does not.

import { WorkbenchError } from "../../shared/contract/errors.ts";
import { type Failure, fail } from "../../shared/lib/result.ts";
import type { CommandPort } from "./ports/command.ts";
import type { GitPort } from "./ports/git.ts";

/** Whether an act changes a repository, a work place or a ref. Reading, and making objects, harms nobody. */
const isChange: { readonly [Act in keyof GitPort]: boolean } = {
  openRepository: false,
  lookAtCheckout: false,
  listTracked: false,
  findIdentity: false,
  readRef: false,
  checkBranchName: false,
  pin: true,
  readFileAt: false,
  listFilesAt: false,
  tryMerges: false,
  treeOf: false,
  parentOf: false,
  addWorktree: true,
  addCheckout: true,
  findWorktree: false,
  resetWorktree: true,
  rebaseWorktree: true,
  removeWorkPlace: true,
  inspectWorktree: false,
  keepOnBranch: true,
  registerAgain: true,
  worktreesUnder: false,
  reconnectWorktrees: true,
  removeFolder: true,
  snapshot: true,
  changesBetween: false,
  patchBetween: false,
  composeTree: false,
  mergeTrees: false,
  mergeResolved: false,
  conflictsIn: false,
  commitTree: false,
  checkedOutAt: false,
  copyIncluded: true,
  countPointers: false,
  findHooks: false,
  swapRef: true,
  landOnCheckout: true,
  inspectLanding: false,
  finishLandingOnCheckout: true,
  revertTree: false,
  snapshotCheckout: false,
  listHiddenRefs: false,
  bundleRefs: false,
  restoreRefs: true,
  deleteHiddenRefs: true,
  driftBetween: false,
  patchId: false,
  adoptObjects: true,
};

/** `git`, with every act refused by `STALE_LEASE` (rejected) once the run is not held here any more. `onFull`: the disk has no room for one; nothing of that is its agent's failure. */
export function fenceGit(git: GitPort, isHeld: () => boolean, onFull: () => void): GitPort {
  const fenced: Record<string, unknown> = { ...git };
  for (const [name, act] of Object.entries<(...args: never[]) => unknown>({ ...git })) {
    if (!isChange[name as keyof GitPort]) continue;
    fenced[name] = async (...args: never[]) => {
      requireHeld(isHeld, name);
      try {
        const outcome = await act(...args);
        if (isFull(outcome)) onFull();
        return outcome;
      } catch (error) {
        if (isFull(error)) onFull();
        throw error;
      }
    };
  }
  const addWorktree = fenced["addWorktree"] as GitPort["addWorktree"];
  fenced["addWorktree"] = async (...args: Parameters<GitPort["addWorktree"]>) => {
    const made = await addWorktree(...args);
    if (!made.ok || isHeld()) return made;
    // Stopped between the look and the act: whoever drives the run now knows nothing of this folder, which has our epoch.
    await git.removeWorkPlace(args[0], made.value);
    return fail({
      code: "STALE_LEASE",
      message: "The worktree was taken back: another process may drive this run now.",
    });
  };
  // Each member is the port's own or has its parameters: only when it may be called has changed.
  return fenced as unknown as GitPort;
}

/** Whether an error, or an answer with one, says that the disk is full: git's words, or the system's. */
function isFull(outcome: unknown): boolean {
  if (typeof outcome !== "object" || outcome === null) return false;
  const { message } = ("error" in outcome ? outcome.error : outcome) as { readonly message?: unknown };
  return typeof message === "string" && /No space left on device|ENOSPC/.test(message);
}

/** The same for commands: none is begun, and no process is ended that may be the next holder's. */
export function fenceCommands(commands: CommandPort, isHeld: () => boolean): CommandPort {
  return {
    report: () => commands.report(),
    run: async (spec, watch) => {
      requireHeld(isHeld, "run");
      return commands.run(spec, watch);
    },
    sweep: async (tag) => {
      requireHeld(isHeld, "sweep");
      return commands.sweep(tag);
    },
  };
}

/** Why nothing is made in a folder any more; `null` while the run is held. For what is not behind a port. */
export function lossOf(isHeld: () => boolean): Failure | null {
  return isHeld()
    ? null
    : { code: "STALE_LEASE", message: "Nothing was made on disk: another process may drive this run now." };
}

function requireHeld(isHeld: () => boolean, act: string): void {
  if (isHeld()) return;
  throw new WorkbenchError("STALE_LEASE", `${act} was not carried out: another process may drive this run now.`);
}
