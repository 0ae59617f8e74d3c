// What can be subscribed to, and what comes back. A new feature adds a topic, not a channel.

import type { RunId } from "./ids.ts";
import type { ProgressSnapshot } from "./progress.ts";
import type { SettingsSnapshot } from "./settings.ts";
import type { LiveSnapshot, RunListSnapshot, RunSnapshot } from "./snapshots.ts";
import type { WindowSnapshot } from "./window.ts";

/** `live/…` is provisional: text that is still being streamed, and in no journal yet. */
export type Topic = "runs" | "settings" | "progress" | "window" | `run/${RunId}` | `live/${RunId}`;

export type SnapshotOf<T extends Topic> = T extends "runs"
  ? RunListSnapshot
  : T extends "settings"
    ? SettingsSnapshot
    : T extends "progress"
      ? ProgressSnapshot
      : T extends "window"
        ? WindowSnapshot
        : T extends `live/${RunId}`
          ? LiveSnapshot
          : RunSnapshot;

export type TopicSnapshot =
  | RunListSnapshot
  | SettingsSnapshot
  | ProgressSnapshot
  | WindowSnapshot
  | RunSnapshot
  | LiveSnapshot;

const singleTopics: readonly unknown[] = ["runs", "settings", "progress", "window"] satisfies readonly Topic[];
const runTopic = /^(?:run|live)\/[a-z0-9-]{4,64}$/;

export function isTopic(text: unknown): text is Topic {
  return singleTopics.includes(text) || (typeof text === "string" && runTopic.test(text));
}

/** Whether `next` shows more than `held`, both of one topic and one subscription. A run's standing depends on who drives it too, so at one ordinal another status is news. */
export function isNewer(next: TopicSnapshot, held: TopicSnapshot): boolean {
  if ("version" in next && "version" in held) return next.version > held.version;
  if (!("at" in next) || !("at" in held)) return true;
  return next.at > held.at || (next.at === held.at && next.status !== held.status);
}
