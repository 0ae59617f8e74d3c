// Facts for the tests of this folder: a small run, as snapshot and events, in which every field has a plain value.
// Used by tests only.

import type {
  AgentId,
  ApprovalId,
  ChangeSetId,
  LandingId,
  Oid,
  RunId,
  SubagentId,
} from "../../../../shared/contract/ids.ts";
import { defaultLimits } from "../../../../shared/contract/options.ts";
import type { RunSnapshot, SubagentSnapshot } from "../../../../shared/contract/snapshots.ts";
import type { EventData, EventOf, EventType } from "../../../domain/events.ts";
import type { Packet } from "../../../domain/records.ts";
import { summaryOf, type Summary } from "../summary.ts";
import type { LookOptions } from "./look.ts";
import { plainStyle } from "./style.ts";

/** 2026-11-30 12:00:00 UTC. */
export const noon = Date.UTC(2026, 10, 30, 12);
export const run = "k3v9x2m7qa" as RunId;
export const commit = "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432" as Oid;
export const base = "4f1c2ab9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3" as Oid;
export const approval = `${run}-a1` as ApprovalId;
export const changeset = "subagent-3.1" as ChangeSetId;

/** Identity ink, UTC, 100 columns. */
export const plain: LookOptions = { style: plainStyle, timeZone: "UTC" };

const nothing = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
const unlimited = { steps: null, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null };

/** Builds committed events one after another: `n` and `seq` count from 1, a second passes with each. */
export function createJournal(): <T extends EventType>(agent: AgentId, type: T, data: EventData[T]) => EventOf<T> {
  let n = 0;
  return (agent, type, data) => {
    n += 1;
    return {
      agent,
      type,
      data,
      n,
      pos: n,
      run,
      root: run,
      seq: n,
      at: noon + n * 1_000,
      version: 1,
      hash: "",
    } as unknown as EventOf<typeof type>;
  };
}

/** A subagent at work; what differs is given. */
export function subagent(id: SubagentId, changes: Partial<SubagentSnapshot> = {}): SubagentSnapshot {
  return {
    id,
    role: "explorer",
    title: "Find where payment callbacks enter",
    status: "running",
    model: "qwen3-coder",
    dependsOn: [],
    verification: "not-run",
    steps: 6,
    maxSteps: 30,
    inputTokens: 61_000,
    outputTokens: 3_000,
    costMicros: null,
    createdAt: noon,
    startedAt: noon,
    endedAt: null,
    activity: "readFile src/payments.ts",
    ...changes,
  };
}

/** A run at work without subagents; what differs is given. */
export function snapshot(changes: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    run,
    at: 0,
    status: "running",
    title: "Payments are sometimes charged twice",
    task: "Payments are sometimes charged twice",
    repo: "/home/ada/shop",
    base: { commit: base, branch: "main" },
    target: `coppice/${run}`,
    line: "",
    createdAt: noon,
    updatedAt: noon + 192_000,
    stopReason: null,
    answer: null,
    partial: false,
    lead: { activity: "Thinking", steps: 4, model: "qwen3-coder" },
    subagents: [],
    approvals: [],
    landed: [],
    budget: { limit: unlimited, used: nothing, reserved: nothing },
    usage: { inputTokens: 128_000, outputTokens: 9_400, cachedTokens: 0, requests: 14 },
    costUsd: null,
    ...changes,
  };
}

export function summary(changes: Partial<RunSnapshot> = {}): Summary {
  return summaryOf(snapshot(changes));
}

export const landing = {
  landing: `${run}-l1` as LandingId,
  changeset,
  agent: "subagent-3" as AgentId,
  target: `coppice/${run}`,
  commit,
  files: ["src/charge.ts"],
};

export const question = {
  id: approval,
  kind: "changeset",
  agent: "subagent-3" as AgentId,
  summary: "Add an idempotency key to charge(): 2 hunks in 1 file",
  since: noon + 60_000,
  changeset,
};

/** Data of `run.created` for `snapshot()`. */
export const created: EventData["run.created"] = {
  task: "Payments are sometimes charged twice",
  title: "Payments are sometimes charged twice",
  repo: "/home/ada/shop",
  repository: { topLevel: "/home/ada/shop", commonDir: "/home/ada/shop/.git", rootCommit: base },
  base,
  baseBranch: "main",
  target: `coppice/${run}`,
  targetRef: `refs/heads/coppice/${run}`,
  options: {
    model: "qwen3-coder",
    baseUrl: "http://127.0.0.1:8080/v1",
    approve: "each",
    commands: "ask",
    network: "off",
    isAttended: false,
    landOn: { kind: "run-branch" },
    worktrees: "on",
    verify: ["npm test"],
  },
  limits: defaultLimits,
  budget: unlimited,
  wallMs: null,
  price: null,
};

/** Data of `handoff.recorded`. */
export function handoff(
  subagent: SubagentId,
  role: string,
  title: string,
  dependsOn: EventData["handoff.recorded"]["dependsOn"] = [],
): EventData["handoff.recorded"] {
  const packet: Packet = {
    role,
    objective: title,
    constraints: [],
    paths: null,
    allowedTools: [],
    maxSteps: 30,
    timeoutMs: 1,
    budget: unlimited,
    remainingDepth: 0,
    model: "qwen3-coder",
  };
  return {
    subagent,
    childRun: run,
    role,
    task: title,
    title,
    dependsOn,
    packet,
    slice: unlimited,
    key: "",
    contractHash: "",
    policy: "llm",
    writes: role === "executor",
    place: role === "executor" ? "worktree" : "checkout",
    warnings: [],
  };
}
