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
import type { Settings } from "../../../shared/contract/settings.ts";
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
  readonly worktrees: string;
  readonly verify: readonly string[];
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
    verify: flags.verify,
    ...readWorkflow(flags),
    policy: readPolicy(flags.policy),
    isAttended,
  };
}

/** Who may edit beside subagents. One agent alone has nobody to hold to a policy. */
function readWorkflow({ workflow, leadEdits, policy }: RunFlags): Pick<RunOptions, "workflow" | "leadEdits"> {
  if (workflow !== false) return leadEdits === true ? { leadEdits } : {};
  if (policy !== "llm")
    throw usageError(
      `--no-workflow is one agent alone, so --policy ${policy} has nobody to rule over; leave one of them out.`,
    );
  return { workflow: "off" };
}

function readPolicy(text: string): Policy {
  const policy = parsePolicy(text);
  if (policy !== null) return policy;
  const presets = rulePresets.map((preset) => `rules:${preset}`).join(", ");
  throw usageError(`--policy takes llm, rules, ${presets}, or template:NAME, not ${JSON.stringify(text)}.`);
}

/** Flag before environment before settings: the address of the settings is that of their own model. */
function readModel(flags: RunFlags, env: NodeJS.ProcessEnv, { model, providers }: Settings) {
  const named = flags.model?.trim() === "" ? undefined : flags.model;
  if (named !== undefined) return { model: named, baseUrl: baseUrlOf(flags.baseUrl, env) };
  if (model === null)
    throw new WorkbenchError(
      "NO_MODEL",
      "No model is named: pass --model NAME, and --base-url URL (or set OPENAI_BASE_URL) for a server other than OpenAI's.",
    );
  const provider = providers.find(({ id }) => id === model.provider);
  const address = flags.baseUrl ?? (env["OPENAI_BASE_URL"]?.trim() || provider?.baseUrl);
  return { model: model.name, baseUrl: baseUrlOf(address, env) };
}

/** It is stored with the run, so a secret in it is refused here; the message repeats none. */
function requireAddress(baseUrl: string): void {
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
  const maxSteps = count("--max-steps", flags.maxSteps);
  return {
    ...defaultLimits,
    maxConcurrent: count("--max-concurrent", flags.maxConcurrent) ?? run.maxConcurrent,
    maxExecutors: count("--max-executors", flags.maxExecutors) ?? run.maxExecutors,
    maxSubagents: count("--max-subagents", flags.maxSubagents) ?? run.maxSubagents,
    maxChain: count("--max-chain", flags.maxChain) ?? run.maxChain,
    maxSteps: maxSteps ?? null,
    leadSteps: maxSteps ?? run.leadSteps,
    checkIntervalMs: count("--check-interval-ms", flags.checkIntervalMs) ?? defaultLimits.checkIntervalMs,
    maxSubagentMs: count("--max-subagent-ms", flags.maxSubagentMs) ?? defaultLimits.maxSubagentMs,
    modelIdleMs: count("--model-idle-ms", flags.modelIdleMs) ?? defaultLimits.modelIdleMs,
  };
}

const budgetKeys = ["steps", "toolCalls", "inputTokens", "outputTokens", "costUsd", "wallMs"] as const;

/** `steps=…,toolCalls=…,costUsd=…`; what is not named is as the settings have it. `isPriced`: money can only be limited where a price is known (`NO_PRICE`). */
export function readBudget(
  text: string | undefined,
  isPriced: boolean,
  { run: { budget: usual } }: Settings = defaultSettings,
): RunBudget {
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
  const costUsd = asked.get("costUsd");
  if (costUsd !== undefined && !isPriced) {
    throw new WorkbenchError(
      "NO_PRICE",
      "--budget costUsd: the price of this model is not known, so money cannot be limited; limit tokens or steps instead.",
    );
  }
  return {
    balances: {
      steps: asked.get("steps") ?? usual.steps,
      toolCalls: asked.get("toolCalls") ?? usual.toolCalls,
      inputTokens: asked.get("inputTokens") ?? usual.inputTokens,
      outputTokens: asked.get("outputTokens") ?? usual.outputTokens,
      costMicros: isPriced ? (costUsd === undefined ? usual.costMicros : Math.round(costUsd * 1_000_000)) : null,
    },
    wallMs: asked.get("wallMs") ?? usual.wallMs,
  };
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

function readLandOn(text: string): LandOn {
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
