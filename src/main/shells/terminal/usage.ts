// What the command line was asked for, read and checked: numbers, budgets, modes. A mistake is named with its option
// and what it takes; nothing has been started by then.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import {
  type ApprovalMode,
  type Balances,
  type CommandMode,
  type LandOn,
  type Limits,
  defaultLimits,
  type RunOptions,
} from "../../../shared/contract/options.ts";
import { parsePolicy, type Policy, rulePresets } from "../../../shared/contract/policy.ts";
import {
  delegations,
  type GroupLink,
  parseGroupLink,
  problemOfTeam,
  topologies,
} from "../../../shared/contract/topology.ts";
import type { Settings } from "../../../shared/contract/settings.ts";
import { type CapName, namedIn } from "../../runs/lowering.ts";
import { moneyLimit } from "../../runs/modelPrices.ts";
import { baseUrlOf } from "../../runs/modelServer.ts";
import { defaultSettings } from "../../settings/defaultSettings.ts";

/** Options of `run` as commander hands them on. */
export interface RunFlags {
  readonly repo?: string;
  readonly task?: string;
  readonly taskFile?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly approve: string;
  readonly commands: string;
  readonly network: string;
  readonly landOn: string;
  readonly policy: string;
  readonly topology?: string;
  readonly mayMessage?: readonly string[];
  readonly delegation?: string;
  readonly approvePlan?: boolean;
  readonly worktrees: string;
  readonly verify: readonly string[];
  readonly setup: readonly string[];
  readonly setupNetwork?: string;
  readonly repositoryCommands: string;
  readonly includeDirty?: boolean;
  readonly leadEdits?: boolean;
  /** False under `--no-workflow`. */
  readonly workflow?: boolean;
  readonly record?: string;
  readonly cassette?: string;
  readonly maxConcurrent?: string;
  readonly maxExecutors?: string;
  readonly maxSubagents?: string;
  readonly maxChain?: string;
  readonly maxSteps?: string;
  readonly budget?: string;
  readonly checkIntervalMs?: string;
  readonly maxSubagentMs?: string;
  readonly modelIdleMs?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface RunBudget {
  readonly balances: Balances;
  readonly wallMs: number | null;
}

export function usageError(message: string): WorkbenchError {
  return new WorkbenchError("BAD_USAGE", message);
}

/** The task's text, from `--task`, or `--task-file` (`-` = standard input), a path from `folder`. */
export function readTask(flags: Pick<RunFlags, "task" | "taskFile">, folder: string): string {
  const { task, taskFile } = flags;
  if (task !== undefined && taskFile !== undefined) throw usageError("Give either --task or --task-file, not both.");
  if (task === undefined && taskFile === undefined)
    throw usageError("Say what is to be done with --task TEXT or --task-file FILE.");
  const text = task ?? readText("--task-file", taskFile ?? "-", folder);
  if (text.trim() === "")
    throw usageError(
      task === undefined
        ? `The task in --task-file ${taskFile} is empty.`
        : "The task is empty; say what is to be done with --task TEXT.",
    );
  return text;
}

/** The key from `--api-key-file`, a path from `folder`, else from `OPENAI_API_KEY`; `null` when there is none. */
export function readKey(file: string | undefined, env: NodeJS.ProcessEnv, folder: string): string | null {
  const text = file === undefined ? env["OPENAI_API_KEY"] : readText("--api-key-file", file, folder);
  return text?.trim() || null;
}

function readText(option: string, file: string, folder: string): string {
  try {
    return readFileSync(file === "-" ? 0 : resolve(folder, file), "utf8");
  } catch (cause) {
    throw new WorkbenchError("BAD_USAGE", `${option} ${file} cannot be read (${reasonOf(cause)}).`, { cause });
  }
}

/** `isAttended`: somebody sits at a terminal and can be asked. */
export function readOptions(
  flags: RunFlags,
  env: NodeJS.ProcessEnv,
  isAttended: boolean,
  settings: Settings = defaultSettings,
): RunOptions {
  const { model, baseUrl } = readModel(flags, env, settings);
  requireAddress(baseUrl);
  return {
    model,
    baseUrl,
    approve: oneOf<ApprovalMode>("--approve", flags.approve, ["each", "final", "auto", "none"]),
    commands: oneOf<CommandMode>("--commands", flags.commands, ["ask", "allow", "deny"]),
    network: oneOf("--network", flags.network, ["on", "off"]),
    landOn: readLandOn(flags.landOn),
    worktrees: oneOf("--worktrees", flags.worktrees, ["on", "off"]),
    verify: readCommands("--verify", flags.verify),
    ...(flags.setup.length === 0 ? {} : { setup: readCommands("--setup", flags.setup) }),
    ...(flags.setupNetwork === undefined
      ? {}
      : { setupNetwork: oneOf("--setup-network", flags.setupNetwork, ["on", "off"]) }),
    ...readTeam(flags),
    isAttended,
  };
}

type TeamOptions = Pick<
  RunOptions,
  "workflow" | "leadEdits" | "policy" | "topology" | "mayMessage" | "delegation" | "approvePlan"
>;

/** Who works with whom, and on whose word. */
function readTeam(flags: RunFlags): TeamOptions {
  const { workflow, leadEdits, policy, topology, mayMessage, delegation, approvePlan } = flags;
  const team: TeamOptions = {
    ...(workflow === false ? { workflow: "off" } : {}),
    ...(leadEdits === true ? { leadEdits } : {}),
    policy: readPolicy(policy),
    ...(topology === undefined ? {} : { topology: oneOf("--topology", topology, topologies) }),
    ...(mayMessage === undefined ? {} : { mayMessage: mayMessage.map(readGroupLink) }),
    ...(delegation === undefined ? {} : { delegation: oneOf("--delegation", delegation, delegations) }),
    ...(approvePlan === true ? { approvePlan } : {}),
  };
  const problem = problemOfTeam(team);
  if (problem !== null) throw usageError(problem);
  return team;
}

/** `FROM:TO` of `--may-message`. */
function readGroupLink(text: string): GroupLink {
  const link = parseGroupLink(text, ":");
  if (link !== null) return link;
  throw usageError(`--may-message takes FROM:TO, two names of groups, such as web:api, not ${JSON.stringify(text)}.`);
}

function readPolicy(text: string): Policy {
  const policy = parsePolicy(text);
  if (policy !== null) return policy;
  const presets = rulePresets.map((preset) => `rules:${preset}`).join(", ");
  throw usageError(`--policy takes llm, rules, ${presets}, or template:NAME, not ${JSON.stringify(text)}.`);
}

const unnamedModel = { isModelUnnamed: true };

/** Whether nobody has named a model, so that those which are here help. */
export function isModelUnnamed(error: unknown): boolean {
  return error instanceof WorkbenchError && error.details === unnamedModel;
}

/** Flag before environment before settings: the address of the settings is that of their own model. */
function readModel(flags: RunFlags, env: NodeJS.ProcessEnv, { model, providers }: Settings) {
  const named = flags.model?.trim() === "" ? undefined : flags.model;
  if (named !== undefined) return { model: named, baseUrl: baseUrlOf(flags.baseUrl, env) };
  if (model === null)
    throw new WorkbenchError(
      "NO_MODEL",
      "No model is named: pass --model NAME, and --base-url URL (or set OPENAI_BASE_URL) for a server other than OpenAI's.",
      { details: unnamedModel },
    );
  const provider = providers.find(({ id }) => id === model.provider);
  const address = flags.baseUrl ?? (env["OPENAI_BASE_URL"]?.trim() || provider?.baseUrl);
  return { model: model.name, baseUrl: baseUrlOf(address, env) };
}

/** It is stored with the run, so a secret in it is refused here; the message repeats none. */
export function requireAddress(baseUrl: string): void {
  const url = URL.parse(baseUrl.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WorkbenchError(
      "ENDPOINT_INVALID",
      "--base-url takes the address of a model server, such as http://127.0.0.1:11434/v1 or https://api.openai.com/v1.",
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new WorkbenchError(
      "ENDPOINT_INVALID",
      `--base-url: leave user name, password and query out of the address of ${url.host}; a key comes from OPENAI_API_KEY or --api-key-file.`,
    );
  }
}

/** What is not named is as the settings have it. */
export function readLimits(flags: RunFlags, { run }: Settings = defaultSettings): Limits {
  const { maxConcurrent, maxExecutors, maxSubagents, maxChain, leadSteps } = run;
  const named = readLimitFlags(flags);
  return {
    ...defaultLimits,
    maxConcurrent,
    maxExecutors,
    maxSubagents,
    maxChain,
    ...named,
    leadSteps: named.maxSteps ?? leadSteps,
  };
}

type LimitFlags = Pick<
  RunFlags,
  | "maxConcurrent"
  | "maxExecutors"
  | "maxSubagents"
  | "maxChain"
  | "maxSteps"
  | "checkIntervalMs"
  | "maxSubagentMs"
  | "modelIdleMs"
>;

const limitOptions = {
  maxConcurrent: "--max-concurrent",
  maxExecutors: "--max-executors",
  maxSubagents: "--max-subagents",
  maxChain: "--max-chain",
  maxSteps: "--max-steps",
  checkIntervalMs: "--check-interval-ms",
  maxSubagentMs: "--max-subagent-ms",
  modelIdleMs: "--model-idle-ms",
} as const satisfies { readonly [Name in keyof Required<LimitFlags>]: string };

/** The limits that were named. */
export function readLimitFlags(flags: LimitFlags): Readonly<Partial<Record<keyof LimitFlags, number>>> {
  const limits: Partial<Record<keyof LimitFlags, number>> = {};
  for (const [name, option] of Object.entries(limitOptions) as [keyof LimitFlags, string][]) {
    const number = count(option, flags[name]);
    if (number !== undefined) limits[name] = number;
  }
  return limits;
}

/** What bounds the run by its own flags: a repository does not lower that. */
export function readNamed(flags: RunFlags): readonly CapName[] {
  const { wallMs, ...budget } = readAmounts(flags.budget);
  return namedIn({ limits: readLimitFlags(flags), budget, wallMs });
}

/** What becomes of the commands that the repository brings. */
export function readRepositoryCommands({ repositoryCommands }: RunFlags): "ask" | "trust" | "skip" {
  return oneOf("--repository-commands", repositoryCommands, ["ask", "trust", "skip"]);
}

const budgetKeys = ["steps", "toolCalls", "inputTokens", "outputTokens", "costUsd", "wallMs"] as const;

/** `steps=…,toolCalls=…,costUsd=…`; what is not named is as the settings have it. `unpriced`: a model whose price is not known, which money cannot be limited beside (`NO_PRICE`). */
export function readBudget(
  text: string | undefined,
  unpriced: string | null,
  { run: { budget: usual } }: Settings = defaultSettings,
): RunBudget {
  const { wallMs, ...asked } = readAmounts(text);
  const costMicros = moneyLimit(asked.costMicros, usual.costMicros, unpriced);
  if (!costMicros.ok) throw new WorkbenchError(costMicros.error.code, costMicros.error.message);
  return {
    balances: {
      steps: asked.steps ?? usual.steps,
      toolCalls: asked.toolCalls ?? usual.toolCalls,
      inputTokens: asked.inputTokens ?? usual.inputTokens,
      outputTokens: asked.outputTokens ?? usual.outputTokens,
      costMicros: costMicros.value,
    },
    wallMs: wallMs ?? usual.wallMs,
  };
}

/** The balances that `--budget` names, money in millionths of a US dollar, and the wall time in ms. */
export function readAmounts(text: string | undefined): Partial<Balances<number>> & { readonly wallMs?: number } {
  const asked = new Map<string, number>();
  for (const part of text === undefined ? [] : text.split(",")) {
    const at = part.indexOf("=");
    const key = part.slice(0, Math.max(0, at)).trim();
    if (!budgetKeys.some((known) => known === key))
      throw usageError(
        `--budget: there is no ${JSON.stringify(at === -1 ? part : key)}; it takes ${budgetKeys.map((known) => `${known}=…`).join(",")}.`,
      );
    if (asked.has(key)) throw usageError(`--budget: ${key} is named twice.`);
    asked.set(key, amountOf(key, part.slice(at + 1).trim()));
  }
  const { costUsd, ...counts } = Object.fromEntries(asked);
  return { ...counts, ...(costUsd === undefined ? {} : { costMicros: Math.round(costUsd * 1_000_000) }) };
}

function amountOf(key: string, text: string): number {
  const isMoney = key === "costUsd";
  const amount = (isMoney ? /^\d+(\.\d+)?$/ : /^\d+$/).test(text) ? Number(text) : 0;
  if (amount <= 0 || amount > Number.MAX_SAFE_INTEGER)
    throw usageError(`--budget ${key}=${text}: it takes a ${isMoney ? "positive amount" : "whole number from 1"}.`);
  return amount;
}

/** `FILE:1,3` entries of `--hunks` as a selection by path. */
export function readHunks(entries: readonly string[]): Readonly<Record<string, readonly number[]>> | undefined {
  if (entries.length === 0) return undefined;
  const selection: Record<string, readonly number[]> = {};
  for (const entry of entries) {
    const at = entry.lastIndexOf(":");
    const file = entry.slice(0, Math.max(0, at));
    const numbers = entry.slice(at + 1).split(",");
    if (file === "" || numbers.some((number) => !/^[1-9]\d{0,8}$/.test(number))) {
      throw usageError(
        `--hunks ${entry}: it takes FILE:1,3; the hunks of a file are numbered from 1, in the order of coppice diff.`,
      );
    }
    // Named again, a file adds to what was named before.
    selection[file] = [...new Set([...(selection[file] ?? []), ...numbers.map(Number)])];
  }
  return selection;
}

/** Shell lines as they were given. A blank one would pass whatever there is, and one that is an option has swallowed it. */
export function readCommands(option: string, lines: readonly string[]): readonly string[] {
  for (const line of lines) {
    if (line.trim() === "") throw usageError(`${option} takes a command; this one is empty.`);
    if (line.startsWith("--")) throw usageError(`${option} takes a command, not ${JSON.stringify(line)}.`);
  }
  return lines;
}

/** A whole number from 1; `undefined` when the option was not given. */
export function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < 1)
    throw usageError(`${option} takes a whole number from 1, not ${JSON.stringify(text)}.`);
  return number;
}

/** How far the approval of a command reaches. */
export function readScope(text: string): "once" | "run" | "project" {
  return oneOf("--scope", text, ["once", "run", "project"]);
}

/** Where approved changes go: `run-branch`, `current` or `branch:NAME`. */
export function readLandOn(text: string): LandOn {
  if (text === "run-branch" || text === "current") return { kind: text };
  const name = /^branch:(.+)$/.exec(text)?.[1];
  if (name !== undefined) return { kind: "branch", name };
  throw usageError(`--land-on takes run-branch, current or branch:NAME, not ${JSON.stringify(text)}.`);
}

/** The value of an option that takes one of these words. */
export function oneOf<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw usageError(`${option} takes ${allowed.join(", ")}, not ${JSON.stringify(text)}.`);
  return found;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
