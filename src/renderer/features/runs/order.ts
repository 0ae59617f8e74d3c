// The form of a new run and the command that it becomes. Pure.

import type { RepositoryPage } from "../../../shared/contract/care.ts";
import type { StartRun } from "../../../shared/contract/commands.ts";
import type { ApprovalMode, CommandMode } from "../../../shared/contract/options.ts";
import { parsePolicy } from "../../../shared/contract/policy.ts";
import type { AssignmentPage } from "../../../shared/contract/runPages.ts";
import {
  clashOf,
  type GroupLink,
  parseGroupLink,
  type TeamClash,
  topologies,
  type Topology,
} from "../../../shared/contract/topology.ts";

export interface Draft {
  readonly folder: string;
  readonly task: string;
  readonly model: string;
  /** Empty: what the environment says. */
  readonly baseUrl: string;
  /** Models that roles have of their own; `null`: as the settings say. */
  readonly roleModels: Readonly<Record<string, string>> | null;
  /** `team`: the lead sends subagents. `leadEdits`: it also edits itself. `direct`: it edits itself, and a subagent needs a reason. `alone`: it works without any. */
  readonly workers: "team" | "leadEdits" | "direct" | "alone";
  readonly topology: Topology;
  /** Under groups: who may write to whom, such as `web > api`, one a line; empty: the lead says. */
  readonly mayMessage: string;
  /** Nothing is handed off before the plan is approved. */
  readonly approvePlan: boolean;
  /** As on the command line: `llm`, `rules:PRESET`, `template:NAME`. */
  readonly policy: string;
  readonly approve: ApprovalMode;
  readonly commands: CommandMode;
  readonly landOn: "run-branch" | "current" | "branch";
  readonly branch: string;
  /** One command a line; empty: what the repository brings. */
  readonly verify: string;
  readonly setup: string;
  /** Whether set-up has the network; `null`: as what the repository brings asks for, and else as all commands. */
  readonly setupNetwork: "on" | "off" | null;
  /** The commands that the repository brings are left out. */
  readonly skipsCommands: boolean;
  /** The uncommitted changes are part of the base. */
  readonly includesDirty: boolean;
  /** Dollars, turns and minutes as they were typed; empty: what the settings say. */
  readonly money: string;
  readonly steps: string;
  readonly minutes: string;
  /** What else holds, where the form repeats an earlier run; `null`: the usual. */
  readonly rest: Rest | null;
}

/** What the form has no field for. */
export type Rest = Pick<AssignmentPage, "network" | "worktrees" | "limits" | "budget" | "wallMs">;

export const emptyDraft: Draft = {
  folder: "",
  task: "",
  model: "",
  baseUrl: "",
  roleModels: null,
  workers: "team",
  topology: "supervisor",
  mayMessage: "",
  approvePlan: false,
  policy: "llm",
  approve: "each",
  commands: "ask",
  landOn: "run-branch",
  branch: "",
  verify: "",
  setup: "",
  setupNetwork: null,
  skipsCommands: false,
  includesDirty: false,
  money: "",
  steps: "",
  minutes: "",
  rest: null,
};

/** What is missing before it can start, in words; `null` when nothing is. */
export function missingIn(draft: Draft): string | null {
  const { folder, task, model, landOn, branch, approve, money, steps, minutes } = draft;
  if (folder.trim() === "") return "Name the repository's folder.";
  if (task.trim() === "") return "Say what is to be done.";
  if (model.trim() === "") return "Name a model.";
  if (landOn === "branch" && branch.trim() === "") return "Name the branch to land on.";
  if (approve === "final" && landOn === "run-branch")
    return "One review at the end needs a branch to land on other than the run's own.";
  const clash = clashOf(teamOf(draft));
  if (clash !== null) return clashWords[clash];
  // One agent alone has no groups, and what was once written of them is neither shown nor sent.
  const isGrouped = draft.workers !== "alone" && draft.topology === "groups";
  const link = isGrouped ? linesOf(draft.mayMessage).find((line) => readLink(line) === null) : undefined;
  if (link !== undefined) return `“${link}” is not two groups, such as web > api.`;
  if (money.trim() !== "" && !(isNumber(money) && Number(money) > 0)) return "The money is no amount, such as 2.50.";
  if ([steps, minutes].some((text) => text.trim() !== "" && !/^[1-9]\d{0,8}$/.test(text.trim())))
    return "Turns and minutes are whole numbers from 1.";
  return null;
}

const clashWords: Readonly<Record<TeamClash, string>> = {
  aloneDelegates: "One agent alone has nobody to delegate to.",
  aloneRules: "One agent alone has nobody to rule over.",
  coordinatorEdits: "A coordinator has no working tools, so it cannot edit: choose subagents, or another team.",
  fixedTeam: "A template fixes who works on what: choose a supervisor or a coordinator.",
  listWithoutGroups: "Who may write to whom is said of groups alone.",
};

