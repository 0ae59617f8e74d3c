// What a page may ask, member by member: strict, and every text and list bounded. Follows src/shared/contract; what is
// not here is refused before anything looks at it.

import { z } from "zod";

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { CommandEnvelope, StartRun } from "../../shared/contract/commands.ts";
import type { RequestBodies, RequestChannel } from "../../shared/contract/channels.ts";
import {
  type AgentId,
  type ApprovalId,
  type ChangeSetId,
  type CommandId,
  isSubagentId,
  type LandingId,
  type RunId,
} from "../../shared/contract/ids.ts";
import type { Balances, Limits } from "../../shared/contract/options.ts";
import { maxPageRows, type PageRequest } from "../../shared/contract/pages.ts";
import { rulePresets, templateName } from "../../shared/contract/policy.ts";
import type { FileResolution } from "../../shared/contract/resolutions.ts";
import { isTopic, type Topic } from "../../shared/contract/topics.ts";
import { delegations, maxGroupName, topologies } from "../../shared/contract/topology.ts";
import { careCommands, careRequests } from "./careSchemas.ts";
import { contentRequest, hostCall } from "./hostSchemas.ts";

const maxOrdinal = 1_000_000_000;

function idOf<Id extends string>(pattern: RegExp, what: string) {
  return z.custom<Id>(
    (value) => typeof value === "string" && value.length <= 100 && pattern.test(value),
    `not ${what}`,
  );
}

const runId = idOf<RunId>(/^[a-z0-9-]{4,64}$/, "a run's id");
const approvalId = idOf<ApprovalId>(/^[a-z0-9-]{4,64}-a[1-9]\d{0,8}$/, "an approval's id");
const landingId = idOf<LandingId>(/^[a-z0-9-]{4,64}-l[1-9]\d{0,8}$/, "a landing's id");
const changeSetId = idOf<ChangeSetId>(/^(?:lead|subagent-[1-9]\d{0,8})\.[1-9]\d{0,8}$/, "a change set's id");
const commandId = idOf<CommandId>(/^[\w-]{8,64}$/, "a command's id");
const agentId = z.custom<AgentId>(
  (value) => value === "lead" || (typeof value === "string" && value.length <= 20 && isSubagentId(value)),
  "not an agent",
);

const line = z.string().min(1).max(1_000);
/** A blank one would pass whatever there is. */
const shellLines = z.array(line.regex(/\S/, "a blank command")).max(20);
const text = z.string().min(1).max(100_000);
const path = z.string().min(1).max(4_096);
const ordinal = z.int().min(1).max(maxOrdinal);
const after = z.int().min(0).max(maxOrdinal);
const limit = z.int().min(1).max(maxPageRows);
const upTo = z.exactOptional(ordinal);

const hunkName = { path, hunk: z.int().min(1).max(1_000_000) };
const amendments: z.ZodType<readonly HunkAmendment[]> = z
  .array(
    z.union([
      z.strictObject({ ...hunkName, leftOut: z.array(z.int().min(1).max(1_000_000)).max(20_000) }),
      z.strictObject({ ...hunkName, text: z.string().max(100_000) }),
    ]),
  )
  .max(2_000);

/** What of one file would land. */
const accepted = z.exactOptional(
  z.strictObject({ hunks: z.array(z.int().min(1).max(1_000_000)).max(20_000), amendments }),
);

const pageRequest: z.ZodType<PageRequest> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("timeline"), run: runId, after, limit, upTo }),
  z.strictObject({ kind: z.literal("transcript"), run: runId, agent: agentId, after, limit, upTo }),
  z.strictObject({ kind: z.literal("snapshot"), run: runId, at: ordinal }),
  z.strictObject({ kind: z.literal("forkPoint"), run: runId, at: ordinal }),
  z.strictObject({ kind: z.literal("moments"), run: runId }),
  z.strictObject({ kind: z.literal("packet"), run: runId, agent: agentId, upTo }),
  z.strictObject({ kind: z.literal("result"), run: runId, agent: agentId, upTo }),
  z.strictObject({ kind: z.literal("changes"), run: runId, changeset: changeSetId, after, limit, upTo }),
  z.strictObject({ kind: z.literal("patch"), run: runId, changeset: changeSetId, path, after, limit }),
  z.strictObject({ kind: z.literal("fileLines"), run: runId, changeset: changeSetId, path, after, limit }),
  z.strictObject({ kind: z.literal("conflicts"), run: runId, changeset: changeSetId, path, accepted }),
  z.strictObject({ kind: z.literal("approval"), run: runId, approval: approvalId }),
  z.strictObject({ kind: z.literal("assignment"), run: runId }),
  z.strictObject({ kind: z.literal("holdings"), run: runId }),
  z.strictObject({ kind: z.literal("notepad"), run: runId, upTo }),
  z.strictObject({ kind: z.literal("diff"), run: runId, changeset: changeSetId, after }),
  ...careRequests,
]);

const amount = z.exactOptional(z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable());
const budget: z.ZodType<Partial<Balances>> = z.strictObject({
  steps: amount,
  toolCalls: amount,
  inputTokens: amount,
  outputTokens: amount,
  costMicros: amount,
});

const whole = z.exactOptional(z.int().min(1).max(1_000_000_000));
const limits: z.ZodType<Partial<Limits>> = z.strictObject({
  maxSubagents: whole,
  maxChain: whole,
  maxConcurrent: whole,
  maxExecutors: whole,
  maxPerModel: whole,
  maxOverAllRuns: whole,
  maxSteps: z.exactOptional(z.int().min(1).max(1_000_000_000).nullable()),
  leadSteps: whole,
  checkIntervalMs: whole,
  maxSubagentMs: whole,
  modelIdleMs: whole,
  modelFirstEventMs: whole,
});

