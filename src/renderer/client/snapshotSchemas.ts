// What a snapshot must look like before the page believes it. Follows src/shared/contract/snapshots.ts member by member;
// members that this page does not know are dropped.

import "./schemaPolicy.ts";
import { z } from "zod";

import type { LiveSnapshot, RunListSnapshot, RunSnapshot } from "../../shared/contract/snapshots.ts";
import { longWorks, type ProgressSnapshot, progressUnits } from "../../shared/contract/progress.ts";
import { settingsSchema, type SettingsSnapshot } from "../../shared/contract/settings.ts";
import { isSubagentId } from "../../shared/contract/ids.ts";
import type { AgentId, ApprovalId, ChangeSetId, LandingId, RunId, SubagentId } from "../../shared/contract/ids.ts";

export const runId = z.custom<RunId>((value) => typeof value === "string");
export const approvalId = z.custom<ApprovalId>((value) => typeof value === "string");
export const changeSetId = z.custom<ChangeSetId>((value) => typeof value === "string");
export const landingId = z.custom<LandingId>((value) => typeof value === "string");
export const subagentId = z.custom<SubagentId>((value) => typeof value === "string" && isSubagentId(value));
export const agentId = z.union([z.literal("lead"), subagentId]) satisfies z.ZodType<AgentId>;

export const count = z.number().nonnegative();
export const waitReason = z.object({ code: z.string(), sentence: z.string() });

const runStatus = z.enum([
  "created",
  "running",
  "waiting",
  "paused",
  "ready",
  "interrupted",
  "stopped",
  "quarantined",
  "imported",
]);
const nodeStatus = z.enum([
  "pending",
  "ready",
  "running",
  "waiting",
  "submitting",
  "awaiting_review",
  "landing",
  "completed",
  "failed",
  "cancelled",
]);

const subagent = z.object({
  id: subagentId,
  role: z.string(),
  title: z.string(),
  status: nodeStatus,
  model: z.string(),
  server: z.exactOptional(z.string()),
  dependsOn: z.array(
    z.object({ id: subagentId, until: z.enum(["completed", "proposed"]), because: z.exactOptional(z.string()) }),
  ),
  replaces: z.exactOptional(subagentId),
  rule: z.exactOptional(z.object({ beside: z.array(subagentId), because: z.string() })),
  waitingFor: z.exactOptional(waitReason),
  held: z.exactOptional(waitReason),
  code: z.exactOptional(z.string()),
  sentence: z.exactOptional(z.string()),
  headline: z.exactOptional(z.string()),
  verification: z.enum(["passed", "failed", "not-run", "skipped"]),
  steps: count,
  maxSteps: count,
  inputTokens: count,
  outputTokens: count,
  costMicros: count.nullable(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  activity: z.string(),
});

const approval = z.object({
  id: approvalId,
  kind: z.string(),
  agent: agentId,
  summary: z.string(),
  since: z.number(),
  changeset: z.exactOptional(changeSetId),
  isLine: z.exactOptional(z.literal(true)),
  why: z.exactOptional(z.string()),
  choices: z.exactOptional(z.array(z.string())),
  call: z.exactOptional(z.string()),
});

const landing = z.object({
  landing: landingId,
  changeset: changeSetId,
  agent: agentId,
  target: z.string(),
  commit: z.string(),
  files: z.array(z.string()),
});

/** Balances of a budget, each of them `balance`. */
export function balances<T extends z.ZodType>(balance: T) {
  return z.object({
    steps: balance,
    toolCalls: balance,
    inputTokens: balance,
    outputTokens: balance,
    costMicros: balance,
  });
}

export const runSnapshot: z.ZodType<RunSnapshot> = z.object({
  run: runId,
  at: count,
  status: runStatus,
  title: z.string(),
  task: z.string(),
  repo: z.string(),
  base: z.object({ commit: z.string(), branch: z.string().nullable() }),
  forkedFrom: z.exactOptional(z.object({ run: runId, at: count })),
  target: z.string(),
  line: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  stoppedAt: z.exactOptional(z.number()),
  stopReason: z.string().nullable(),
  stopFailure: z.exactOptional(z.object({ code: z.string(), sentence: z.string() })),
  answer: z.string().nullable(),
  partial: z.boolean(),
  lead: z.object({ activity: z.string(), waitingFor: z.exactOptional(waitReason), steps: count, model: z.string() }),
  subagents: z.array(subagent),
  overlaps: z.exactOptional(
    z.array(z.object({ agents: z.tuple([subagentId, subagentId]), path: z.string(), fileCount: count })),
  ),
  approvals: z.array(approval),
  landed: z.array(landing),
  budget: z.object({
    limit: balances(z.number().nullable()),
    used: balances(z.number()),
    reserved: balances(z.number()),
  }),
  usage: z.object({ inputTokens: count, outputTokens: count, cachedTokens: count, requests: count }),
  costUsd: z.number().nullable(),
  doubted: z.exactOptional(z.array(z.string())),
});

export const runListSnapshot: z.ZodType<RunListSnapshot> = z.object({
  version: count,
  trouble: z.exactOptional(z.object({ code: z.string(), message: z.string() })),
  runs: z.array(
    z.object({
      run: runId,
      title: z.string(),
      status: runStatus,
      stopReason: z.string().nullable(),
      repo: z.string(),
      createdAt: z.number(),
      needsYouCount: count,
      reviewCount: count,
      updatedAt: z.number(),
      asks: z.exactOptional(z.array(z.string())),
      askedAt: z.exactOptional(z.number()),
      agents: z.exactOptional(z.string()),
      landed: z.exactOptional(z.string()),
      isPinned: z.exactOptional(z.boolean()),
    }),
  ),
  olderCount: z.exactOptional(count),
});

export const liveSnapshot: z.ZodType<LiveSnapshot> = z.object({
  run: runId,
  version: count,
  turns: z.array(z.object({ agent: agentId, text: z.string(), skipped: count })),
  radar: z.exactOptional(
    z.object({
      conflicts: z.array(
        z.object({ agent: subagentId, other: subagentId.nullable(), paths: z.array(z.string()), fileCount: count }),
      ),
      order: z.array(subagentId),
    }),
  ),
});

export const settingsSnapshot: z.ZodType<SettingsSnapshot> = z.object({
  version: count,
  file: z.string(),
  settings: settingsSchema,
  problem: z.string().nullable(),
  keychain: z.string().nullable(),
  keysFound: z.array(z.string()),
});

export const progressSnapshot: z.ZodType<ProgressSnapshot> = z.object({
  version: count,
  works: z.array(z.object({ work: z.enum(longWorks), done: count, total: count, unit: z.enum(progressUnits) })),
});
