// What the page knows: the connection, and the newest snapshot of each watched topic. Only `topics.ts` writes here.

import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";

import type { SnapshotOf, Topic } from "../../shared/contract/topics.ts";
import type { Failure } from "../../shared/lib/result.ts";
import type { Connection } from "./bridge.ts";

/** Both `null`: nothing has arrived yet. A failure keeps the last snapshot beside it. */
export interface TopicView {
  readonly snapshot: SnapshotOf<Topic> | null;
  readonly failure: Failure | null;
}

export interface WorkbenchState {
  readonly connection: Connection;
  readonly topics: { readonly [topic in Topic]?: TopicView };
  connect(connection: Connection): void;
  show(topic: Topic, snapshot: SnapshotOf<Topic>): void;
  fail(topic: Topic, failure: Failure): void;
  forget(topic: Topic): void;
}

export type WorkbenchStore = StoreApi<WorkbenchState>;

export function createWorkbenchStore(): WorkbenchStore {
  return createStore<WorkbenchState>()((set) => ({
    connection: { kind: "connecting" },
    topics: {},
    connect: (connection) => set({ connection }),
    show: (topic, snapshot) => set(({ topics }) => ({ topics: { ...topics, [topic]: { snapshot, failure: null } } })),
    fail: (topic, failure) =>
      set(({ topics }) => ({ topics: { ...topics, [topic]: { snapshot: topics[topic]?.snapshot ?? null, failure } } })),
    forget: (topic) =>
      set(({ topics }) => ({ topics: Object.fromEntries(Object.entries(topics).filter(([name]) => name !== topic)) })),
  }));
}
