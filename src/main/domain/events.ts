// Every fact a run can consist of, by name, with the version of its shape. Past tense, one transition each.
// Never rewritten: an older version is modernised when it is read (store/modernize.ts).

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { AgentId, ApprovalId, ChangeSetId, LandingId, Oid, RunId, SubagentId } from "../../shared/contract/ids.ts";
import type { Balances, Limits, RunOptions } from "../../shared/contract/options.ts";
import type { FileResolution } from "../../shared/contract/resolutions.ts";
import type { Template, TemplateFigures } from "../../shared/contract/template.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { LateSlices } from "./lateSlices.ts";
import type { OwnRole } from "./roles.ts";
import type {
  RepositoryFacts,
  Target,
  RoleName,
  EffectRank,
  Dependency,
  JudgedCondition,
  Packet,
  MarkedEvidence,
  SubagentResult,
  ToolCall,
  Usage,
  ProposedFile,
  ProposedHunk,
  VerificationState,
  NodeEnd,
  StopReason,
  QueueCode,
  ApprovalKind,
  CutEffect,
  BudgetRaise,
  VerdictConflict,
  ApprovalDecision,
  ToolOutcome,
  PromptKind,
  EffectClass,
  PlanStep,
  PlanForecast,
  HunkSelection,
} from "./records.ts";

/** The shape of `data` for each event type. Public fields are promised; more may stand beside them. */
export interface EventData {
  "run.created": {
    readonly task: string;
    readonly title: string;
    /** The folder of the checkout. */
    readonly repo: string;
    readonly repository: RepositoryFacts;
    /** The commit that the user saw when assigning, and the branch it was on (`null`: detached). */
    readonly base: Oid;
    /** The base holds what the user had not committed, over the commit that they saw: its parent. */
    readonly includesDirty?: boolean;
    readonly baseBranch: string | null;
    /** The branch to land on, by short name, and its full ref. */
    readonly target: string;
    readonly targetRef: string;
    /** Under `final`: where the one review at the end lands the run's branch. */
    readonly finalTarget?: Target;
    readonly options: RunOptions;
    readonly limits: Limits;
    readonly budget: Balances;
    readonly wallMs: number | null;
    /** Micros a million tokens, when the model's price is known. */
    readonly price: { readonly input: number; readonly output: number } | null;
    /** Of the models that roles have of their own, by model. */
    readonly rolePrices?: { readonly [model: string]: EventData["run.created"]["price"] };
    /** Text of the repository's AGENTS.md or CLAUDE.md at the base commit, bounded. */
    readonly guide?: { readonly path: string; readonly text: string };
    /** What the repository asks for at that commit beside `options`: patterns of ignored files that each worktree gets, and of paths that never land unasked. Absent: none. */
    readonly worktreeInclude?: readonly string[];
    readonly protectedPaths?: readonly string[];
    /** Roles that files of the repository bring, as they were at the base commit. */
    readonly roles?: readonly OwnRole[];
    /** Under a template policy: the graph that was fixed, and what was known of it before the start. */
    readonly template?: Template & TemplateFigures;
  };
  "run.started": { readonly epoch: number };
  "run.waiting": { readonly for: string };
  /** `after`: by whoever found the run after a crash; absent: by a person. */
  "run.paused": { readonly after?: "crash" };
  "run.resumed": { readonly epoch: number; readonly after: "waiting" | "paused" | "crash" | "input" };
  "run.interrupted": { readonly reason: string };
  /** The run will stop for this reason once everything in flight has ended. */
  "run.ending": {
    readonly reason: StopReason;
    readonly by?: string;
    readonly code?: string;
    readonly sentence?: string;
  };
  "run.stopped": {
    readonly reason: StopReason;
    readonly answer: string;
    readonly partial: boolean;
    readonly code?: string;
    readonly sentence?: string;
  };
  /** The end of what a fork took over: all before it happened in `origin`, up to its event `at`, whose hash is `hash`. `base`: what its whole branch is reviewed against. From here on the budget is new. */
  "run.forked": {
    readonly origin: RunId;
    readonly at: number;
    readonly hash: string;
    readonly base: Oid;
    readonly budget: Balances;
    readonly wallMs: number | null;
  };
  /** The repository lies elsewhere now: the same one, by its root commit. */
  "repository.moved": { readonly repository: RepositoryFacts; readonly by: string };
  /** `title` is one line, at most 200 characters. */
  "run.renamed": { readonly title: string; readonly by: string };
  "input.received": { readonly text: string; readonly from: string; readonly to: AgentId };
  "plan.updated": { readonly steps: readonly PlanStep[] };
  /** `by`: the person who wrote it; absent: the agent. */
  "note.added": { readonly kind: string; readonly text: string; readonly by?: string };
  /** `note`: the ordinal at which it was added. */
  "note.retracted": { readonly note: number; readonly by: string };

