// A run as a fold over its merged journal. Plain, immutable, shared structurally; nothing in it depends on a clock,
// a locale or the process that folds it.

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { AgentId, ApprovalId, ChangeSetId, LandingId, Oid, RunId, SubagentId } from "../../shared/contract/ids.ts";
import type { Balances, Limits, RunOptions } from "../../shared/contract/options.ts";
import type { FileResolution } from "../../shared/contract/resolutions.ts";
import type { NodeStatus, RunStatus, WaitReason } from "../../shared/contract/snapshots.ts";
import type { Template, TemplateFigures } from "../../shared/contract/template.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { InputCount } from "./doubt.ts";
import type { OwnRole } from "./roles.ts";
import type {
  ApprovalDecision,
  ApprovalKind,
  BudgetRaise,
  VerdictConflict,
  CutEffect,
  Dependency,
  EffectClass,
  EffectRank,
  FileChange,
  HunkSelection,
  MarkedEvidence,
  NodeEnd,
  Packet,
  PlanStep,
  PlanForecast,
  RepositoryFacts,
  RoleName,
  StopReason,
  SubagentResult,
  Target,
  ToolOutcome,
  Usage,
  VerificationState,
} from "./records.ts";

/** One call of the last completed turn. `open`: not dispatched yet. */
export interface CallState {
  readonly id: string;
  readonly tool: string;
  readonly arguments: string;
  readonly status: "open" | "dispatched" | "answered";
  readonly at: number;
  readonly effect?: EffectRank;
  readonly class?: EffectClass;
  readonly input?: Json;
  readonly outcome?: ToolOutcome | "refused";
}

export interface RequestState {
  readonly id: string;
  readonly at: number;
  readonly model: string;
  readonly estimate: Balances<number>;
  readonly isForced: boolean;
  /** It asks for a summary of the conversation, and is no turn of the work. */
  readonly isSummary: boolean;
}

/** One settled call as the loop guard sees it. */
export interface GuardEntry {
  readonly tool: string;
  readonly call: string;
  readonly result: string;
}

/** What lead and subagents have in common: the same loop drives both. */
export interface AgentState {
  readonly id: AgentId;
  readonly request: RequestState | null;
  readonly requestCount: number;
  readonly calls: readonly CallState[];
  readonly used: Balances<number>;
  readonly usage: Usage;
  readonly isCostKnown: boolean;
  /** Text of the last turn when it made no call; `null` once another turn was asked for. */
  readonly spoke: { readonly text: string; readonly n: number; readonly isEmpty: boolean } | null;
  /** Turns in a row that made no call where one was needed. */
  readonly silentTurns: number;
  /** Answers in a row that hit the output limit. */
  readonly cutTurns: number;
  readonly repairs: number;
  readonly lastRequestForced: boolean;
  readonly failedRequest: { readonly code: string; readonly message: string } | null;
  readonly retries: number;
  /** Tool → turns in a row in which it only failed. */
  readonly failures: Readonly<Record<string, number>>;
  readonly guard: readonly GuardEntry[];
  readonly seen: Readonly<Record<string, string | null>>;
  readonly toolsUsed: readonly string[];
  readonly activity: string;
  readonly lastEventAt: number;
  readonly lastN: number;
}

/** The lead's own worktree, where it edits. */
export interface LeadWork {
  readonly path: string;
  readonly root: Oid;
  /** Ordinal at which it last edited or ran something here whose outcome is not decided; 0: there is nothing such. */
  readonly touchedN: number;
  /** What it made was turned down, and is still to be pinned. */
  readonly isDropped: boolean;
  /** Ordinal at which what stood there was last proposed, or found to be nothing. */
  readonly submittedN: number;
  /** Times that failed checks went back to it since a person last saw its work. */
  readonly verifyRounds: number;
  /** Set-up commands that have ended well in it as it was last laid out. */
  readonly setupCount: number;
}

/** What the lead has beside a subagent. */
export interface LeadState extends AgentState {
  /** `null`: it has none. */
  readonly work: LeadWork | null;
  /** Told once, with their ids, about children that it forgot. */
  readonly isReminded: boolean;
  /** A person spoke to it after its last request, so what it says next is not its last word. */
  readonly isAddressed: boolean;
  /** Ordinal up to which the lead has been told the facts. */
  readonly toldN: number;
  readonly limitReached: "max_steps" | "budget_exhausted" | "manual_reconciliation" | null;
}

