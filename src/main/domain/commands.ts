// Everything that can be asked of a run, as data. Imperative: a command may be refused, an event has happened.

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { AgentId, ApprovalId, ChangeSetId, LandingId, Oid, RunId, SubagentId } from "../../shared/contract/ids.ts";
import type { BalanceName, Balances } from "../../shared/contract/options.ts";
import type { FileResolution } from "../../shared/contract/resolutions.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { EventData } from "./events.ts";
import type {
  ConditionVerdict,
  ApprovalDecision,
  ApprovalKind,
  EffectClass,
  EffectRank,
  EvidenceMark,
  FileChange,
  HunkSelection,
  PlanStatus,
  PromptKind,
  RepositoryFacts,
  SubagentResult,
  Target,
  ToolCall,
  ToolOutcome,
  Usage,
} from "./records.ts";
import type { Overrides } from "./overrides.ts";
import type { Capacity } from "./graph/schedule.ts";
import type { RoleTable } from "./roles.ts";

/** What the lead states under a policy of rules: condition → verdict, with what shows it. */
export type Independence = Readonly<Record<string, { readonly verdict: ConditionVerdict; readonly evidence: string }>>;

/** Arguments of `spawnSubagent`, checked for type at the edge. */
export interface SpawnArguments {
  readonly task: string;
  readonly role?: string | undefined;
  readonly dependsOn?:
    | readonly (
        | string
        | {
            readonly id: string;
            readonly until?: "completed" | "proposed" | undefined;
            readonly because?: string | undefined;
          }
      )[]
    | undefined;
  readonly toolHints?: readonly string[] | undefined;
  readonly context?: string | undefined;
  readonly constraints?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly maxSteps?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly budget?:
    | ({ readonly [K in Exclude<keyof Balances, "costMicros">]?: number | undefined } & {
        readonly costUsd?: number | undefined;
      })
    | undefined;
  readonly outputSchema?: Json | undefined;
  readonly model?: string | undefined;
  readonly step?: string | undefined;
  readonly criteria?: readonly string[] | undefined;
  readonly independence?: Independence | undefined;
  readonly replaces?: string | undefined;
  readonly reason?: string | undefined;
  readonly group?: string | undefined;
  readonly mayMessage?: readonly string[] | undefined;
}