  "model.requested": {
    readonly request: string;
    readonly model: string;
    readonly estimate: {
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly costMicros: number | null;
    };
    /** A forced turn offers `submitResult` only (the lead: no tools). */
    readonly forced?: boolean;
    /** What the system says in the user's place before this turn, and why. It is part of the transcript. */
    readonly prompt?: string;
    readonly promptKind?: PromptKind;
  };
  "model.completed": {
    readonly request: string;
    readonly text: string;
    readonly reasoning?: string;
    readonly toolCalls: readonly ToolCall[];
    readonly finish: string;
    readonly usage: Usage | null;
    readonly costMicros: number | null;
    /** The text sums up the conversation, and is no turn of the work. */
    readonly purpose?: "summary";
  };
  "model.failed": {
    readonly request: string;
    readonly code: string;
    readonly message: string;
    readonly text?: string;
    readonly charged?: boolean;
  };
  "model.lost": { readonly request: string };
  "model.retried": {
    readonly request: string;
    readonly attempt: number;
    readonly waitMs: number;
    readonly reason: string;
  };
  "context.compacted": {
    readonly from: number;
    readonly to: number;
    readonly stubbed: number;
    /** Calls whose outputs are left out from here on. */
    readonly calls: readonly string[];
    /** Ordinal up to which the turns are left out, and the text that stands for them. Both or neither. */
    readonly upTo?: number;
    readonly summary?: string;
    /** Of the lead: what it has delegated so far and what came of it, in the place of any ledger before. */
    readonly ledger?: string;
  };

  "tool.refused": { readonly call: string; readonly tool: string; readonly code: string; readonly message: string };
  "tool.dispatched": {
    readonly call: string;
    readonly tool: string;
    readonly effect: EffectRank;
    readonly class: EffectClass;
    readonly input: Json;
    /** The approval that let it happen: used up by this dispatch, in the same moment. */
    readonly approval?: ApprovalId;
  };
  "tool.settled": {
    readonly call: string;
    readonly tool: string;
    readonly outcome: ToolOutcome;
    readonly exitCode?: number | null;
    readonly durationMs: number;
    readonly output: string;
    readonly code?: string;
    /** Hash over what the call answered, for the loop guard. */
    readonly resultHash: string;
    /** Content hashes of files as this call last saw or wrote them; `null` = gone. */
    readonly seen?: { readonly [path: string]: string | null };
    /** The work place is no longer as it was before the call. */
    readonly changedState?: boolean;
  };
  /** The answer of a control tool: a command, not an effect, so nothing was dispatched. */
  "tool.answered": { readonly call: string; readonly tool: string; readonly output: string };