/** One delegated piece of work. */
export interface NodeState extends AgentState {
  readonly id: SubagentId;
  readonly ordinal: number;
  readonly childRun: RunId;
  readonly role: RoleName;
  readonly task: string;
  readonly title: string;
  readonly dependsOn: readonly Dependency[];
  readonly packet: Packet;
  readonly key: string;
  readonly contractHash: string;
  /** The model that it asks: its packet's, or what the run was given since in that one's place. */
  readonly model: string;
  readonly slice: Balances;
  /** Whether the slice is still reserved: it is released when a review opens, and renewed when the work is sent back. */
  readonly holdsSlice: boolean;
  /** The slice was renewed, so the packet's number of steps no longer counts. */
  readonly isRenewed: boolean;
  /** What of its use the run's budget has been charged with. */
  readonly charged: Balances<number>;
  readonly writes: boolean;
  readonly hasWorktree: boolean;
  readonly status: NodeStatus;
  readonly queue: WaitReason | null;
  /** Why it may not run beside others under the run's policy; empty when it may. */
  readonly obstacles: readonly string[];
  readonly question: string | null;
  readonly waitsFor: "context" | "person" | null;
  readonly waitsOn: ApprovalId | null;
  readonly root: Oid | null;
  /** What its change is a change to, where that is not its root. */
  readonly base: Oid | null;
  /** Which node of the run's template it is; `null`: the lead sent it. */
  readonly part: string | null;
  readonly worktree: string | null;
  readonly reads: ChangeSetId | null;
  readonly place: "none" | "created" | "removed";
  /** Set-up commands that have ended well in its worktree as it was last laid out. */
  readonly setupCount: number;
  readonly pin: string | null;
  readonly result: SubagentResult | null;
  readonly schema: "ok" | "repaired" | "unstructured" | null;
  readonly evidence: readonly MarkedEvidence[];
  /** Length of the longest list of evidence among its results. */
  readonly mostEvidence: number;
  /** Ordinal of its last result: a change set proposed before it is not of this submission. */
  readonly resultN: number;
  readonly changeSet: ChangeSetId | null;
  readonly changeSetCount: number;
  readonly verification: VerificationState;
  /** Times a failed verification went back to the executor. */
  readonly verifyRounds: number;
  readonly held: WaitReason | null;
  readonly end: NodeEnd | null;
  readonly code: string | null;
  readonly sentence: string | null;
  /** It was at work when it ended, so its slot is free only once it is settled. */
  readonly isWindingDown: boolean;
  readonly isSettled: boolean;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Running time before the current stretch, and since when the current stretch runs (`null`: it does not). */
  readonly ranMs: number;
  readonly runningSince: number | null;
  /** Ordinal of a person's last decision about its work; 0 before one. */
  readonly reviewedN: number;
  /** Ordinals at which it last ran, and ended. */
  readonly ranN: number;
  readonly endedN: number;
}

export interface VerificationRun {
  readonly command: string;
  readonly exitCode: number | null;
  readonly tree: Oid;
  readonly outcome: string;
  readonly durationMs: number;
  readonly output: string;
}

export interface ChangeSetState {
  readonly id: ChangeSetId;
  /** Ordinal of its proposal. */
  readonly n: number;
  readonly agent: AgentId;
  readonly number: number;
  readonly base: Oid;
  readonly commit: Oid;
  readonly tree: Oid;
  readonly ref: string;
  readonly files: readonly FileChange[];
  readonly hunks: number;
  /** The run's whole branch, for one review, and no agent's own work. */
  readonly isLine: boolean;
  /** What stood in its worktree and git cannot hold as files. */
  readonly leftOut: readonly string[];
  readonly target: Target;
  readonly verifications: readonly VerificationRun[];
  readonly status:
    | "proposed"
    | "open"
    | "approved"
    | "landing"
    | "landed"
    | "held"
    | "sent_back"
    | "rejected"
    | "replaced"
    | "withdrawn";
  readonly approval: ApprovalId | null;
  readonly selection: HunkSelection | null;
  /** Hunks of the selection that land otherwise than proposed. */
  readonly amendments: readonly HunkAmendment[];
  /** How its files land that were in conflict with the target when it was approved. */
  readonly resolutions: readonly FileResolution[];
  readonly message: string | null;
  /** Files in conflict when its landing was last tried, or when the target was brought into its worktree. */
  readonly conflicts: readonly string[];
  /** It was sent back with the target, which is not in its worktree yet. */
  readonly bringsTarget: boolean;
  /** Patch id of what would have landed, while it is held because that differs from what was approved. */
  readonly heldMerge: string | null;
  /** The one that a person has approved all the same. Another one is held again. */
  readonly acceptedMerge: string | null;
  /** How many of its verifications whoever approved it could see; a failure after them asks anew. */
  readonly checksSeen: number;
  /** Why its landing could not be, while it is held. */
  readonly held: WaitReason | null;
}

