// What events, commands and the state are made of: packets, results, files and hunks, decisions, effects. Plain data, no rule.

import type { AgentId, ChangeSetId, Oid, SubagentId } from "../../shared/contract/ids.ts";
import type { BalanceName, Balances } from "../../shared/contract/options.ts";
import type { AskingMark } from "../../shared/contract/pages.ts";
import type { Json } from "../../shared/lib/json.ts";

/** Where a run works. A repository is known by the real path of its common dir and its root commit. Paths are absolute and real. */
export interface RepositoryFacts {
  readonly topLevel: string;
  readonly commonDir: string;
  readonly rootCommit: Oid;
}

/** The branch that approved change sets land on, by full ref name. */
export interface Target {
  readonly ref: string;
  readonly branch: string;
}

export type RoleName = string;

/** Effect ranks, weakest first: a role's ceiling admits its own rank and all below. */
export const effectRanks = ["read", "write", "execute", "external"] as const;
export type EffectRank = (typeof effectRanks)[number];

/** What a node waits for: proposal or completion of another. */
export interface Dependency {
  readonly id: SubagentId;
  readonly until: "completed" | "proposed";
  /** What blocks, in the lead's words. */
  readonly because?: string;
}

/** One condition of a policy, as it was judged for one subagent at its spawn. */
export interface JudgedCondition {
  readonly condition: string;
  /** A need must be met, a veto must not be. */
  readonly kind: "need" | "veto";
  readonly verdict: ConditionVerdict;
  readonly evidence: string;
  readonly by: "lead" | "system";
}

/** `met` of a veto means that it applies. */
export type ConditionVerdict = "met" | "not_met" | "unknown";

/** What the lead hands to a subagent. A subagent sees its packet and nothing else. */
export interface Packet {
  readonly role: RoleName;
  readonly objective: string;
  readonly context?: string;
  readonly constraints: readonly string[];
  /** Relative files, folders or globs that the subagent may edit; `null` = nothing is claimed. */
  readonly paths: readonly string[] | null;
  readonly allowedTools: readonly string[];
  readonly maxSteps: number;
  readonly timeoutMs: number;
  readonly budget: Balances;
  readonly outputSchema?: Json;
  readonly remainingDepth: 0;
  readonly model: string;
  readonly step?: string;
  readonly criteria?: readonly string[];
  readonly replaces?: SubagentId;
  /** Under `groups`: the group it stands in, and the subagents and groups beside its own that it may write to. */
  readonly group?: string;
  readonly mayMessage?: readonly string[];
}

export type ResultStatus = "done" | "done_with_concerns" | "needs_context" | "blocked";
export type Verdict = "passed" | "failed" | "unknown";

export interface EvidenceClaim {
  readonly source: string;
  readonly quote?: string;
  readonly line?: number;
}
export type EvidenceMark = "found" | "not found" | "not checkable";
export interface MarkedEvidence extends EvidenceClaim {
  readonly mark: EvidenceMark;
}

/** What a subagent says of its work, in its own words. What was observed stands beside it, never in it. */
export interface SubagentResult {
  readonly status: ResultStatus;
  readonly answer: string;
  readonly evidence: readonly EvidenceClaim[];
  readonly uncertainty: "low" | "medium" | "high";
  readonly followups: readonly string[];
  readonly verdicts?: readonly { readonly criterion: string; readonly verdict: Verdict; readonly evidence: string }[];
  readonly data?: Json;
}

/** A tool call as the model made it: `arguments` is the text it sent, never repaired in place. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** One numbered hunk of one file, as git computed it once. `oldStart`/`newStart` count lines from 1; a range of 0 lines names the line before it. */
export interface Hunk {
  readonly number: number;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}

export interface FileChange {
  readonly path: string;
  /** The former path of a renamed file. */
  readonly from?: string;
  readonly change: "added" | "modified" | "deleted" | "renamed" | "mode" | "binary";
  readonly added: number;
  readonly removed: number;
  /** A binary, mode or rename change is one hunk. */
  readonly hunks: readonly Hunk[];
  /** Why this file does not land unasked, when it does not. */
  readonly asks?: AskingMark;
}

/** A changed file as a proposal lists it; its hunks stand beside it. */
export type ProposedFile = Omit<FileChange, "hunks">;

