// What a page and a receipt must look like before the window believes them. Follows src/shared/contract member by member;
// members that this window does not know are dropped.

import { z } from "zod";

import type { CommandReceipt } from "../../shared/contract/commands.ts";
import type { CommandId } from "../../shared/contract/ids.ts";
import { askingMarks, momentKinds, type PageBodies, type PageKind } from "../../shared/contract/pages.ts";
import type { Page } from "../../shared/contract/snapshots.ts";
import { careSchemas } from "./careSchemas.ts";
import { runPageSchemas } from "./runPageSchemas.ts";
import {
  agentId,
  approvalId,
  balances,
  changeSetId,
  count,
  landingId,
  runId,
  runSnapshot,
  subagentId,
  waitReason,
} from "./snapshotSchemas.ts";

const text = z.string();
const texts = z.array(z.string());
const maybeText = z.string().nullable();
const maybeCount = count.nullable();
const verification = z.enum(["passed", "failed", "not-run", "skipped"]);

function pageOf<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  return z.object({ items: z.array(item), next: maybeCount });
}

const timelineItem = z.object({
  n: count,
  agent: agentId,
  kind: z.enum(["turn", "tool", "queued", "waiting", "review", "verification", "landing", "mark"]),
  label: text,
  at: z.number(),
  until: z.number().nullable(),
  isFailure: z.boolean(),
  outcome: z.exactOptional(text),
});

const transcriptItem = z.object({
  n: count,
  at: z.number(),
  kind: z.enum(["packet", "person", "system", "text", "call", "answer", "result", "note"]),
  title: text,
  text,
  state: z.exactOptional(text),
  call: z.exactOptional(text),
  chars: z.exactOptional(count),
  durationMs: z.exactOptional(z.number()),
  exitCode: z.exactOptional(z.number()),
});

const moments = z.object({
  total: count,
  moments: z.array(z.object({ n: count, at: z.number(), kind: z.enum(momentKinds), count })),
});

const packet = z.object({
  agent: agentId,
  role: text,
  title: text,
  objective: text,
  context: maybeText,
  constraints: texts,
  paths: texts.nullable(),
  tools: texts,
  model: text,
  maxSteps: count,
  timeoutMs: maybeCount,
  budget: balances(maybeCount),
  criteria: texts,
  step: maybeText,
  outputSchemaJson: maybeText,
  replaces: subagentId.nullable(),
  reason: maybeText,
  policy: maybeText,
  warnings: texts,
  verdicts: z.array(
    z.object({
      condition: text,
      kind: z.enum(["need", "veto"]),
      verdict: z.enum(["met", "not_met", "unknown"]),
      evidence: text,
      by: z.enum(["lead", "system"]),
    }),
  ),
  gave: z.array(z.object({ id: subagentId, until: z.enum(["completed", "proposed"]), resultJson: text })),
});

const said = z.object({
  status: text,
  schema: z.enum(["ok", "repaired", "unstructured"]),
  answer: text,
  uncertainty: z.enum(["low", "medium", "high"]).nullable(),
  followups: texts,
  verdicts: z.array(z.object({ criterion: text, verdict: text, evidence: text })),
  dataJson: maybeText,
});

const evidence = z.object({
  source: text,
  quote: z.exactOptional(text),
  line: z.exactOptional(z.number()),
  mark: z.enum(["found", "not found", "not checkable"]),
});

const result = z.object({
  agent: agentId,
  status: text,
  code: maybeText,
  sentence: maybeText,
  said: said.nullable(),
  evidence: z.array(evidence),
  observed: z.object({
    toolsUsed: texts,
    steps: count,
    inputTokens: count,
    outputTokens: count,
    costMicros: maybeCount,
    verification,
    changeset: changeSetId.nullable(),
    filesChanged: texts,
    diagnostic: maybeText,
  }),
});

const hunk = z.object({ number: count, oldStart: count, oldLines: count, newStart: count, newLines: count });

