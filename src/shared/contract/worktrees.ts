// The worktrees of all runs as a person sees to them: what git, the disk and the journal say of each, and what can be done.

import type { AgentId, RunId } from "./ids.ts";

/**
 * `inOrder`: all three agree. `passing`: of a run that goes on and clears it up itself. `gone`: its folder is, and it is made anew
 * when its agent goes on. `unconnected`: git does not know of its folder any more. `leftOver`: it stands, and no run that goes on
 * has it. `forgotten`: git still notes one whose folder is gone. `locked`: a person has locked it. `unknown`: its repository is not
 * to be found.
 */
export const worktreeStandings = [
  "inOrder",
  "passing",
  "gone",
  "unconnected",
  "leftOver",
  "forgotten",
  "locked",
  "unknown",
] as const;
export type WorktreeStanding = (typeof worktreeStandings)[number];

/** `repair`: let git know of it again. `adopt`: keep what it holds on a branch, then remove it. `forget`: have git note it no more. */
export const worktreeActs = ["repair", "adopt", "forget"] as const;
export type WorktreeAct = (typeof worktreeActs)[number];

export interface WorktreeLine {
  /** Absolute; names it. */
  readonly path: string;
  /** The repository's folder; `null`: not to be found. */
  readonly repo: string | null;
  /** The run in whose name it is, and its title; `null`: no run here. */
  readonly run: RunId | null;
  readonly title: string | null;
  /** Whose it is, as the folder's name has it. */
  readonly agent: string | null;
  readonly isRegistered: boolean;
  readonly isOnDisk: boolean;
  readonly isInJournal: boolean;
  readonly standing: WorktreeStanding;
  readonly act: WorktreeAct | null;
  /** Of a locked one: why. */
  readonly lock: string | null;
  /** Files that are otherwise than in the commit that it stands at. */
  readonly changedCount: number;
  /** Commits that no branch or other ref holds. */
  readonly looseCount: number;
  /** Where what it holds would be kept. */
  readonly branch: string;
}

export interface WorktreesPage {
  readonly folder: string;
  /** Those that need somebody first; the first hundred. */
  readonly worktrees: readonly WorktreeLine[];
  readonly total: number;
}

/** Work that did not land and is kept. `until`: epoch ms. */
export interface KeptLine {
  readonly run: RunId;
  readonly title: string;
  readonly agent: AgentId;
  readonly reason: string;
  readonly branch: string;
  readonly fileCount: number;
  readonly until: number;
}