/** Whether a change set stands as it was proposed: it has neither landed nor come to another end. */
export function isStanding({ status }: Pick<ChangeSetState, "status">): boolean {
  return standing.includes(status);
}

const standing: readonly ChangeSetState["status"][] = ["proposed", "open", "approved", "landing", "held"];

export interface ApprovalState {
  readonly id: ApprovalId;
  readonly kind: ApprovalKind;
  readonly agent: AgentId;
  readonly summary: string;
  readonly why: string | null;
  readonly since: number;
  readonly changeset: ChangeSetId | null;
  readonly call: string | null;
  readonly command: string | null;
  readonly choices: readonly string[];
  readonly effect: CutEffect | null;
  readonly raise: BudgetRaise | null;
  readonly plan: PlanForecast | null;
  readonly conflict: VerdictConflict | null;
  readonly status: "open" | "decided" | "withdrawn";
  readonly decision: ApprovalDecision | null;
  readonly by: string | null;
  readonly hunks: HunkSelection | null;
  readonly comment: string | null;
  /** It was sent back with the target. */
  readonly bringsTarget: boolean;
  readonly scope: string | null;
  readonly decidedAt: number | null;
  /** Ordinal of its decision; 0 before one. */
  readonly decidedN: number;
}

/** Opposite verdicts as they were found, at ordinal `n`. */
export interface ConflictState extends VerdictConflict {
  readonly n: number;
}

export interface LandingState {
  readonly id: LandingId;
  readonly changeset: ChangeSetId;
  readonly target: string;
  readonly old: Oid | null;
  readonly new: Oid;
  readonly tree: Oid;
  readonly ref: string;
  readonly undoes: LandingId | null;
  /** Where the run's line stands after it; `null`: at `new`. */
  readonly line: Oid | null;
  readonly status: "begun" | "landed" | "failed" | "undone";
  readonly files: readonly string[];
  /** The user's hooks that did not run. */
  readonly hooks: readonly string[];
}

