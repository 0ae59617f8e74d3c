// How a worktree stands, of what git, the disk and the journal say of it, and the one act that can help. Pure. No act is
// offered by which work could be lost, and none at a run that goes on but to let git know of its worktree again.

import type { WorktreeAct, WorktreeStanding } from "../../shared/contract/worktrees.ts";

export interface SeenWorktree {
  readonly isRegistered: boolean;
  readonly isOnDisk: boolean;
  /** Its folder and git's entry name each other. */
  readonly isConnected: boolean;
  readonly isInJournal: boolean;
  /** The run in whose name it is; `none`: no run here has it. */
  readonly run: "goesOn" | "over" | "none";
  /** Why a person has locked it. */
  readonly lock: string | null;
}

/** `null`: there is nothing of it any more. */
export function standingOf(
  seen: SeenWorktree,
): { readonly standing: WorktreeStanding; readonly act: WorktreeAct | null } | null {
  const { isRegistered, isOnDisk, isConnected, isInJournal, run, lock } = seen;
  if (lock !== null) return { standing: "locked", act: null };
  if (run === "goesOn") {
    // A check's, or one that is just being made: the run clears it up itself.
    if (!isInJournal) return { standing: "passing", act: null };
    if (!isOnDisk) return { standing: "gone", act: null };
    return isConnected ? { standing: "inOrder", act: null } : { standing: "unconnected", act: "repair" };
  }
  if (isOnDisk) return { standing: "leftOver", act: "adopt" };
  return isRegistered ? { standing: "forgotten", act: "forget" } : null;
}
