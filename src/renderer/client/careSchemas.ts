// What a page about the application as a whole must look like before the window believes it. Follows
// src/shared/contract/care.ts member by member.

import { z } from "zod";

import type { CareBodies, CareKind, CareReceipt } from "../../shared/contract/care.ts";
import { worktreeActs, worktreeStandings } from "../../shared/contract/worktrees.ts";
import { rulePresets } from "../../shared/contract/policy.ts";
import { agentId, approvalId, changeSetId, count, runId } from "./snapshotSchemas.ts";

const text = z.string();
const texts = z.array(z.string());
const maybeText = z.string().nullable();

const localServers = z.object({
  servers: z.array(z.object({ name: text, baseUrl: text, models: texts })),
  silent: z.array(z.object({ name: text, port: count })),
});

const foundModel = z.object({
  name: text,
  contextTokens: count.nullable(),
  price: z.object({ input: count, output: count }).nullable(),
});

const modelTest = z.object({
  answered: z.boolean(),
  answeredMs: count,
  callsTools: z.boolean(),
  contextTokens: count.nullable(),
  problem: z.object({ code: text, message: text }).nullable(),
});

const balance = z.number().nullable();
const templateFigures = z.object({
  width: z.number(),
  count: z.number(),
  budget: z.object({
    steps: balance,
    toolCalls: balance,
    inputTokens: balance,
    outputTokens: balance,
    costMicros: balance,
  }),
});
const templateChoice = z.object({
  name: text,
  about: text,
  figures: templateFigures.nullable(),
  problem: text.nullable(),
});

const repositoryCommands = { setup: texts, setupNetwork: z.exactOptional(z.literal("on")), verify: texts };
const configuration = z.object({
  commands: z.object(repositoryCommands),
  hash: text,
  isTrusted: z.boolean(),
  confinement: text,
  ceilings: z.object({
    steps: z.exactOptional(count),
    costMicros: z.exactOptional(count),
    wallMs: z.exactOptional(count),
  }),
  problem: maybeText,
});

const repository = z.object({
  configuration,
  templates: z.array(templateChoice),
  folder: text,
  branch: maybeText,
  head: text,
  subject: text,
  dirtyCount: count,
  dirty: texts,
  locks: z.array(z.object({ path: text, install: text })),
  checks: texts,
  usualMicros: count.nullable(),
});

const search = z.object({
  hits: z.array(
    z.object({
      run: runId,
      runTitle: text,
      repo: text,
      kind: z.enum(["title", "transcript", "file"]),
      agent: agentId,
      n: count,
      at: z.number(),
      where: text,
      excerpt: text,
    }),
  ),
  isCut: z.boolean(),
  behindCount: count,
});

const decided = z.object({
  decided: z.array(
    z.object({
      approval: approvalId,
      run: runId,
      runTitle: text,
      kind: text,
      agent: agentId,
      role: text,
      summary: text,
      n: count,
      at: z.number(),
      decision: text,
      by: text,
      scope: text,
      changeset: changeSetId.nullable(),
      landed: maybeText,
    }),
  ),
  total: count,
});

const rules = z.object({
  repositories: z.array(z.object({ repository: text, folder: text, lines: texts })),
  protectedPaths: texts,
  trusted: z.array(
    z.object({
      repository: text,
      folder: text,
      entries: z.array(z.object({ ...repositoryCommands, hash: text, at: z.number() })),
    }),
  ),
});

const ruleTest = z.object({
  verdict: z.enum(["runs", "asks", "refused", "lands", "reviewed"]),
  sentence: text,
});

const sandbox = z.object({
  kind: z.enum(["bubblewrap", "seatbelt", "none"]),
  isWhole: z.boolean(),
  missing: texts,
  hidden: texts,
  scratch: texts,
  shown: texts,
});

const conditions = z.array(z.object({ name: text, text }));
const policies = z.object({
  presets: z.array(z.object({ name: z.enum(rulePresets), needs: conditions, vetoes: conditions })),
  templates: z.array(templateChoice),
  files: z.array(templateChoice.extend({ path: text })),
});

const storage = z.object({
  folder: text,
  runCount: count,
  finishedCount: count,
  journal: count,
  payloads: count,
  worktrees: count,
  searchIndex: count,
  isPartial: z.boolean(),
});

const worktrees = z.object({
  folder: text,
  worktrees: z.array(
    z.object({
      path: text,
      repo: maybeText,
      run: runId.nullable(),
      title: maybeText,
      agent: maybeText,
      isRegistered: z.boolean(),
      isOnDisk: z.boolean(),
      isInJournal: z.boolean(),
      standing: z.enum(worktreeStandings),
      act: z.enum(worktreeActs).nullable(),
      lock: maybeText,
      changedCount: count,
      looseCount: count,
      branch: text,
    }),
  ),
  total: count,
});

const keptWork = z.object({
  kept: z.array(
    z.object({
      run: runId,
      title: text,
      agent: agentId,
      reason: text,
      branch: text,
      fileCount: count,
      until: z.number(),
    }),
  ),
});

const backups = z.object({
  folder: text,
  problem: maybeText,
  backups: z.array(z.object({ name: text, at: z.number(), runs: count, events: count, bytes: count })),
});

const doctor = z.object({
  checks: z.array(z.object({ id: text, title: text, ok: z.boolean(), details: texts })),
});

export const careSchemas: { readonly [K in CareKind]: z.ZodType<CareBodies[K]> } = {
  localServers,
  serverModels: z.object({ models: z.array(foundModel) }),
  modelTest,
  modelFacts: foundModel,
  repository,
  files: z.object({ paths: texts }),
  folders: z.object({ folders: z.array(z.object({ path: text, isRepository: z.boolean() })) }),
  search,
  decided,
  rules,
  commandTest: ruleTest,
  pathTest: ruleTest,
  commandPath: z.object({ folders: texts, from: z.enum(["app", "login", "settings"]), problem: maybeText }),
  sandbox,
  policies,
  storage,
  worktrees,
  keptWork,
  backups,
  doctor,
  runCheck: z.object({ faults: texts }),
  roles: z.object({
    roles: z.array(z.object({ name: text, tools: texts, ceiling: text, steps: count })),
    files: z.array(
      z.object({
        path: text,
        name: text,
        about: text,
        tools: texts,
        steps: count,
        model: maybeText,
        problem: maybeText,
        remarks: texts,
      }),
    ),
  }),
};

export const careReceipt: z.ZodType<CareReceipt> = z.object({ commandId: text, said: maybeText });
