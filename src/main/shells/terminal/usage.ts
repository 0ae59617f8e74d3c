// What the command line was asked for, read and checked: numbers, budgets, modes. A mistake is named with its option
// and what it takes; nothing has been started by then.

import { readFileSync } from "node:fs";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import { type ApprovalMode, type Balances, type CommandMode, type LandOn, type Limits, defaultLimits, type RunOptions } from "../../../shared/contract/options.ts";

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
  readonly worktrees: string;
  readonly verify: readonly string[];
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

const defaultBaseUrl = "https://api.openai.com/v1";

export function usageError(message: string): WorkbenchError {
  return new WorkbenchError("BAD_USAGE", message);
}

/** The task's text, from `--task`, or `--task-file` (`-` = standard input). */
export function readTask(flags: Pick<RunFlags, "task" | "taskFile">): string {
  if (flags.task !== undefined && flags.taskFile !== undefined) throw usageError("Give either --task or --task-file, not both.");
  if (flags.task !== undefined) return flags.task;
  if (flags.taskFile === undefined) throw usageError("Say what is to be done with --task TEXT or --task-file FILE.");
  try {
    return readFileSync(flags.taskFile === "-" ? 0 : flags.taskFile, "utf8");
  } catch (cause) {
    throw new WorkbenchError("BAD_USAGE", `--task-file ${flags.taskFile} cannot be read (${reasonOf(cause)}).`, { cause });
  }
}

/** The key from `--api-key-file`, else from `OPENAI_API_KEY`; `null` when there is none. */
export function readKey(file: string | undefined, env: NodeJS.ProcessEnv): string | null {
  if (file === undefined) return env["OPENAI_API_KEY"]?.trim() || null;
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (cause) {
    throw new WorkbenchError("BAD_USAGE", `--api-key-file ${file} cannot be read (${reasonOf(cause)}).`, { cause });
  }
}

export function readOptions(flags: RunFlags, env: NodeJS.ProcessEnv): RunOptions {
  const baseUrl = flags.baseUrl ?? (env["OPENAI_BASE_URL"]?.trim() || defaultBaseUrl);
  if (flags.model === undefined || flags.model.trim() === "") {
    throw new WorkbenchError("NO_MODEL", "No model is named: pass --model NAME, and --base-url URL (or set OPENAI_BASE_URL) for a server other than OpenAI's.");
  }
  return {
    model: flags.model,
    baseUrl,
    approve: oneOf<ApprovalMode>("--approve", flags.approve, ["each", "auto", "none"]),
    commands: oneOf<CommandMode>("--commands", flags.commands, ["ask", "allow", "deny"]),
    network: oneOf("--network", flags.network, ["on", "off"]),
    landOn: readLandOn(flags.landOn),
    worktrees: oneOf("--worktrees", flags.worktrees, ["on", "off"]),
    verify: flags.verify,
  };
}

export function readLimits(flags: RunFlags): Limits {
  const maxSteps = count("--max-steps", flags.maxSteps);
  return {
    ...defaultLimits,
    maxConcurrent: count("--max-concurrent", flags.maxConcurrent) ?? defaultLimits.maxConcurrent,
    maxExecutors: count("--max-executors", flags.maxExecutors) ?? defaultLimits.maxExecutors,
    maxSubagents: count("--max-subagents", flags.maxSubagents) ?? defaultLimits.maxSubagents,
    maxChain: count("--max-chain", flags.maxChain) ?? defaultLimits.maxChain,
    maxSteps: maxSteps ?? null,
    leadSteps: maxSteps ?? defaultLimits.leadSteps,
    checkIntervalMs: count("--check-interval-ms", flags.checkIntervalMs) ?? defaultLimits.checkIntervalMs,
    maxSubagentMs: count("--max-subagent-ms", flags.maxSubagentMs) ?? defaultLimits.maxSubagentMs,
    modelIdleMs: count("--model-idle-ms", flags.modelIdleMs) ?? defaultLimits.modelIdleMs,
  };
}

const budgetKeys = ["steps", "toolCalls", "inputTokens", "outputTokens", "costUsd", "wallMs"] as const;

/** `steps=…,toolCalls=…,costUsd=…`; what is not named keeps its default. `isPriced`: money can only be limited where a price is known (`NO_PRICE`). */
export function readBudget(text: string | undefined, isPriced: boolean): RunBudget {
  const asked = new Map<string, number>();
  for (const part of text === undefined || text.trim() === "" ? [] : text.split(",")) {
    const [key = "", value = ""] = part.split("=").map((piece) => piece.trim());
    if (!budgetKeys.some((known) => known === key)) throw usageError(`--budget: there is no ${JSON.stringify(key)}; it takes ${budgetKeys.join(", ")}.`);
    const amount = Number(value);
    const isWhole = key === "costUsd" || Number.isSafeInteger(amount);
    if (value === "" || !Number.isFinite(amount) || amount <= 0 || !isWhole) throw usageError(`--budget ${part.trim()}: ${key} takes a positive ${key === "costUsd" ? "amount" : "whole number"}.`);
    asked.set(key, amount);
  }
  const costUsd = asked.get("costUsd");
  if (costUsd !== undefined && !isPriced) {
    throw new WorkbenchError("NO_PRICE", "--budget costUsd: the price of this model is not known, so money cannot be limited; limit tokens or steps instead.");
  }
  return {
    balances: {
      steps: asked.get("steps") ?? 400,
      toolCalls: asked.get("toolCalls") ?? null,
      inputTokens: asked.get("inputTokens") ?? null,
      outputTokens: asked.get("outputTokens") ?? null,
      costMicros: isPriced ? Math.round((costUsd ?? 5) * 1_000_000) : null,
    },
    wallMs: asked.get("wallMs") ?? 2 * 60 * 60_000,
  };
}

/** `FILE:1,3` entries of `--hunks` as a selection by path. */
export function readHunks(entries: readonly string[]): Readonly<Record<string, readonly number[]>> | undefined {
  if (entries.length === 0) return undefined;
  const selection: Record<string, readonly number[]> = {};
  for (const entry of entries) {
    const at = entry.lastIndexOf(":");
    const numbers = entry.slice(at + 1).split(",").map(Number);
    if (at <= 0 || numbers.some((number) => !Number.isSafeInteger(number) || number < 1)) {
      throw usageError(`--hunks ${entry}: it takes FILE:1,3; the hunks of a file are numbered from 1, in the order of coppice diff.`);
    }
    selection[entry.slice(0, at)] = numbers;
  }
  return selection;
}

/** A whole number from 1; `undefined` when the option was not given. */
export function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(number) || number < 1) throw usageError(`${option} takes a whole number from 1, not ${JSON.stringify(text)}.`);
  return number;
}

function readLandOn(text: string): LandOn {
  if (text === "run-branch") return { kind: "run-branch" };
  const name = /^branch:(.+)$/.exec(text)?.[1];
  if (name !== undefined) return { kind: "branch", name };
  throw usageError(`--land-on takes run-branch or branch:NAME, not ${JSON.stringify(text)}.`);
}

function oneOf<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw usageError(`${option} takes ${allowed.join(", ")}, not ${JSON.stringify(text)}.`);
  return found;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
