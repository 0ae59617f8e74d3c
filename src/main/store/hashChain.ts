// The hash chain over the journal: what an event's hash is taken over. Payloads enter by their hash only, so that a
// payload can be erased and the chain still verifies. The form below is on disk for ever and may never change.

import { createHash } from "node:crypto";

import { canonicalJson } from "../../shared/lib/json.ts";

/** What the first event of a root's stream is chained to. */
export const genesisHash = "0".repeat(64);

/** The columns of `events` that an event's hash covers, by their names in the table. */
export interface ChainedEvent {
  readonly run: string;
  readonly seq: number;
  readonly n: number;
  readonly root: string;
  readonly agent: string;
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly key: string | null;
  readonly command: string | null;
  readonly epoch: number;
  readonly payload_hash: string;
  readonly prev_hash: string;
}

/** SHA-256 of UTF-8 text, lower-case hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The hash of an event, over the canonical JSON of exactly the chained columns. */
export function eventHash(event: ChainedEvent): string {
  const { run, seq, n, root, agent, type, version, at, key, command, epoch, payload_hash, prev_hash } = event;
  return sha256(
    canonicalJson({ run, seq, n, root, agent, type, version, at, key, command, epoch, payload_hash, prev_hash }),
  );
}