  "handoff.recorded": {
    readonly subagent: SubagentId;
    readonly childRun: RunId;
    readonly role: RoleName;
    /** Of a role from a file of the repository: the hash of that file. */
    readonly roleHash?: string;
    readonly task: string;
    readonly title: string;
    readonly dependsOn: readonly Dependency[];
    readonly packet: Packet;
    /** Of a model that the lead named and that the run had no price of: what it costs, as in `run.created`. */
    readonly price?: EventData["run.created"]["price"];
    readonly slice: Balances;
    readonly key: string;
    readonly contractHash: string;
    readonly policy: string;
    /** Its edits become a change set. */
    readonly writes: boolean;
    /** Where it works: a worktree of its own, or a read-only copy that it shares. */
    readonly place: "worktree" | "checkout";
    readonly warnings: readonly string[];
    readonly reason?: string;
    /** Which node of the run's template it is; a node that is gone through in rounds has several. */
    readonly part?: string;
  };
  /** Sent back after a review: what it may draw on from here. */
  "slice.renewed": { readonly subagent: SubagentId; readonly slice: Balances };
  "handoff.refused": { readonly code: string; readonly sentence: string; readonly task: string; readonly call: string };
  /** Whether it may run beside others under the run's policy. */
  "policy.judged": { readonly subagent: SubagentId; readonly verdicts: readonly JudgedCondition[] };

  "subagent.queued": { readonly code: QueueCode; readonly sentence: string };
  "subagent.started": {
    readonly root: Oid;
    readonly worktree?: string;
    readonly reads?: ChangeSetId;
    /** What its change is a change to, where it goes on from another's proposal, at `root`. */
    readonly base?: Oid;
  };
  "subagent.waiting": {
    readonly for: "context" | "person";
    readonly approval?: ApprovalId;
    readonly question?: string;
  };
  "subagent.resumed": { readonly after: "context" | "person" | "verification" | "review"; readonly text?: string };
  "subagent.checked": {
    readonly verdict: "progressing" | "blocked" | "stalled" | "looping" | "ceiling";
    readonly reason: string;
  };
  /** `from`: a subagent that may write to this one; absent: the lead. */
  "subagent.messaged": { readonly text: string; readonly from?: SubagentId };
  "subagent.result": {
    readonly call: string | null;
    readonly result: SubagentResult;
    readonly schema: "ok" | "repaired" | "unstructured";
    readonly evidence: readonly MarkedEvidence[];
  };
  "subagent.repair": { readonly call: string | null; readonly errors: readonly string[] };
  /** The child's own stop: its status is terminal from here on. Its slot and slice are freed by `subagent.settled`. */
  "subagent.stopped": { readonly status: NodeEnd; readonly code?: string; readonly sentence?: string };
  "subagent.settled": {
    readonly subagent: SubagentId;
    readonly status: NodeEnd;
    readonly code?: string;
    readonly used: Balances<number>;
    readonly verification: VerificationState;
    readonly diagnostic?: string;
    /** Hash of the child's head, so that the order between streams is chained too. */
    readonly childHead: string;
  };

  "worktree.created": { readonly path: string; readonly root: Oid };
  "worktree.provisioned": {
    readonly path: string;
    readonly durationMs: number;
    /** Ignored files that were copied into it from the user's checkout, as `.worktreeinclude` asks. */
    readonly copied?: readonly string[];
    /** How many files of Git LFS stand in it as pointers; absent: none. Their content is not fetched. */
    readonly pointers?: number;
    /** A set-up command that was run in it, and what came of it: all four or none. `output` is bounded. */
    readonly command?: string;
    readonly exitCode?: number | null;
    readonly outcome?: "exited" | "timeout" | "cancelled" | "spawn_failed";
    readonly output?: string;
  };
  "worktree.pinned": { readonly path: string; readonly ref: string; readonly commit: Oid; readonly reason: string };
  "worktree.removed": { readonly path: string };
  /** The target was brought into a worktree whose change set was sent back: it stands at `root` now, with that change on it. `conflicts`: files in which places are marked, since both changed them. `text`: what its agent is told. */
  "worktree.rebased": {
    readonly path: string;
    readonly changeset: ChangeSetId;
    readonly root: Oid;
    readonly conflicts: readonly string[];
    readonly text: string;
  };

