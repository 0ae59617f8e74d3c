// What the pages about a run as a whole must look like before the window believes them. Follows
// src/shared/contract/runPages.ts member by member.

import { z } from "zod";

import { balanceNames } from "../../shared/contract/options.ts";
import type { RunPageBodies } from "../../shared/contract/runPages.ts";
import { rulePresets } from "../../shared/contract/policy.ts";
import { delegations, topologies } from "../../shared/contract/topology.ts";
import { agentId, approvalId, balances, changeSetId, count, subagentId } from "./snapshotSchemas.ts";

const text = z.string();
const maybeText = z.string().nullable();

const conflict = z.object({
  criterion: text,
  tree: text,
  steps: z.array(text),
  sides: z.array(
    z.object({
      by: subagentId,
      role: text,
      verdict: z.enum(["passed", "failed"]),
      evidence: text,
      event: count,
      changeset: changeSetId.nullable(),
    }),
  ),
});

const approval = z.object({
  approval: approvalId,
  kind: text,
  status: z.enum(["open", "decided", "withdrawn"]),
  agent: agentId,
  role: text,
  since: z.number(),
  summary: text,
  why: maybeText,
  said: maybeText,
  choices: z.array(text),
  changeset: changeSetId.nullable(),
  command: maybeText,
  folder: maybeText,
  allows: z.enum(["words", "line"]).nullable(),
  scopes: z.array(z.enum(["once", "run", "project"])),
  effect: z.object({ tool: text, startedAt: z.number(), files: z.array(text), output: maybeText }).nullable(),
  raise: z.object({ balance: z.enum(balanceNames), used: z.number(), limit: z.number(), by: z.number() }).nullable(),
  plan: z
    .object({
      nodes: z.array(z.object({ id: text, title: text, role: maybeText, dependsOn: z.array(text) })),
      isFixed: z.boolean(),
    })
    .nullable(),
  conflict: conflict.nullable(),
  network: z.enum(["on", "off"]),
  turn: count,
  assignedAt: z.number(),
  sent: z.object({ at: z.number(), reason: maybeText }).nullable(),
  decision: z.object({ decision: text, by: text, at: z.number(), comment: maybeText, scope: maybeText }).nullable(),
});

const limits = z.object({
  maxSubagents: count,
  maxChain: count,
  maxConcurrent: count,
  maxExecutors: count,
  maxPerModel: count,
  maxOverAllRuns: count,
  maxSteps: count.nullable(),
  leadSteps: count,
  checkIntervalMs: count,
  maxSubagentMs: count,
  modelIdleMs: count,
  modelFirstEventMs: count,
});

const assignment = z.object({
  folder: text,
  task: text,
  model: text,
  roleModels: z.record(text, text),
  modelServers: z.exactOptional(z.record(text, text)),
  baseUrl: text,
  approve: z.enum(["each", "final", "auto", "none"]),
  commands: z.enum(["ask", "allow", "deny"]),
  network: z.enum(["on", "off"]),
  landOn: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("run-branch") }),
    z.object({ kind: z.literal("current") }),
    z.object({ kind: z.literal("branch"), name: text }),
  ]),
  worktrees: z.enum(["on", "off"]),
  verify: z.array(text),
  setup: z.array(text),
  setupNetwork: z.exactOptional(z.enum(["on", "off"])),
  policy: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("llm") }),
    z.object({ kind: z.literal("rules"), preset: z.enum(rulePresets) }),
    z.object({ kind: z.literal("template"), name: text }),
  ]),
  workflow: z.exactOptional(z.literal("off")),
  leadEdits: z.exactOptional(z.literal(true)),
  topology: z.exactOptional(z.enum(topologies)),
  mayMessage: z.exactOptional(z.array(z.object({ from: text, to: text }))),
  delegation: z.exactOptional(z.enum(delegations)),
  approvePlan: z.exactOptional(z.boolean()),
  limits,
  budget: balances(count.nullable()),
  wallMs: count.nullable(),
});

const holdings = z.object({
  eventCount: count,
  subagentCount: count,
  unlandedCount: count,
  landedCount: count,
  pinned: z.array(z.object({ agent: agentId, reason: text, commit: text, branch: text })),
  pinnedCount: count,
  keepDays: count,
});

const notepad = z.object({
  plan: z.array(
    z.object({
      id: text,
      title: text,
      status: z.enum(["pending", "running", "done", "dropped"]),
      criteria: z.array(text),
      agents: z.array(subagentId),
    }),
  ),
  conflicts: z.array(conflict),
  notes: z.array(
    z.object({
      n: count,
      at: z.number(),
      agent: agentId,
      by: maybeText,
      kind: text,
      text,
      retractedBy: maybeText,
    }),
  ),
  noteCount: count,
});

const diff = z.object({ text, next: count.nullable(), total: count });

export const runPageSchemas: { readonly [K in keyof RunPageBodies]: z.ZodType<RunPageBodies[K]> } = {
  approval,
  assignment,
  holdings,
  notepad,
  diff,
};
