// What a viewer is given: plain, numbered, frozen pictures as of one ordinal of a run's merged journal.
// A snapshot names no tool and holds no transcript; those are pages.

import type { AgentId, ApprovalId, ChangeSetId, LandingId, RunId, SubagentId } from "./ids.ts";
import type { Balances } from "./options.ts";

export type RunStatus =
  | "created"
  | "running"
  | "waiting"
  | "paused"
  | "ready"
  | "interrupted"
  | "stopped"
  | "quarantined"
  | "imported";

export type NodeStatus =
  | "pending"
  | "ready"
  | "running"
  | "waiting"
  | "submitting"
  | "awaiting_review"
  | "landing"
  | "completed"
  | "failed"
  | "cancelled";

/** Why something does not go on by itself right now: a code to group by and a sentence to show. */
export interface WaitReason {
  readonly code: string;
  readonly sentence: string;
}

export interface DependencySnapshot {
  readonly id: SubagentId;
  readonly until: "completed" | "proposed";
  /** What is waited for, in the lead's words; said of the first three. */
  readonly because?: string;
}

/** What keeps a subagent from running beside others under the run's policy. */
export interface RuleSnapshot {
  /** The first of those that it waits beside. */
  readonly beside: readonly SubagentId[];
  /** The conditions as they were judged, such as `no-shared-state is unknown`. */
  readonly because: string;
}

export interface SubagentSnapshot {
  readonly id: SubagentId;
  readonly role: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly model: string;
  /** The address of its model's server. Absent: the run's. */
  readonly server?: string;
  readonly dependsOn: readonly DependencySnapshot[];
  readonly replaces?: SubagentId;
  readonly waitingFor?: WaitReason;
  /** Absent where no rule holds it back now. */
  readonly rule?: RuleSnapshot;
  readonly held?: WaitReason;
  readonly code?: string;
  /** How it came to fail or to be stopped, in a sentence. */
  readonly sentence?: string;
  /** First words of what it handed in. */
  readonly headline?: string;
  readonly verification: "passed" | "failed" | "not-run" | "skipped";
  readonly steps: number;
  readonly maxSteps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The last thing it did, in words: a tool and its subject, or "thinking". */
  readonly activity: string;
}

export interface ApprovalSnapshot {
  readonly id: ApprovalId;
  readonly kind: string;
  readonly agent: AgentId;
  readonly summary: string;
  readonly since: number;
  readonly changeset?: ChangeSetId;
  /** Of a change set that is all that the run has landed on its branch: it goes back to nobody. */
  readonly isLine?: true;
  /** Why it is asked, where something says so; the page `approval` has all of it. */
  readonly why?: string;
  /** Of a question: answers to choose from. */
  readonly choices?: readonly string[];
  /** The call that waits for it, as the agent's transcript names it. */
  readonly call?: string;
}

/** Two executors that have not ended and touch the same files. `path`: the first of them, or the claim that covers them. */
export interface OverlapSnapshot {
  readonly agents: readonly [SubagentId, SubagentId];
  readonly path: string;
  readonly fileCount: number;
}

export interface LandingSnapshot {
  readonly landing: LandingId;
  readonly changeset: ChangeSetId;
  /** Whose change set landed; `lead` for the run's whole branch. */
  readonly agent: AgentId;
  readonly target: string;
  readonly commit: string;
  readonly files: readonly string[];
}

export interface RunSnapshot {
  readonly run: RunId;
  /** Ordinal of the merged journal that this shows; `0` before the first event. */
  readonly at: number;
  readonly status: RunStatus;
  readonly title: string;
  readonly task: string;
  readonly repo: string;
  readonly base: { readonly commit: string; readonly branch: string | null };
  /** The run and the ordinal that a fork goes on from. */
  readonly forkedFrom?: { readonly run: RunId; readonly at: number };
  readonly target: string;
  readonly line: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Absent while it has not stopped. */
  readonly stoppedAt?: number;
  readonly stopReason: string | null;
  /** What it stopped for, where its reason alone does not say. */
  readonly stopFailure?: { readonly code: string; readonly sentence: string };
  readonly answer: string | null;
  readonly partial: boolean;
  readonly lead: {
    readonly activity: string;
    readonly waitingFor?: WaitReason;
    readonly steps: number;
    readonly model: string;
  };
  readonly subagents: readonly SubagentSnapshot[];
  /** Absent without any. */
  readonly overlaps?: readonly OverlapSnapshot[];
  readonly approvals: readonly ApprovalSnapshot[];
  readonly landed: readonly LandingSnapshot[];
  readonly budget: { readonly limit: Balances; readonly used: Balances<number>; readonly reserved: Balances<number> };
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedTokens: number;
    readonly requests: number;
  };
  readonly costUsd: number | null;
  /** Models whose servers tell too few input tokens to be believed: charged at the estimate. Absent: none. */
  readonly doubted?: readonly string[];
}