  "changeset.proposed": {
    readonly changeset: ChangeSetId;
    readonly number: number;
    readonly base: Oid;
    readonly commit: Oid;
    readonly tree: Oid;
    readonly ref: string;
    readonly files: readonly ProposedFile[];
    /** Of all files, in their order. */
    readonly hunks: readonly ProposedHunk[];
    /** Where it lands when that is not the run's target: a review of the run's whole branch. */
    readonly target?: Target;
    /** What stood in the worktree and is not in it, since git cannot hold it as files: repositories inside, names like `git~1`. */
    readonly leftOut?: readonly string[];
  };
  /** The worktree stood as its base: there is nothing to review. */
  "changeset.empty": { readonly base: Oid; readonly leftOut?: readonly string[] };
  /** Its checks are over, and those that the run's template names look at it before a person is asked. */
  "changeset.checked": { readonly changeset: ChangeSetId };
  /** A reviewer that decides about its rounds did not pass it: its author mends it, in this round of so many. */
  "changeset.returned": {
    readonly changeset: ChangeSetId;
    readonly by: SubagentId;
    readonly round: number;
    readonly rounds: number;
  };
  "verification.ran": {
    readonly by: "system";
    readonly changeset: ChangeSetId;
    readonly command: string;
    readonly exitCode: number | null;
    readonly tree: Oid;
    readonly durationMs: number;
    readonly output: string;
    readonly outcome: "exited" | "timeout" | "cancelled" | "spawn_failed";
  };
  "changeset.reviewed": {
    readonly changeset: ChangeSetId;
    readonly hunks: HunkSelection;
    /** Accepted hunks that land otherwise than proposed; absent: none. */
    readonly amendments?: readonly HunkAmendment[];
    /** How its files land that are in conflict with the target; absent: none was chosen. */
    readonly resolutions?: readonly FileResolution[];
    readonly comments: readonly string[];
    readonly by: string;
  };
  "changeset.landing": {
    readonly landing: LandingId;
    readonly changeset: ChangeSetId;
    readonly target: string;
    /** `null`: the target branch does not exist yet. */
    readonly old: Oid | null;
    readonly new: Oid;
    readonly tree: Oid;
    readonly ref: string;
    /** This landing takes another one back. */
    readonly undoes?: LandingId;
    /** Where the run's line stands after it, when that is not `new`: the same with what the user has not committed. */
    readonly line?: Oid;
  };
  "changeset.landed": {
    readonly landing: LandingId;
    readonly changeset: ChangeSetId;
    readonly target: string;
    readonly commit: Oid;
    readonly files: readonly string[];
    /** Hooks that git would have run in the checkout that moved along, and that did not run. */
    readonly hooks?: readonly string[];
  };
  "changeset.held": {
    readonly changeset: ChangeSetId;
    readonly code: string;
    readonly sentence: string;
    readonly landing?: LandingId;
    /** Of `MERGE_DIFFERS`: the patch id of what would land, so that approving again approves this and nothing later. */
    readonly merge?: string;
  };
  "changeset.conflicted": { readonly changeset: ChangeSetId; readonly paths: readonly string[] };
  "changeset.dropped": { readonly changeset: ChangeSetId; readonly reason: string };

  "landing.undone": { readonly landing: LandingId; readonly commit: Oid; readonly by: LandingId };
  /** A landing that was begun and did not come about: nothing moved. */
  "landing.failed": { readonly landing: LandingId; readonly code: string; readonly sentence: string };