const changedFile = z.object({
  path: text,
  from: z.exactOptional(text),
  change: z.enum(["added", "modified", "deleted", "renamed", "mode", "binary"]),
  added: count,
  removed: count,
  hunkCount: count,
  hunks: z.array(hunk),
  asks: z.exactOptional(z.enum(askingMarks)),
});

const check = z.object({
  command: text,
  exitCode: z.number().nullable(),
  outcome: text,
  durationMs: z.number(),
  output: text,
  isOfProposal: z.boolean(),
});

const drift = z.object({
  tip: text,
  aheadCount: count,
  behindCount: count,
  touchingCount: count,
  paths: texts,
  touching: z.array(z.object({ commit: text, subject: text, paths: texts })),
  trial: texts.nullable(),
});

const landing = z.object({
  landing: landingId,
  commit: text,
  status: z.enum(["landed", "takingBack", "takenBack"]),
  undo: maybeText,
  hooks: texts,
});

const changes = z.object({
  changeset: changeSetId,
  agent: agentId,
  isLine: z.boolean(),
  status: text,
  base: text,
  commit: text,
  target: text,
  approval: approvalId.nullable(),
  decision: z.object({ decision: text, by: text, comment: maybeText }).nullable(),
  selection: z.union([z.literal("all"), z.record(z.string(), z.array(count))]).nullable(),
  message: maybeText,
  held: waitReason.nullable(),
  conflicts: texts,
  leftOut: texts,
  summary: maybeText,
  hunkCount: count,
  fileCount: count,
  files: pageOf(changedFile),
  checks: z.array(check),
  checking: z.object({ done: count, total: count }).nullable(),
  amended: z.array(z.object({ path: text, hunk: count, how: z.enum(["leftOut", "text"]) })),
  drift: drift.nullable(),
  landing: landing.nullable(),
  overlaps: z.array(
    z.object({
      changeset: changeSetId,
      agent: agentId,
      paths: texts,
      places: z.array(z.object({ path: z.string(), hunk: count, from: count, to: count })).nullable(),
    }),
  ),
});

const diffRow = z.object({
  kind: z.enum(["context", "added", "removed", "noNewline"]),
  oldLine: maybeCount,
  newLine: maybeCount,
  text,
  hunk: count,
  cut: z.exactOptional(count),
  within: z.exactOptional(text),
});

const patch = z.object({
  items: z.array(diffRow),
  next: maybeCount,
  rowCount: count,
  withoutLines: z.enum(["binary", "empty", "tooLong"]).nullable(),
  oldMode: maybeText,
  newMode: maybeText,
});

const fileLines = z.object({ items: texts, next: maybeCount, lineCount: count });

const conflicts = z.object({
  path: text,
  tip: text,
  kind: z.enum(["lines", "whole", "none"]),
  target: maybeText,
  proposed: maybeText,
  regionCount: count,
  regions: z.array(
    z.object({
      line: count,
      before: texts,
      after: texts,
      base: texts,
      target: texts,
      proposed: texts,
      isCut: z.boolean(),
      endsWithLine: z.boolean(),
    }),
  ),
});

const forkPoint = z.object({
  at: count,
  line: text,
  target: z.object({ branch: text, tip: text, aheadCount: count }).nullable(),
  unfinished: texts,
});

export const pageSchemas: { readonly [K in PageKind]: z.ZodType<PageBodies[K]> } = {
  timeline: pageOf(timelineItem),
  transcript: pageOf(transcriptItem),
  snapshot: runSnapshot,
  forkPoint,
  moments,
  packet,
  result,
  changes,
  patch,
  fileLines,
  conflicts,
  ...runPageSchemas,
  ...careSchemas,
};

export const receiptSchema: z.ZodType<CommandReceipt> = z.object({
  commandId: z.custom<CommandId>((value) => typeof value === "string"),
  run: runId,
  at: maybeCount,
});