export interface WaitArguments {
  readonly subagentIds: readonly string[];
  readonly mode?: "all" | "any" | undefined;
  readonly until?: "proposed" | "completed" | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A step as the lead plans it; what shows that it is done is for the system to find. */
export interface PlannedStep {
  readonly id: string;
  readonly title: string;
  readonly status: PlanStatus;
  readonly criteria?: readonly string[] | undefined;
  readonly role?: string | undefined;
  readonly blockedBy?: readonly string[] | undefined;
}

/** A call of a control tool: a command, not an effect. Its answer is committed with its event. */
export type ControlCall =
  | { readonly tool: "spawnSubagent"; readonly input: SpawnArguments }
  | { readonly tool: "waitForSubagents"; readonly input: WaitArguments }
  | { readonly tool: "cancelSubagent"; readonly input: { readonly subagentId: string } }
  | { readonly tool: "peekSubagents"; readonly input: Record<string, never> }
  | { readonly tool: "messageSubagent"; readonly input: { readonly subagentId: string; readonly text: string } }
  | { readonly tool: "messagePeer"; readonly input: { readonly to: string; readonly text: string } }
  | { readonly tool: "updatePlan"; readonly input: { readonly steps: readonly PlannedStep[] } }
  | { readonly tool: "note"; readonly input: { readonly kind: string; readonly text: string } }
  | {
      readonly tool: "askPerson";
      readonly input: { readonly question: string; readonly choices?: readonly string[] | undefined };
    };

export type Command =
  | { readonly type: "run.create"; readonly run: RunId; readonly data: EventData["run.created"] }
  | { readonly type: "run.start"; readonly epoch: number }
  /** Places that other runs held have come free: what waits for them is admitted anew. */
  | { readonly type: "run.admit" }
  /** Options that are to hold from here on. Before the run is recovered, so that nothing goes on under the former ones. */
  | { readonly type: "run.override"; readonly overrides: Overrides }
  /** `pauses`: what a crash cut is settled, and nothing goes on until somebody says so. */
  | { readonly type: "run.recover"; readonly epoch: number; readonly pauses?: boolean }
  | { readonly type: "run.interrupt"; readonly reason: string }
  | { readonly type: "run.cancel"; readonly by: string; readonly commandId?: string }
  | { readonly type: "run.pause"; readonly commandId?: string }
  | { readonly type: "run.resume"; readonly commandId?: string }
  /** At any time, also after the stop: a name changes nothing of the work. */
  | { readonly type: "run.rename"; readonly title: string; readonly by: string; readonly commandId?: string }
  /** At any time, also after the stop: the run's repository was moved to where `repository` says. */
  | {
      readonly type: "run.rebind";
      readonly repository: RepositoryFacts;
      readonly by: string;
      readonly commandId?: string;
    }
  | {
      readonly type: "run.input";
      readonly text: string;
      readonly from: string;
      readonly to: AgentId;
      readonly commandId?: string;
    }
  /** A person writes on the run's notepad, or takes a note back: the one that was added at that ordinal. */
  | {
      readonly type: "note.add";
      readonly kind: string;
      readonly text: string;
      readonly by: string;
      readonly commandId?: string;
    }
  | { readonly type: "note.retract"; readonly note: number; readonly by: string; readonly commandId?: string }
  /** The clock says that the run's wall time is over. */
  | { readonly type: "run.expire" }
  /** Everything that the run owed is done and cleaned up. */
  | { readonly type: "run.stop" }
  | {
      readonly type: "agent.request";
      readonly agent: AgentId;
      readonly model: string;
      readonly estimate: Balances<number>;
      readonly isCostKnown: boolean;
      readonly isForced: boolean;
      /** The balance that bears no ordinary turn beside a last one; absent where the turn is the last for another reason. */
      readonly forcedBy?: BalanceName;
      readonly prompt?: { readonly kind: PromptKind; readonly text: string };
    }
  | {
      readonly type: "agent.complete";
      readonly agent: AgentId;
      readonly request: string;
      readonly text: string;
      readonly reasoning: string;
      readonly toolCalls: readonly ToolCall[];
      readonly finish: string;
      readonly usage: Usage | null;
      readonly costMicros: number | null;
    }
  /** The answer to a request for a summary: it stands for the turns up to an ordinal. Tokens before and after. */
  | {
      readonly type: "agent.summarize";
      readonly agent: AgentId;
      readonly request: string;
      readonly text: string;
      readonly reasoning: string;
      readonly finish: string;
      readonly usage: Usage | null;
      readonly costMicros: number | null;
      readonly upTo: number;
      readonly summary: string;
      readonly from: number;
      readonly to: number;
      readonly ledger?: string;
    }
  | {
      readonly type: "agent.failRequest";
      readonly agent: AgentId;
      readonly request: string;
      readonly code: string;
      readonly message: string;
      readonly text: string;
      readonly isFinal: boolean;
      readonly wasCharged: boolean;
    }
  | {
      readonly type: "agent.retry";
      readonly agent: AgentId;
      readonly request: string;
      readonly attempt: number;
      readonly waitMs: number;
      readonly reason: string;
    }
  /** Old outputs are left out of the conversation from here on; tokens before and after. */
  | {
      readonly type: "agent.compact";
      readonly agent: AgentId;
      readonly from: number;
      readonly to: number;
      readonly calls: readonly string[];
      readonly ledger?: string;
    }
  | { readonly type: "agent.loseRequest"; readonly agent: AgentId }
  | { readonly type: "agent.control"; readonly agent: AgentId; readonly call: string; readonly control: ControlCall }
  | {
      readonly type: "agent.refuse";
      readonly agent: AgentId;
      readonly call: string;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly type: "agent.dispatch";
      readonly agent: AgentId;
      readonly call: string;
      readonly effect: EffectRank;
      readonly class: EffectClass;
      readonly input: Json;
    }
  | {
      readonly type: "agent.settle";
      readonly agent: AgentId;
      readonly call: string;
      readonly outcome: ToolOutcome;
      readonly exitCode?: number | null;
      readonly durationMs: number;
      readonly output: string;
      readonly code?: string;
      readonly resultHash: string;
      readonly seen?: { readonly [path: string]: string | null };
      readonly changedState?: boolean;
    }
  /** Nobody can know whether a dispatched call took effect: a person is asked. */
  | {
      readonly type: "effect.ask";
      readonly agent: AgentId;
      readonly call: string;
      readonly because: string;
      readonly files: readonly string[];
      readonly output?: string;
    }
  | {
      readonly type: "agent.submit";
      readonly agent: SubagentId;
      readonly call: string | null;
      readonly result: SubagentResult;
      readonly schema: "ok" | "unstructured";
      readonly marks: readonly EvidenceMark[];
    }
  /** A result that does not fit its schema goes back with the errors. */
  | {
      readonly type: "agent.repair";
      readonly agent: SubagentId;
      readonly call: string;
      readonly errors: readonly string[];
    }
  | { readonly type: "agent.fail"; readonly agent: AgentId; readonly code: string; readonly sentence: string }
  | {
      readonly type: "agent.check";
      readonly agent: SubagentId;
      readonly verdict: EventData["subagent.checked"]["verdict"];
      readonly reason: string;
      readonly code?: string;
    }
  /** The lead spoke its last word while children are still at work and it has been reminded of them. */
  | { readonly type: "lead.abandonChildren" }
  | {
      readonly type: "node.settle";
      readonly agent: SubagentId;
      readonly childHead: string;
      readonly diagnostic?: string;
    }
  | {
      readonly type: "place.create";
      readonly agent: AgentId;
      readonly path: string;
      readonly root: Oid;
      readonly copied?: readonly string[];
      readonly pointers?: number;
      readonly durationMs: number;
    }
  /** A set-up command has ended in a worktree that stands. */
  | {
      readonly type: "place.provision";
      readonly agent: AgentId;
      readonly run: Required<Omit<EventData["worktree.provisioned"], "copied" | "pointers">>;
    }
  | {
      readonly type: "place.pin";
      readonly agent: AgentId;
      readonly path: string;
      readonly ref: string;
      readonly commit: Oid;
      readonly reason: string;
    }
  | { readonly type: "place.remove"; readonly agent: AgentId; readonly path: string }
  /** The target was brought into the worktree, as the change set was sent back for. */
  | {
      readonly type: "place.rebase";
      readonly agent: AgentId;
      readonly path: string;
      readonly changeset: ChangeSetId;
      readonly root: Oid;
      readonly conflicts: readonly string[];
    }
  | {
      readonly type: "changeset.propose";
      readonly agent: AgentId;
      readonly base: Oid;
      readonly commit: Oid;
      readonly tree: Oid;
      readonly ref: string;
      readonly files: readonly FileChange[];
      readonly leftOut?: readonly string[];
    }
  | {
      readonly type: "changeset.empty";
      readonly agent: AgentId;
      readonly base: Oid;
      readonly leftOut?: readonly string[];
    }
  | {
      readonly type: "verification.record";
      readonly agent: AgentId;
      readonly run: Omit<EventData["verification.ran"], "by">;
    }
  /** All verification commands have run (or there are none). */
  | { readonly type: "verification.close"; readonly agent: AgentId }
  | {
      readonly type: "approval.request";
      readonly agent: AgentId;
      readonly kind: ApprovalKind;
      readonly summary: string;
      readonly why?: string;
      readonly call?: string;
      readonly command?: string;
    }
  | {
      readonly type: "approval.decide";
      readonly approval: ApprovalId;
      readonly decision: ApprovalDecision;
      readonly by: string;
      /** How far the approval of a command reaches. */
      readonly scope?: "once" | "run" | "project";
      readonly hunks?: HunkSelection;
      readonly amendments?: readonly HunkAmendment[];
      readonly resolutions?: readonly FileResolution[];
      readonly comment?: string;
      readonly message?: string;
      /** Of a change set that is sent back: with the target brought into its worktree. */
      readonly bringsTarget?: boolean;
      readonly commandId?: string;
    }
  | {
      readonly type: "landing.begin";
      readonly changeset: ChangeSetId;
      readonly old: Oid | null;
      readonly new: Oid;
      readonly tree: Oid;
      readonly line?: Oid;
    }
  | {
      readonly type: "landing.finish";
      readonly changeset: ChangeSetId;
      readonly commit: Oid;
      readonly files: readonly string[];
      readonly hooks?: readonly string[];
    }
  | {
      readonly type: "landing.hold";
      readonly changeset: ChangeSetId;
      readonly code: string;
      readonly sentence: string;
      readonly conflicts?: readonly string[];
      readonly merge?: string;
    }
  | { readonly type: "landing.retry"; readonly changeset: ChangeSetId; readonly by: string }
  /** The run's whole branch, for one review onto a target. */
  | {
      readonly type: "line.propose";
      readonly commit: Oid;
      readonly tree: Oid;
      readonly ref: string;
      readonly files: readonly FileChange[];
      readonly target: Target;
    }
  | {
      readonly type: "undo.begin";
      readonly landing: LandingId;
      readonly old: Oid;
      readonly new: Oid;
      readonly tree: Oid;
      readonly line?: Oid;
    }
  | { readonly type: "undo.finish"; readonly landing: LandingId; readonly commit: Oid }
  | { readonly type: "undo.fail"; readonly landing: LandingId; readonly code: string; readonly sentence: string };

/** What the world is like at the moment of a decision. The core asks no clock and invents no id. */
export interface Facts {
  /** Epoch ms. */
  readonly now: number;
  readonly roles: RoleTable;
  readonly capacity: Capacity;
  /** Where worktrees of this run live, absolute; a node's own folder is a name below it. */
  readonly placesFolder: string;
  readonly epoch: number;
  /** Whether this process drives the run, or only records a decision: then nothing starts and nothing goes on. */
  readonly isDriving: boolean;
  /** SHA-256 of a text, hex: a pure function that the core has no library for. */
  hash(text: string): string;
  /** What a model that the run has no price of costs where the run asks it, by the settings of the moment: micros a million tokens; `null`: not known. */
  priceOf(model: string): EventData["run.created"]["price"];
}

export interface Rejection {
  readonly code: string;
  readonly sentence: string;
}