/** A numbered hunk and the file it is of: how a person names it is `FILE:NUMBER`. */
export interface ProposedHunk extends Hunk {
  readonly file: string;
}

export type VerificationState = "passed" | "failed" | "not-run" | "skipped";

export type NodeEnd = "completed" | "failed" | "cancelled";
export type StopReason =
  | "final_answer"
  | "cancelled"
  | "max_steps"
  | "budget_exhausted"
  | "failed"
  | "manual_reconciliation"
  | "handoff_blocked"
  | "interrupted";

/** Why a node may not start yet. `READY`: nothing is in the way. */
export type QueueCode = "DEPENDENCY" | "SLOT" | "WRITER" | "PATHS" | "RULE" | "MODEL" | "PAUSED" | "READY";

export type ApprovalKind = "changeset" | "command" | "question" | "plan" | "budget" | "reconcile" | "effect";

/** What a person is shown who is to say whether a call that a crash cut off took effect. */
export interface CutEffect {
  readonly tool: string;
  /** Epoch ms of its dispatch. */
  readonly startedAt: number;
  /** Why the system cannot tell by itself, in words. */
  readonly because: string;
  /** Paths in the agent's worktree that differ from its root, the first of them. */
  readonly files: readonly string[];
  /** The end of what it had printed; absent: nothing is known of it. */
  readonly output?: string;
}

/** More of one balance of the run, as it is asked for: the amounts as they stood, and what a plain yes adds. */
export interface BudgetRaise {
  readonly balance: BalanceName;
  readonly used: number;
  readonly limit: number;
  readonly by: number;
}

/** One side of a conflict. `event`: the ordinal of the result in which it was said. */
export interface VerdictSide {
  readonly by: SubagentId;
  readonly role: RoleName;
  readonly event: number;
  readonly verdict: Exclude<Verdict, "unknown">;
  readonly evidence: string;
  /** The change set that it is about; absent: the run's line. */
  readonly changeset?: ChangeSetId;
}

/** Opposite verdicts on one criterion for the same tree, from different subagents, in merging order. `tree`: a commit where its tree is not on record. `steps`: those of the plan that it blocks. */
export interface VerdictConflict {
  readonly criterion: string;
  readonly tree: Oid;
  readonly steps: readonly string[];
  readonly sides: readonly VerdictSide[];
}

export type ApprovalDecision = "approved" | "rejected" | "sent_back" | "answered";

export type ToolOutcome = "executed" | "failed" | "not_applied" | "reconciled" | "unknown" | "cancelled";

/** Why the system speaks in the user's place before a turn. `summary`: no turn of the work; the answer takes the place of what it sums up. */
export type PromptKind =
  | "template"
  | "submit"
  | "reminder"
  | "news"
  | "cut"
  | "empty"
  | "failing"
  | "forced"
  | "summary";

/** What became of the world between a dispatch and a crash decides what recovery may do; see `engine/recovery.ts`. */
export type EffectClass = "pure" | "verifiable" | "rerunnable" | "opaque";

export type PlanStatus = "pending" | "running" | "done" | "dropped";

/** A step of the lead's plan. `evidence`: the subagents whose completed work shows that it is done; the system fills it in. */
export interface PlanStep {
  readonly id: string;
  readonly title: string;
  readonly status: PlanStatus;
  readonly criteria?: readonly string[];
  readonly evidence?: readonly AgentId[];
  /** Who would do it. */
  readonly role?: RoleName;
  /** Ids of the steps that must be done first. */
  readonly blockedBy?: readonly string[];
}

/** What a person is shown before anything is handed off: the graph, and what it comes to at most. */
export interface PlanForecast {
  readonly nodes: readonly {
    readonly id: string;
    readonly title: string;
    /** `null`: it is not said yet who would do it, so the dearest role is counted. */
    readonly role: RoleName | null;
    readonly dependsOn: readonly string[];
  }[];
  /** Most subagents at work at once, and in all. */
  readonly width: number;
  readonly count: number;
  /** The most that they may use together, never more than the run's own limits; `null` = no limit. */
  readonly budget: Balances;
}

/** Accepted hunks: `all`, or hunk numbers by path. A path that is not named contributes nothing. */
export type HunkSelection = "all" | { readonly [path: string]: readonly number[] };