/** A line of the run list. */
export interface RunListItem {
  readonly run: RunId;
  readonly title: string;
  readonly status: RunStatus;
  readonly stopReason: string | null;
  readonly repo: string;
  readonly createdAt: number;
  /** Open approvals. */
  readonly needsYouCount: number;
  /** Those of them that are change sets to review. */
  readonly reviewCount: number;
  /** Of its last event, epoch ms. */
  readonly updatedAt: number;
  /** Kinds of the open approvals, the longest wait first, at most eight; absent without any. */
  readonly asks?: readonly string[];
  /** Since when the first of them waits. */
  readonly askedAt?: number;
  /** One letter for each subagent, in order of creation: `q` queued, `w` at work, `n` waits, `r` in review, `d` done, `f` failed, `s` stopped. Absent without any, and once the run has stopped. */
  readonly agents?: string;
  /** The commit of its newest landing. */
  readonly landed?: string;
  readonly isPinned?: boolean;
}

export interface RunListSnapshot {
  /** Grows with every snapshot of this topic. */
  readonly version: number;
  readonly runs: readonly RunListItem[];
  /** Finished runs, the oldest, that were left out because the list would not fit into a message; absent for none. */
  readonly olderCount?: number;
  /** Nothing can be written now, and why: the disk is full, or the journal is damaged and only read. Absent while all is well. */
  readonly trouble?: { readonly code: string; readonly message: string };
}

/** Work that could not land beside other work as both stand now. `other`: whose; `null`: what the target holds. */
export interface RadarConflict {
  readonly agent: SubagentId;
  readonly other: SubagentId | null;
  /** The first of them. */
  readonly paths: readonly string[];
  readonly fileCount: number;
}

/** What trial merges of work in progress have found. Provisional: it tells of worktrees, and is in no journal. */
export interface RadarPicture {
  readonly conflicts: readonly RadarConflict[];
  /** Those that are in conflict with each other, as they would best land: what has fewer conflicts, and is ready, first. */
  readonly order: readonly SubagentId[];
}

/** What agents of a run are saying right now, as streamed so far. Provisional: the journal gets it once, when the turn is over. */
export interface LiveSnapshot {
  readonly run: RunId;
  /** Grows with every snapshot of this topic. */
  readonly version: number;
  /** Agents in the middle of a turn. `text` is the end of what came; `skipped` counts the characters before it. */
  readonly turns: readonly { readonly agent: AgentId; readonly text: string; readonly skipped: number }[];
  /** Absent while no work in progress conflicts. */
  readonly radar?: RadarPicture;
}

/** A row of the timeline: one bar, tick or mark of one lane. Times are epoch ms, `until` null while it goes on. */
export interface TimelineItem {
  readonly n: number;
  readonly agent: AgentId;
  readonly kind: "turn" | "tool" | "queued" | "waiting" | "review" | "verification" | "landing" | "mark";
  readonly label: string;
  readonly at: number;
  readonly until: number | null;
  readonly isFailure: boolean;
  /** What came of it, in words: the decision, the commit, the exit code. Absent while there is nothing to say. */
  readonly outcome?: string;
}

/** A row of a transcript. */
export interface TranscriptItem {
  readonly n: number;
  readonly at: number;
  readonly kind: "packet" | "person" | "system" | "text" | "call" | "answer" | "result" | "note";
  readonly title: string;
  readonly text: string;
  readonly state?: string;
  /** Of a call and of its answer: what the model named the call. Unique within a turn. */
  readonly call?: string;
  /** Of a text that was clipped: characters of the whole, which `content/read` has. */
  readonly chars?: number;
  /** Of an answer: how long the tool took, and the exit code of a program that ran to its end. */
  readonly durationMs?: number;
  readonly exitCode?: number;
}

/** A slice of a longer list. `next` is the cursor of what follows, `null` at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: number | null;
}
