// What a page may ask of the application as a whole, member by member: strict and bounded, as in requestSchemas.ts.

import { z } from "zod";

import type { CareCommand, CareRequest } from "../../shared/contract/care.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import { settingsChangesSchema } from "../../shared/contract/settings.ts";
import { worktreeActs } from "../../shared/contract/worktrees.ts";

const runId = z.custom<RunId>(
  (value) => typeof value === "string" && /^[a-z0-9-]{4,64}$/.test(value),
  "not a run's id",
);
const provider = z.string().min(1).max(40);
const key = z.string().min(1).max(4_000);
const line = z.string().min(1).max(10_000);
const path = z.string().min(1).max(4_096);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const typed = z.string().max(4_096);
const server = { baseUrl: z.string().min(1).max(2_000), key: z.exactOptional(key) };

export const careRequests = [
  z.strictObject({ kind: z.literal("localServers") }),
  z.strictObject({ kind: z.literal("serverModels"), ...server }),
  z.strictObject({ kind: z.literal("modelTest"), ...server, model: z.string().min(1).max(200) }),
  z.strictObject({
    kind: z.literal("modelFacts"),
    baseUrl: z.string().max(2_000),
    model: z.string().min(1).max(200),
  }),
  z.strictObject({ kind: z.literal("repository"), folder: path }),
  z.strictObject({ kind: z.literal("files"), folder: path, typed }),
  z.strictObject({ kind: z.literal("folders"), typed }),
  z.strictObject({
    kind: z.literal("search"),
    text: z.string().min(1).max(500),
    limit: z.int().min(1).max(200),
  }),
  z.strictObject({ kind: z.literal("decided"), since: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }),
  z.strictObject({ kind: z.literal("rules") }),
  z.strictObject({ kind: z.literal("commandTest"), line, repository: path.nullable() }),
  z.strictObject({ kind: z.literal("pathTest"), path }),
  z.strictObject({ kind: z.literal("commandPath") }),
  z.strictObject({ kind: z.literal("sandbox") }),
  z.strictObject({ kind: z.literal("policies"), folder: path.nullable() }),
  z.strictObject({ kind: z.literal("storage") }),
  z.strictObject({ kind: z.literal("worktrees") }),
  z.strictObject({ kind: z.literal("keptWork") }),
  z.strictObject({ kind: z.literal("backups") }),
  z.strictObject({ kind: z.literal("doctor") }),
  z.strictObject({ kind: z.literal("runCheck"), run: runId }),
  z.strictObject({ kind: z.literal("roles"), folder: path.nullable() }),
] as const satisfies readonly z.ZodType<CareRequest>[];

export const careCommands = [
  z.strictObject({ type: z.literal("changeSettings"), changes: settingsChangesSchema }),
  z.strictObject({ type: z.literal("keepKey"), provider, key }),
  z.strictObject({ type: z.literal("forgetKey"), provider }),
  z.strictObject({ type: z.literal("forgetRule"), repository: path, line }),
  z.strictObject({ type: z.literal("trustCommands"), folder: path, hash }),
  z.strictObject({ type: z.literal("forgetTrust"), repository: path, hash }),
  z.strictObject({ type: z.literal("cleanUp") }),
  z.strictObject({ type: z.literal("mendWorktree"), path, act: z.enum(worktreeActs) }),
  z.strictObject({ type: z.literal("backUp") }),
  z.strictObject({ type: z.literal("exportRun"), run: runId, file: path }),
  z.strictObject({ type: z.literal("importRun"), file: path }),
] as const satisfies readonly z.ZodType<CareCommand>[];
