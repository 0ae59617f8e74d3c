// What a run is started with. Stored with the run (never a key), and what `resume` goes by.

import type { Policy } from "./policy.ts";
import type { Delegation, GroupLink, Topology } from "./topology.ts";

/** Who lets a change set land. `auto`: verified, inside its claim, no protected path; everything else asks as under `each`. `final`: such ones land on the run's own branch unasked, and one review decides about the target. `none`: all stay open. */
export type ApprovalMode = "each" | "final" | "auto" | "none";

/** Who lets a command run. The sandbox holds under each of them. */
export type CommandMode = "ask" | "allow" | "deny";

/** Where approved change sets go. `run-branch` is a branch of the run's own, `current` the one checked out at assignment, by name. */
export type LandOn =
  | { readonly kind: "run-branch" }
  | { readonly kind: "current" }
  | { readonly kind: "branch"; readonly name: string };

/** Limits that a person may set for the run as a whole, `null` = no limit. Money in millionths of a US dollar. */
export interface Balances<T = number | null> {
  readonly steps: T;
  readonly toolCalls: T;
  readonly inputTokens: T;
  readonly outputTokens: T;
  readonly costMicros: T;
}

export type BalanceName = keyof Balances;
export const balanceNames = [
  "steps",
  "toolCalls",
  "inputTokens",
  "outputTokens",
  "costMicros",
] as const satisfies readonly BalanceName[];

export interface RunOptions {
  readonly model: string;
  /** By role: the model of its subagents, unless the lead names one. Of a role that is not here: that of its file, else the run's. */
  readonly roleModels?: { readonly [role: string]: string };
  /** By model, other than the run's own: the base URL of its server, where that is not the run's. Set by a person; never a key. Absent: all are at `baseUrl`. */
  readonly modelServers?: { readonly [model: string]: string };
  readonly baseUrl: string;
  readonly approve: ApprovalMode;
  readonly commands: CommandMode;
  readonly network: "on" | "off";
  readonly landOn: LandOn;
  readonly worktrees: "on" | "off";
  readonly verify: readonly string[];
  /** Run in each new worktree before its agent's first turn. Absent: none. */
  readonly setup?: readonly string[];
  /** Whether set-up has the network. Absent: as `network`, which is that of agents' commands and of checks. */
  readonly setupNetwork?: "on" | "off";
  /** `off`: the lead works alone, with an executor's tools in a worktree of its own. */
  readonly workflow?: "off";
  /** The lead may edit and run commands itself, in a worktree of its own. */
  readonly leadEdits?: true;
  /** Who decides what works side by side. Absent = `llm`. */
  readonly policy?: Policy;
  /** How its members stand to each other. Absent = `supervisor`. */
  readonly topology?: Topology;
  /** Under `groups`: who may write to whom beside their own group, on a person's word. Absent: as the lead says in each packet. */
  readonly mayMessage?: readonly GroupLink[];
  /** How keen the lead is to delegate. Absent = `prefer`. */
  readonly delegation?: Delegation;
  /** Nothing is handed off before a person has approved the plan. */
  readonly approvePlan?: true;
  /** Answers come from this recording in place of a server: an absolute path. `null` or absent: from the server. */
  readonly cassette?: string | null;
  /** The model's answers are recorded here: an absolute path. `null` or absent: nowhere. */
  readonly record?: string | null;
  /** Somebody can be asked while the run goes: a terminal, a window. */
  readonly isAttended: boolean;
}

/** Numbers of the scheduler and the liveness checks, each a setting. Durations in ms. */
export interface Limits {
  readonly maxSubagents: number;
  readonly maxChain: number;
  readonly maxConcurrent: number;
  readonly maxExecutors: number;
  readonly maxPerModel: number;
  readonly maxOverAllRuns: number;
  /** Replaces every role's own number when set. */
  readonly maxSteps: number | null;
  readonly leadSteps: number;
  readonly checkIntervalMs: number;
  readonly maxSubagentMs: number;
  readonly modelIdleMs: number;
  readonly modelFirstEventMs: number;
}

/** What a run may use when nobody says otherwise: turns, money where a price is known (millionths of a US dollar), wall time in ms. */
export const defaultBudget = { steps: 400, costMicros: 5_000_000, wallMs: 2 * 60 * 60_000 } as const;

export const defaultLimits: Limits = {
  maxSubagents: 50,
  maxChain: 3,
  maxConcurrent: 10,
  maxExecutors: 4,
  maxPerModel: 8,
  maxOverAllRuns: 20,
  maxSteps: null,
  leadSteps: 100,
  checkIntervalMs: 60_000,
  maxSubagentMs: 30 * 60_000,
  modelIdleMs: 30_000,
  modelFirstEventMs: 120_000,
};