const landOn = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("run-branch") }),
  z.strictObject({ kind: z.literal("current") }),
  z.strictObject({ kind: z.literal("branch"), name: z.string().min(1).max(255) }),
]);

const policy = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("llm") }),
  z.strictObject({ kind: z.literal("rules"), preset: z.enum(rulePresets) }),
  z.strictObject({ kind: z.literal("template"), name: z.string().regex(templateName) }),
]);

const groupName = z.string().trim().min(1).max(maxGroupName);

const startRun = z.strictObject({
  type: z.literal("startRun"),
  folder: path,
  task: text,
  model: z.string().min(1).max(200),
  roleModels: z.exactOptional(z.record(z.string().min(1).max(60), z.string().min(1).max(200))),
  modelServers: z.exactOptional(z.record(z.string().min(1).max(200), z.string().min(1).max(2_000))),
  baseUrl: z.exactOptional(z.string().min(1).max(2_000)),
  approve: z.exactOptional(z.enum(["each", "final", "auto", "none"])),
  commands: z.exactOptional(z.enum(["ask", "allow", "deny"])),
  network: z.exactOptional(z.enum(["on", "off"])),
  landOn: z.exactOptional(landOn),
  worktrees: z.exactOptional(z.enum(["on", "off"])),
  verify: z.exactOptional(shellLines),
  setup: z.exactOptional(shellLines),
  setupNetwork: z.exactOptional(z.enum(["on", "off"])),
  repositoryCommands: z.exactOptional(z.literal("skip")),
  policy: z.exactOptional(policy),
  workflow: z.exactOptional(z.literal("off")),
  leadEdits: z.exactOptional(z.literal(true)),
  topology: z.exactOptional(z.enum(topologies)),
  mayMessage: z.exactOptional(z.array(z.strictObject({ from: groupName, to: groupName })).max(50)),
  delegation: z.exactOptional(z.enum(delegations)),
  approvePlan: z.exactOptional(z.boolean()),
  includesDirty: z.exactOptional(z.boolean()),
  limits: z.exactOptional(limits),
  budget: z.exactOptional(budget),
  wallMs: z.exactOptional(z.int().min(1_000).max(1_000_000_000_000).nullable()),
}) satisfies z.ZodType<StartRun>;

const resumes = z.exactOptional(z.boolean());
const hunks = z.record(path, z.array(z.int().min(1).max(1_000_000)).max(20_000));

const blob = z
  .string()
  .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)
  .nullable();
const pick = z.union([z.enum(["target", "proposed", "both"]), z.strictObject({ text: z.string().max(100_000) })]);
const resolutions: z.ZodType<readonly FileResolution[]> = z
  .array(z.strictObject({ path, target: blob, proposed: blob, picks: z.array(pick).min(1).max(1_000) }))
  .max(200);

const command: z.ZodType<CommandEnvelope["command"]> = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("approve"),
    approval: approvalId,
    resumes,
    hunks: z.exactOptional(hunks),
    amendments: z.exactOptional(amendments),
    resolutions: z.exactOptional(resolutions),
    message: z.exactOptional(text),
    scope: z.exactOptional(z.enum(["once", "run", "project"])),
  }),
  z.strictObject({ type: z.literal("reject"), approval: approvalId, resumes, comment: z.exactOptional(text) }),
  z.strictObject({
    type: z.literal("sendBack"),
    approval: approvalId,
    resumes,
    comment: text,
    bringsTarget: z.exactOptional(z.boolean()),
  }),
  z.strictObject({ type: z.literal("answer"), approval: approvalId, resumes, value: text }),
  z.strictObject({ type: z.enum(["cancel", "pause", "resume", "land", "deleteRun"]), run: runId }),
  z.strictObject({ type: z.literal("message"), run: runId, text, to: agentId }),
  z.strictObject({ type: z.literal("rename"), run: runId, title: z.string().min(1).max(1_000) }),
  z.strictObject({
    type: z.literal("addNote"),
    run: runId,
    kind: z.string().min(1).max(40),
    text: z.string().min(1).max(4_000),
  }),
  z.strictObject({ type: z.literal("retractNote"), run: runId, note: ordinal }),
  z.strictObject({ type: z.literal("rebind"), run: runId, folder: path }),
  z.strictObject({ type: z.literal("pin"), run: runId, isPinned: z.boolean() }),
  z.strictObject({ type: z.literal("undo"), landing: landingId }),
  z.strictObject({ type: z.literal("restore"), run: runId, agent: agentId }),
  z.strictObject({
    type: z.literal("fork"),
    run: runId,
    at: ordinal,
    base: z.exactOptional(z.enum(["line", "target"])),
  }),
  z.strictObject({ type: z.literal("startSample") }),
  startRun,
  ...careCommands,
]);

const topicBody = z.strictObject({ topic: z.custom<Topic>(isTopic, "not a topic") });
const envelope: z.ZodType<CommandEnvelope> = z.strictObject({ commandId, command });

/** The body of each channel. */
export const bodySchemas: { readonly [C in RequestChannel]: z.ZodType<RequestBodies[C]> } = {
  "topic/subscribe": topicBody,
  "topic/unsubscribe": topicBody,
  "page/read": pageRequest,
  "content/read": contentRequest,
  "command/execute": envelope,
  "host/call": hostCall,
};