/** A note of the run's notepad. `n`: the ordinal at which it was added, by which it is named. */
export interface NoteState {
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

export interface Stop {
  readonly reason: StopReason;
  readonly answer: string;
  readonly partial: boolean;
  readonly code: string | null;
  readonly sentence: string | null;
}

export interface RunState {
  readonly run: RunId;
  /** Ordinal of the last event folded. */
  readonly n: number;
  readonly status: RunStatus;
  readonly task: string;
  readonly title: string;
  readonly repo: RepositoryFacts;
  readonly base: { readonly commit: Oid; readonly branch: string | null };
  /** The base, and so each commit of the line, holds what the user has not committed over its parent. */
  readonly includesDirty: boolean;
  /** Of a fork: the run and the ordinal that it goes on from, the commit that its branch is reviewed against, and how many subagents, landings and requests of the lead are history of that run. */
  readonly origin: {
    readonly run: RunId;
    readonly at: number;
    readonly base: Oid;
    readonly nodeCount: number;
    readonly landingCount: number;
    readonly requestCount: number;
  } | null;
  readonly target: Target;
  readonly finalTarget: Target | null;
  readonly options: RunOptions;
  readonly limits: Limits;
  /** The graph that a template fixed before the start. */
  readonly template: (Template & TemplateFigures) | null;
  /** Roles that files of the repository bring. */
  readonly roles: readonly OwnRole[];
  readonly guide: { readonly path: string; readonly text: string } | null;
  /** Patterns of the repository's own: ignored files that each worktree gets, and paths that never land unasked. */
  readonly worktreeInclude: readonly string[];
  readonly protectedPaths: readonly string[];
  readonly price: { readonly input: number; readonly output: number } | null;
  /** Of the models that roles have of their own, and of those that the lead named. */
  readonly rolePrices: { readonly [model: string]: RunState["price"] };
  /** By model; absent: nothing was told of it yet. */
  readonly counted: { readonly [model: string]: InputCount };
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When whoever drives it last wrote what only a driver writes: the last that is known of it after a crash. */
  readonly drivenAt: number;
  /** While it is stopped. What happens to it afterwards moves `updatedAt` alone. */
  readonly stoppedAt: number | null;
  /** The wall time that the run may take, ms; `null`: no limit. */
  readonly wallMs: number | null;
  /** From when it counts, epoch ms: moves on by as long as the run stands still. */
  readonly countsFrom: number;
  /** `countsFrom` and `wallMs` together. */
  readonly deadlineAt: number | null;
  /** Since when it stands still: waiting, paused, stopped or left; `null` while it runs. */
  readonly idleSince: number | null;
  readonly epoch: number;
  readonly waitingFor: string | null;
  /** Why the run will stop once what is in flight has ended; `null` while it goes on. */
  readonly ending: {
    readonly reason: StopReason;
    readonly code: string | null;
    readonly sentence: string | null;
  } | null;
  /** The commit at which this run's work stands: the base, then each landing, with what the user has not committed where the run includes it. */
  readonly line: Oid;
  readonly lead: LeadState;
  /** As the lead last wrote it. */
  readonly plan: readonly PlanStep[];
  /** In the order in which they were added. */
  readonly notes: readonly NoteState[];
  /** In order of creation. */
  readonly nodes: readonly NodeState[];
  /** Limit, what lead and settled children used, and the slices still held. */
  readonly budget: { readonly limit: Balances; readonly used: Balances<number>; readonly reserved: Balances<number> };
  readonly warned: readonly string[];
  readonly approvals: readonly ApprovalState[];
  /** In the order in which they were found. Whether one is still open is in verdictConflicts.ts. */
  readonly conflicts: readonly ConflictState[];
  readonly changeSets: readonly ChangeSetState[];
  readonly landings: readonly LandingState[];
  readonly stop: Stop | null;
  /** Commands from outside that were carried out: id → the ordinal of their last event. */
  readonly receipts: Readonly<Record<string, number>>;
}

export function findNode(state: RunState, id: AgentId): NodeState | undefined {
  return state.nodes.find((node) => node.id === id);
}

/** Throws: an event or command names a node that the graph does not hold, which the callers have ruled out. */
export function requireNode(state: RunState, id: AgentId): NodeState {
  const node = findNode(state, id);
  if (!node) throw new Error(`${state.run} has no ${id}`);
  return node;
}

export function findAgent(state: RunState, id: AgentId): AgentState | undefined {
  return id === "lead" ? state.lead : findNode(state, id);
}

export function requireAgent(state: RunState, id: AgentId): AgentState {
  return id === "lead" ? state.lead : requireNode(state, id);
}

export function findApproval(state: RunState, id: ApprovalId): ApprovalState | undefined {
  return state.approvals.find((approval) => approval.id === id);
}

export function findChangeSet(state: RunState, id: ChangeSetId | null): ChangeSetState | undefined {
  return id === null ? undefined : state.changeSets.find((set) => set.id === id);
}

export function requireChangeSet(state: RunState, id: ChangeSetId | null): ChangeSetState {
  const set = findChangeSet(state, id);
  if (!set) throw new Error(`${state.run} has no change set ${String(id)}`);
  return set;
}

/** The stream that holds an agent's events. Deterministic, so that no id has to be invented twice. */
export function streamOf(run: RunId, agent: AgentId): RunId {
  return agent === "lead" ? run : (`${run}-${agent.slice("subagent-".length)}` as RunId);
}

/** The name of a worktree's folder. It carries run, epoch and agent, so that two holders of one run never make the same. */
export function placeName(run: RunId, epoch: number, agent: AgentId | "shared"): string {
  return `${run}-e${epoch}-${agent}`;
}

/** Whose events a stream of this run holds; `null` for a stream of another run. */
export function agentOfStream(run: RunId, stream: RunId): AgentId | null {
  if (stream === run) return "lead";
  const number = stream.startsWith(`${run}-`) ? stream.slice(run.length + 1) : "";
  return /^[1-9]\d{0,8}$/.test(number) ? `subagent-${Number(number)}` : null;
}

/** The commit that the first run of a line of forks began at: what its whole branch is reviewed against. */
export function rootBaseOf(state: RunState): Oid {
  return state.origin?.base ?? state.base.commit;
}

/** The number of the change set that an agent proposes next; its ref and its id carry it. */
export function nextNumber(state: RunState, agent: AgentId): number {
  const count =
    agent === "lead"
      ? state.changeSets.filter((set) => set.agent === "lead").length
      : requireNode(state, agent).changeSetCount;
  return count + 1;
}

/** Whether a check, or a set-up, did not end as one that passes does. */
export function hasFailed({ exitCode, outcome }: Pick<VerificationRun, "exitCode" | "outcome">): boolean {
  return exitCode !== 0 || outcome !== "exited";
}
