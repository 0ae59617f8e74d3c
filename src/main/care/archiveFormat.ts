// The form of a `.coppice` file: a zip of a manifest, a run's events and its payloads, each of both as NDJSON, and, where
// its repository was there, a git bundle of its commits. What is written has this form, and what is read is held to it.

import { z } from "zod";

import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import type { ArchivedEvent, ArchivedPayload } from "../engine/ports/store.ts";

export const archiveFormat = "coppice.run";
/** A change that an older Coppice would misread is the next number: 2 may have a bundle. */
export const archiveVersion = 2;

export const partNames = ["events.ndjson", "payloads.ndjson"] as const;
export type PartName = (typeof partNames)[number];
export const bundleName = "refs.bundle";

const partShape = z.strictObject({ sha256: z.string(), bytes: z.int().min(0) });
/** How long a part is, unpacked, and its hash. */
export type PartFacts = z.infer<typeof partShape>;

export const manifestShape = z.object({
  format: z.literal(archiveFormat),
  version: z.int().min(1).max(archiveVersion),
  /** The Coppice that wrote it. */
  app: z.string(),
  run: z.string(),
  title: z.string(),
  exportedAt: z.number(),
  events: z.int().min(1),
  parts: z.strictObject({
    "events.ndjson": partShape,
    "payloads.ndjson": partShape,
    [bundleName]: z.exactOptional(partShape),
  }),
});
export type Manifest = z.infer<typeof manifestShape>;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const ordinal = z.int().min(1);
const runId = z.custom<RunId>((value) => typeof value === "string" && /^[a-z0-9-]{4,64}$/.test(value), "no run's id");

/** A line of `events.ndjson`. */
export const eventShape: z.ZodType<ArchivedEvent> = z.strictObject({
  root: runId,
  n: ordinal,
  run: runId,
  agent: z.custom<AgentId>((value) => typeof value === "string"),
  seq: ordinal,
  type: z.string(),
  version: ordinal,
  at: z.number(),
  epoch: z.int(),
  key: z.string().nullable(),
  command: z.string().nullable(),
  payload_hash: hash,
  prev_hash: hash,
  hash,
});

/** A line of `payloads.ndjson`. */
export const payloadShape: z.ZodType<ArchivedPayload> = z.strictObject({
  hash,
  text: z.string(),
  isErased: z.boolean(),
});
