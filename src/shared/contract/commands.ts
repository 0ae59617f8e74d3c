// What a viewer may have done: commands, each with an id of its own, and the receipt that answers them.
// Sent again under the same id, a command answers with the same receipt and does nothing.

import type { CareCommand } from "./care.ts";
import type { HunkAmendment } from "./amendments.ts";
import type { AgentId, ApprovalId, CommandId, LandingId, RunId } from "./ids.ts";
import type { ApprovalMode, Balances, CommandMode, LandOn, Limits } from "./options.ts";
import type { Policy } from "./policy.ts";
import type { FileResolution } from "./resolutions.ts";
import type { Delegation, GroupLink, Topology } from "./topology.ts";

/** `resumes`: a run that nobody drives goes on here, once the decision is recorded. */
interface Deciding {
  readonly approval: ApprovalId;
  readonly resumes?: boolean;
}

export interface StartRun {
  readonly type: "startRun";
  /** Absolute, anywhere in the repository. */
  readonly folder: string;
  readonly task: string;
  readonly model: string;
  /** By role. Absent: as the settings say. */
  readonly roleModels?: { readonly [role: string]: string };
  /** With `roleModels`, by model: the address of its server, one of the settings', where that is not the run's. */
  readonly modelServers?: { readonly [model: string]: string };
  /** Absent: `OPENAI_BASE_URL`, else OpenAI's own. The key is where the settings say, else in the environment. */
  readonly baseUrl?: string;
  /** What is left out is as the settings say, and where these say nothing: `each`, `ask`, `off`, the run's own branch, `on`, the repository's checks. */
  readonly approve?: ApprovalMode;
  readonly commands?: CommandMode;
  readonly network?: "on" | "off";
  readonly landOn?: LandOn;
  readonly worktrees?: "on" | "off";
  readonly verify?: readonly string[];
  /** Run in each new worktree before its agent begins. Absent: what the repository brings. */
  readonly setup?: readonly string[];
  /** Absent: as what the repository brings asks for, once it is trusted, and else as `network`. */
  readonly setupNetwork?: "on" | "off";
  /** `skip`: the commands that the repository brings are left out. Absent: they have to be trusted. */
  readonly repositoryCommands?: "skip";
  /** Absent: what the settings say; of one agent alone `llm`. */
  readonly policy?: Policy;
  /** One agent alone, which edits, runs commands and delegates to nobody. */
  readonly workflow?: "off";
  /** The lead may edit and run commands itself, in a worktree of its own. */
  readonly leadEdits?: true;
  /** Absent: `supervisor`. */
  readonly topology?: Topology;
  /** Under `groups`. Absent: the lead says who may write to whom. */
  readonly mayMessage?: readonly GroupLink[];
  /** Absent: `prefer`. */
  readonly delegation?: Delegation;
  readonly approvePlan?: boolean;
  readonly includesDirty?: boolean;
  readonly limits?: Partial<Limits>;
  /** `null`: no limit. Absent: what the settings say, at first 400 steps, and 5 USD where the price is known. */
  readonly budget?: Partial<Balances>;
  /** Absent: what the settings say, at first two hours. */
  readonly wallMs?: number | null;
}

export type WorkbenchCommand =
  | (Deciding & {
      readonly type: "approve";
      /** Absent: all. */
      readonly hunks?: { readonly [path: string]: readonly number[] };
      /** Accepted hunks that land without some of their lines, or with other text. */
      readonly amendments?: readonly HunkAmendment[];
      /** What lands where an accepted file is in conflict with the target. */
      readonly resolutions?: readonly FileResolution[];
      /** The commit's message. */
      readonly message?: string;
      /** How far the approval of a command reaches. */
      readonly scope?: "once" | "run" | "project";
    })
  | (Deciding & { readonly type: "reject"; readonly comment?: string })
  /** `bringsTarget`: its agent goes on from the target as that stands by then, with its change on it, and resolves what is in conflict. */
  | (Deciding & { readonly type: "sendBack"; readonly comment: string; readonly bringsTarget?: boolean })
  | (Deciding & { readonly type: "answer"; readonly value: string })
  | { readonly type: "cancel" | "pause" | "resume" | "land" | "deleteRun"; readonly run: RunId }
  /** A stopped run goes on with it. */
  | { readonly type: "message"; readonly run: RunId; readonly text: string; readonly to: AgentId }
  /** At any time, also after its stop. */
  | { readonly type: "rename"; readonly run: RunId; readonly title: string }
  /** Onto the notepad of a run that has not stopped: at most 40 characters of kind and 4,000 of text. */
  | { readonly type: "addNote"; readonly run: RunId; readonly kind: string; readonly text: string }
  /** `note`: the ordinal at which it was added. */
  | { readonly type: "retractNote"; readonly run: RunId; readonly note: number }
  /** The repository of a run that nobody drives lies at `folder` now; said again it changes nothing. */
  | { readonly type: "rebind"; readonly run: RunId; readonly folder: string }
  | { readonly type: "pin"; readonly run: RunId; readonly isPinned: boolean }
  | { readonly type: "undo"; readonly landing: LandingId }
  /** Puts an agent's work that did not land, and is kept, on a branch of its own: the one that the page `holdings` names. */
  | { readonly type: "restore"; readonly run: RunId; readonly agent: AgentId }
  /** A new run, paused, that goes on from event `at` of this one; the receipt names it. `base`: where its work begins, at the run's line of then (absent) or where the branch that it lands on stands now. */
  | { readonly type: "fork"; readonly run: RunId; readonly at: number; readonly base?: "line" | "target" }
  /** The bundled sample repository and its recorded answers, as a run of its own. */
  | { readonly type: "startSample" }
  | StartRun;

export interface CommandEnvelope<Command = WorkbenchCommand | CareCommand> {
  readonly commandId: CommandId;
  readonly command: Command;
}

/** The command is recorded; what follows from it is in snapshots at or past `at`. */
export interface CommandReceipt {
  readonly commandId: CommandId;
  readonly run: RunId;
  /** Ordinal of the run's journal, once the command was carried out here; `null` where another process took it, or nothing was written. */
  readonly at: number | null;
}
