// Pages about a run as a person deals with it: one approval in full, how the run was assigned, what would go with it, and a
// change set as a patch.

import type { StartRun } from "./commands.ts";
import type { AgentId, ApprovalId, ChangeSetId, RunId, SubagentId } from "./ids.ts";
import type { BalanceName, Balances, Limits } from "./options.ts";

/** How far the approval of a command may reach; of more budget, `run` takes the limit off. */
export type ApprovalScope = "once" | "run" | "project";

export interface RunPageQueries {
  readonly approval: { readonly run: RunId; readonly approval: ApprovalId };
  readonly assignment: { readonly run: RunId };
  readonly holdings: { readonly run: RunId };
  readonly notepad: { readonly run: RunId; readonly upTo?: number };
  /** `after` counts characters. */
  readonly diff: { readonly run: RunId; readonly changeset: ChangeSetId; readonly after: number };
}

/** A piece of work of a plan that is to be approved. `role`: `null` where the plan does not say who would do it. */
export interface PlanNode {
  readonly id: string;
  readonly title: string;
  readonly role: string | null;
  readonly dependsOn: readonly string[];
}

/** One side of opposite verdicts. `event`: the ordinal of the result in which it was said; `changeset`: what it is about, `null` for the run's line. */
export interface VerdictItem {
  readonly by: SubagentId;
  readonly role: string;
  readonly verdict: "passed" | "failed";
  readonly evidence: string;
  readonly event: number;
  readonly changeset: ChangeSetId | null;
}

/** Opposite verdicts on one criterion for the same tree, at most twelve of them. `steps`: those of the plan that cannot be done meanwhile. */
export interface ConflictItem {
  readonly criterion: string;
  readonly tree: string;
  readonly steps: readonly string[];
  readonly sides: readonly VerdictItem[];
}

/** One approval with everything that is known of it. Times are epoch ms. */
export interface ApprovalPage {
  readonly approval: ApprovalId;
  readonly kind: string;
  readonly status: "open" | "decided" | "withdrawn";
  readonly agent: AgentId;
  readonly role: string;
  readonly since: number;
  readonly summary: string;
  readonly why: string | null;
  /** What its agent said in the turn that asks. */
  readonly said: string | null;
  readonly choices: readonly string[];
  readonly changeset: ChangeSetId | null;
  /** The whole shell line; one that is longer than 100,000 characters has its middle left out, and says so. */
  readonly command: string | null;
  /** Folder that it runs in, relative to where its agent works; `null` for that folder itself. */
  readonly folder: string | null;
  /** What `run` and `project` would allow from then on: these very words however quoted, or this very shell line. `null`: nothing beyond this once. */
  readonly allows: "words" | "line" | null;
  readonly scopes: readonly ApprovalScope[];
  /** Of kind `effect`: a call that a crash cut off, and whose outcome nobody can know. `files`: what differs in its worktree, the first fifty; `output`: the end of what it had printed, where that is known. */
  readonly effect: {
    readonly tool: string;
    readonly startedAt: number;
    readonly files: readonly string[];
    readonly output: string | null;
  } | null;
  /** Of kind `budget`: amounts of one balance, as they stood; `by` is what a plain yes adds. Money in millionths of a US dollar. */
  readonly raise: {
    readonly balance: BalanceName;
    readonly used: number;
    readonly limit: number;
    readonly by: number;
  } | null;
  /** Of kind `plan`: what a yes starts, at most fifty nodes. `isFixed`: a template's, which is approved or rejected and cannot be sent back. */
  readonly plan: { readonly nodes: readonly PlanNode[]; readonly isFixed: boolean } | null;
  /** Of kind `reconcile`: the sides of which one holds. */
  readonly conflict: ConflictItem | null;
  readonly network: "on" | "off";
  /** Which turn of its agent's asks. */
  readonly turn: number;
  readonly assignedAt: number;
  /** When and why the lead sent the agent; `null` for the lead itself. */
  readonly sent: { readonly at: number; readonly reason: string | null } | null;
  readonly decision: {
    readonly decision: string;
    readonly by: string;
    readonly at: number;
    readonly comment: string | null;
    readonly scope: string | null;
  } | null;
}

/** What would start the same run again. */
export type AssignmentPage = Required<
  Pick<
    StartRun,
    | "folder"
    | "task"
    | "model"
    | "roleModels"
    | "baseUrl"
    | "approve"
    | "commands"
    | "network"
    | "landOn"
    | "worktrees"
    | "verify"
    | "setup"
    | "policy"
    | "wallMs"
  >
> &
  Pick<
    StartRun,
    | "modelServers"
    | "setupNetwork"
    | "workflow"
    | "leadEdits"
    | "topology"
    | "mayMessage"
    | "delegation"
    | "approvePlan"
  > & {
    readonly limits: Limits;
    readonly budget: Balances;
  };

/** A step of the lead's plan. `agents`: subagents that were sent for it. */
export interface PlanItem {
  readonly id: string;
  readonly title: string;
  readonly status: "pending" | "running" | "done" | "dropped";
  readonly criteria: readonly string[];
  readonly agents: readonly SubagentId[];
}

/** A note, named by the ordinal at which it was added. */
export interface NoteItem {
  readonly n: number;
  readonly at: number;
  readonly agent: AgentId;
  /** The person who wrote it; `null`: the agent did. */
  readonly by: string | null;
  readonly kind: string;
  readonly text: string;
  /** The person who took it back; `null` while it holds. */
  readonly retractedBy: string | null;
}

/** The lead's plan as it last wrote it, empty before, what stands against it, and what has been noted for everybody. */
export interface NotepadPage {
  readonly plan: readonly PlanItem[];
  /** Opposite verdicts that nobody has settled, at most twelve. */
  readonly conflicts: readonly ConflictItem[];
  /** The newest hundred, in the order in which they were added. */
  readonly notes: readonly NoteItem[];
  readonly noteCount: number;
}

/** Work of an agent that did not land and is kept under a hidden ref. */
export interface PinnedItem {
  readonly agent: AgentId;
  readonly reason: string;
  readonly commit: string;
  /** The branch that `restore` puts it on. */
  readonly branch: string;
}

/** What is the run's alone and goes with it when it is deleted. */
export interface HoldingsPage {
  readonly eventCount: number;
  readonly subagentCount: number;
  /** Change sets that were proposed and have not landed. */
  readonly unlandedCount: number;
  /** Commits that stay on their branches. */
  readonly landedCount: number;
  /** Kept for `keepDays` after the run's last event, then removed by `coppice gc`. The first hundred. */
  readonly pinned: readonly PinnedItem[];
  readonly pinnedCount: number;
  readonly keepDays: number;
}

export interface DiffPage {
  readonly text: string;
  /** Where the next piece begins; `null` at the end. */
  readonly next: number | null;
  /** Characters of the whole patch. */
  readonly total: number;
}

export interface RunPageBodies {
  readonly approval: ApprovalPage;
  readonly assignment: AssignmentPage;
  readonly holdings: HoldingsPage;
  readonly notepad: NotepadPage;
  readonly diff: DiffPage;
}
