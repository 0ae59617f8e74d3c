// What can be subscribed to, and what comes back. A new feature adds a topic, not a channel.

import type { RunId } from "./ids.ts";
import type { RunListSnapshot, RunSnapshot } from "./snapshots.ts";

export type Topic = "runs" | `run/${RunId}`;

export type SnapshotOf<T extends Topic> = T extends "runs" ? RunListSnapshot : RunSnapshot;

const runTopic = /^run\/[a-z0-9-]{4,64}$/;

export function isTopic(text: unknown): text is Topic {
  return text === "runs" || (typeof text === "string" && runTopic.test(text));
}