/** Who works with whom, and on whose word. One agent alone has nobody to hold to any of it. */
function teamOf({ workers, topology, mayMessage, approvePlan, policy: text }: Draft) {
  if (workers === "alone") return { workflow: "off" } as const;
  const policy = parsePolicy(text);
  const links = topology === "groups" ? linesOf(mayMessage).flatMap((line) => readLink(line) ?? []) : [];
  return {
    ...(workers === "leadEdits" ? ({ leadEdits: true } as const) : {}),
    ...(workers === "direct" ? ({ delegation: "direct" } as const) : {}),
    ...(topology === "supervisor" ? {} : { topology }),
    ...(links.length === 0 ? {} : { mayMessage: links }),
    ...(approvePlan ? ({ approvePlan: true } as const) : {}),
    ...(policy === null ? {} : { policy }),
  };
}

function readLink(line: string): GroupLink | null {
  return parseGroupLink(line.replace(/[→]|->/, ">"), ">");
}

/** What the repository still waits for before it can start there, in words; `null`: nothing. */
export function untrustedIn({ verify, setup, skipsCommands }: Draft, page: RepositoryPage | null): string | null {
  if (page === null || skipsCommands || page.configuration.isTrusted) return null;
  const { commands } = page.configuration;
  const used = [
    ...(linesOf(setup).length > 0 ? [] : commands.setup),
    ...(linesOf(verify).length > 0 ? [] : commands.verify),
  ];
  return used.length === 0 ? null : "The repository brings commands: trust them, or leave them out.";
}

/** The commands of a field, one a line. */
export function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export function orderOf(draft: Draft): StartRun {
  const { folder, task, model, baseUrl, approve, commands, landOn, branch, includesDirty, minutes, rest } = draft;
  const checks = linesOf(draft.verify);
  const setup = linesOf(draft.setup);
  const budget = { ...rest?.budget, ...budgetOf(draft) };
  return {
    type: "startRun",
    folder: folder.trim(),
    task: task.trim(),
    model: model.trim(),
    ...(baseUrl.trim() === "" ? {} : { baseUrl: baseUrl.trim() }),
    ...(draft.roleModels === null ? {} : { roleModels: draft.roleModels }),
    ...teamOf(draft),
    approve,
    commands,
    landOn: landOn === "branch" ? { kind: "branch", name: branch.trim() } : { kind: landOn },
    ...(checks.length === 0 ? {} : { verify: checks }),
    ...(setup.length === 0 ? {} : { setup }),
    ...(draft.setupNetwork === null ? {} : { setupNetwork: draft.setupNetwork }),
    ...(draft.skipsCommands ? { repositoryCommands: "skip" } : {}),
    ...(includesDirty ? { includesDirty } : {}),
    ...rest,
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(minutes.trim() === "" ? {} : { wallMs: Number(minutes) * 60_000 }),
  };
}

function budgetOf({ money, steps }: Draft) {
  return {
    ...(money.trim() === "" ? {} : { costMicros: Math.round(Number(money) * 1_000_000) }),
    ...(steps.trim() === "" ? {} : { steps: Number(steps) }),
  };
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text.trim());
}

/** Choices that are kept from one run in a repository to the next. */
const kept = [
  "model",
  "baseUrl",
  "workers",
  "topology",
  "mayMessage",
  "policy",
  "approve",
  "commands",
  "landOn",
  "branch",
  "verify",
  "setup",
  "money",
  "steps",
  "minutes",
];

/** What a form in this repository begins with: what was chosen there last, over `usual`. `text` is what `rememberable` wrote. */
export function recall(text: string | null, usual: Draft = emptyDraft): Draft {
  try {
    const held: unknown = JSON.parse(text ?? "{}");
    if (typeof held !== "object" || held === null) return usual;
    const fields = Object.entries(held).filter(([name, value]) => typeof value === "string" && isAllowed(name, value));
    return { ...usual, ...Object.fromEntries(fields) };
  } catch {
    // Another version, or another hand, wrote it: begin afresh.
    return usual;
  }
}

function isAllowed(name: string, value: string): boolean {
  if (name === "workers") return ["team", "leadEdits", "direct", "alone"].includes(value);
  if (name === "topology") return topologies.some((topology) => topology === value);
  if (name === "policy") return parsePolicy(value) !== null;
  if (name === "approve") return ["each", "final", "auto", "none"].includes(value);
  if (name === "commands") return ["ask", "allow", "deny"].includes(value);
  if (name === "landOn") return ["run-branch", "current", "branch"].includes(value);
  return kept.includes(name);
}

export function rememberable(draft: Draft): string {
  return JSON.stringify(Object.fromEntries(Object.entries(draft).filter(([name]) => kept.includes(name))));
}
