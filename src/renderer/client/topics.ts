// Keeps what is watched: subscribes while somebody looks, again after the connection was lost, and lets only newer snapshots in.
// The one place where snapshots enter the page: checked, ordered, frozen, and sharing with the one before what stayed as it was.

import type { RemoteBridge } from "../../shared/contract/bridge.ts";
import type { Topic, TopicSnapshot } from "../../shared/contract/topics.ts";
import { isNewer } from "../../shared/contract/topics.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { liveSnapshot, progressSnapshot, runListSnapshot, runSnapshot, settingsSnapshot } from "./snapshotSchemas.ts";
import { windowSnapshot } from "./hostSchemas.ts";
import { shareEqual } from "./shareEqual.ts";
import type { WorkbenchStore } from "./workbenchStore.ts";

/** How long a retryable failure is left alone before it is tried again, in ms. */
const retryMs = 3_000;

export interface Topics {
  /** Watches a topic until the function it returns is called. Several may watch the same one. */
  watch(topic: Topic): () => void;
}

interface Watch {
  watcherCount: number;
  /** Counts subscriptions: an answer to an earlier one is an answer to nothing. */
  generation: number;
  /** Whether this subscription has brought a snapshot. Until it has, numbers do not compare: the process behind it may be another. */
  isFresh: boolean;
}

export function createTopics(bridge: RemoteBridge, store: WorkbenchStore): Topics {
  const watches = new Map<Topic, Watch>();

  async function subscribe(topic: Topic, watch: Watch): Promise<void> {
    watch.generation += 1;
    watch.isFresh = true;
    const { generation } = watch;
    const answer = await bridge.subscribe(topic);
    if (watches.get(topic) !== watch || watch.generation !== generation) return;
    // A push that has overtaken the answer shows more than it.
    if (answer.ok) return watch.isFresh ? receive(topic, answer.value) : undefined;
    // While the connection is away its banner says so, and its return subscribes again.
    if (store.getState().connection.kind !== "open") return;
    store.getState().fail(topic, answer.error);
    if (answer.error.retryable === true) setTimeout(() => retry(topic, watch, generation), retryMs);
  }

  function retry(topic: Topic, watch: Watch, generation: number): void {
    if (watches.get(topic) === watch && watch.generation === generation) void subscribe(topic, watch);
  }

  function receive(topic: Topic, raw: unknown): void {
    const watch = watches.get(topic);
    if (watch === undefined) return;
    const read = readSnapshot(topic, raw);
    if (!read.ok) return store.getState().fail(topic, read.error);
    const held = store.getState().topics[topic]?.snapshot;
    if (!watch.isFresh && held && !isNewer(read.value, held)) return;
    watch.isFresh = false;
    store.getState().show(topic, deepFreeze(shareEqual(held, read.value)));
  }

  bridge.onSnapshot((topic, snapshot) => {
    // Pushes name topics that this page asked for; any other is a late one for a watch that has ended.
    if (watches.has(topic as Topic)) receive(topic as Topic, snapshot);
  });
  bridge.onConnection((connection) => {
    store.getState().connect(connection);
    if (connection.kind === "open") for (const [topic, watch] of watches) void subscribe(topic, watch);
  });

  return {
    watch(topic) {
      const watch = watches.get(topic) ?? { watcherCount: 0, generation: 0, isFresh: true };
      watches.set(topic, watch);
      watch.watcherCount += 1;
      if (watch.watcherCount === 1) void subscribe(topic, watch);
      return () => {
        watch.watcherCount -= 1;
        if (watch.watcherCount > 0) return;
        watches.delete(topic);
        store.getState().forget(topic);
        void bridge.unsubscribe(topic);
      };
    },
  };
}

const singles = {
  runs: runListSnapshot,
  settings: settingsSnapshot,
  progress: progressSnapshot,
  window: windowSnapshot,
} as const;

function ofRun(topic: Topic) {
  return topic.startsWith("live/") ? liveSnapshot : runSnapshot;
}

function readSnapshot(topic: Topic, raw: unknown): Result<TopicSnapshot> {
  const schema = topic in singles ? singles[topic as keyof typeof singles] : ofRun(topic);
  const parsed = schema.safeParse(raw);
  return parsed.success ? succeed(parsed.data) : fail(unreadable(topic));
}

function unreadable(topic: Topic): Failure {
  return {
    code: "UNREADABLE_SNAPSHOT",
    message: `What arrived for ${topic} does not match what this page knows. Reload it; if that does not help, page and program are of different versions.`,
  };
}