  "approval.requested": {
    readonly approval: ApprovalId;
    readonly kind: ApprovalKind;
    readonly agent: AgentId;
    readonly summary: string;
    readonly why?: string;
    readonly changeset?: ChangeSetId;
    readonly call?: string;
    readonly command?: string;
    readonly choices?: readonly string[];
    /** Of kind `effect`. */
    readonly effect?: CutEffect;
    /** Of kind `budget`. */
    readonly raise?: BudgetRaise;
    /** Of kind `plan`. */
    readonly plan?: PlanForecast;
    /** Of kind `reconcile`. */
    readonly conflict?: VerdictConflict;
  };
  "approval.decided": {
    readonly approval: ApprovalId;
    readonly decision: ApprovalDecision;
    readonly by: string;
    readonly scope: "once" | "run" | "project";
    readonly hunks?: HunkSelection;
    readonly amendments?: readonly HunkAmendment[];
    readonly resolutions?: readonly FileResolution[];
    readonly comment?: string;
    readonly message?: string;
    /** Sent back: its agent goes on from the target as that stands by then. */
    readonly bringsTarget?: boolean;
  };
  "approval.withdrawn": { readonly approval: ApprovalId; readonly reason: string };

  /** Subagents have said opposite things of one criterion for the same tree: what they said stands side by side, and the steps are blocked until it is settled. */
  "merge.conflicted": VerdictConflict;

  /** A command from outside that changed nothing. It is on record all the same, so that it does nothing when it is sent again later. */
  "command.answered": { readonly command: Json };
  /** What holds from here on in place of what the run was started with; what is absent stays. While nobody drives the run. */
  "options.set": {
    readonly options?: Partial<RunOptions>;
    readonly limits?: Partial<Limits>;
    /** Where the run lands. */
    readonly target?: Target;
    readonly finalTarget?: Target;
    /** Of the model that it asks from here on, and, whole, of those that roles have of their own. */
    readonly price?: EventData["run.created"]["price"];
    readonly rolePrices?: NonNullable<EventData["run.created"]["rolePrices"]>;
    /** The balances that are limited anew; what the run's limits are then is said by `budget.set`. */
    readonly budget?: Partial<Balances>;
    readonly wallMs?: number | null;
    readonly by: string;
  };
  /** The run's limits from here on; `null`: no limit. */
  "budget.set": {
    readonly limit: Balances;
    /** What subagents at work hold of it from here on, who began without a limit of that kind. */
    readonly slices?: LateSlices;
    readonly by: string;
  };
  /** The data of these events held a secret, and what stands in its place says so. `payload` is the hash that they still carry. */
  "payload.erased": { readonly payload: string; readonly events: readonly number[]; readonly reason: string };

  /** A model's server told so much less input than it was sent by estimate that it is charged at the estimate from here on. */
  "usage.doubted": { readonly model: string; readonly told: number; readonly estimated: number };
  "budget.warned": { readonly agent: AgentId; readonly balance: string; readonly used: number; readonly limit: number };
  "budget.exhausted": { readonly agent: AgentId; readonly balance: string };
}

export type EventType = keyof EventData;

/** An event as `decide` words it: whose stream, what, and the facts. Time, ordinal and hash are the commit's. */
export type DraftEvent = {
  [T in EventType]: { readonly agent: AgentId; readonly type: T; readonly data: EventData[T] };
}[EventType];

/** A committed event. `n` is its ordinal in the merged journal (from 1), `pos` the store's global order, `seq` its place in its own stream (from 1), `at` epoch ms. */
export type RunEvent = DraftEvent & {
  readonly n: number;
  readonly pos: number;
  readonly run: RunId;
  readonly root: RunId;
  readonly seq: number;
  readonly at: number;
  readonly version: number;
  readonly hash: string;
  /** Id of the command that this event came of, when it came from outside. */
  readonly command?: string;
};

export type EventOf<T extends EventType> = Extract<RunEvent, { readonly type: T }>;

/** The version in which each type is written today. A type that is absent is at 1. */
export const eventVersions: { readonly [T in EventType]?: number } = {};

export function versionOf(type: EventType): number {
  return eventVersions[type] ?? 1;
}
