// What a page may ask of the machine and of long texts, member by member: strict and bounded, as in requestSchemas.ts.

import { z } from "zod";

import type { ContentRequest } from "../../shared/contract/content.ts";
import type { HostCall } from "../../shared/contract/host.ts";
import { type AgentId, isSubagentId, type RunId } from "../../shared/contract/ids.ts";

const runId = z.custom<RunId>(
  (value) => typeof value === "string" && /^[a-z0-9-]{4,64}$/.test(value),
  "not a run's id",
);
const agentId = z.custom<AgentId>(
  (value) => value === "lead" || (typeof value === "string" && value.length <= 20 && isSubagentId(value)),
  "not an agent",
);
const count = z.int().min(0).max(1_000_000_000);
const fromOne = z.int().min(1).max(1_000_000_000);

/** Below a work place: nothing absolute, nothing that climbs out of it, on any platform. */
const path = z
  .string()
  .min(1)
  .max(4_096)
  .refine(
    (text) => !/^[/\\]|^[a-z]:|\\|\0/i.test(text) && !text.split("/").includes(".."),
    "not a path in a work place",
  );

const place = { run: runId, agent: agentId.nullable(), path: z.exactOptional(path) };

export const hostCall: z.ZodType<HostCall> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["describe", "chooseFolder", "newWindow"]) }),
  z.strictObject({ kind: z.literal("openExternal"), url: z.string().min(1).max(8_000) }),
  z.strictObject({ kind: z.literal("reveal"), ...place }),
  z.strictObject({ kind: z.literal("openInEditor"), ...place, line: z.exactOptional(fromOne) }),
]);

export const contentRequest: z.ZodType<ContentRequest> = z.strictObject({
  run: runId,
  agent: agentId,
  n: fromOne,
  row: z.int().min(0).max(10_000),
  after: count,
});
