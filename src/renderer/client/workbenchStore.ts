// What the window knows: the connection, the newest snapshot of each watched topic, and the pages that are looked at.
// Topics are written by `topics.ts` alone, pages by `pages.ts`.

import { createStore } from "zustand/vanilla";
import type { StateCreator, StoreApi } from "zustand/vanilla";

import type { Connection } from "../../shared/contract/bridge.ts";
import type { HostDescription } from "../../shared/contract/host.ts";
import type { PageBody } from "../../shared/contract/pages.ts";
import type { Topic, TopicSnapshot } from "../../shared/contract/topics.ts";
import type { Failure } from "../../shared/lib/result.ts";

/** Both `null`: nothing has arrived yet. A failure keeps the last snapshot beside it. */
export interface TopicView {
  readonly snapshot: TopicSnapshot | null;
  readonly failure: Failure | null;
}

/** What is held of a page; of a list, all rows read so far and the cursor of the next. A failure keeps them. */
export interface PageView {
  readonly body: PageBody | null;
  readonly failure: Failure | null;
  readonly isReading: boolean;
}

interface TopicSlice {
  readonly connection: Connection;
  readonly topics: { readonly [topic in Topic]?: TopicView };
  connect(connection: Connection): void;
  show(topic: Topic, snapshot: TopicSnapshot): void;
  fail(topic: Topic, failure: Failure): void;
  forget(topic: Topic): void;
}

interface PageSlice {
  /** By the page's key. */
  readonly pages: Readonly<Record<string, PageView>>;
  beginPage(key: string): void;
  showPage(key: string, body: PageBody): void;
  failPage(key: string, failure: Failure): void;
  forgetPage(key: string): void;
}

interface HostSlice {
  /** What the machine behind the window can do; `null` until it has said so. */
  readonly host: HostDescription | null;
  describeHost(host: HostDescription): void;
}

export type WorkbenchState = TopicSlice & PageSlice & HostSlice;
export type WorkbenchStore = StoreApi<WorkbenchState>;
type Slice<Part> = StateCreator<WorkbenchState, [], [], Part>;

export function createWorkbenchStore(): WorkbenchStore {
  return createStore<WorkbenchState>()((...parts) => ({
    ...topicSlice(...parts),
    ...pageSlice(...parts),
    ...hostSlice(...parts),
  }));
}

const topicSlice: Slice<TopicSlice> = (set) => ({
  connection: { kind: "connecting" },
  topics: {},
  connect: (connection) => set({ connection }),
  show: (topic, snapshot) => set(({ topics }) => ({ topics: { ...topics, [topic]: { snapshot, failure: null } } })),
  fail: (topic, failure) =>
    set(({ topics }) => ({ topics: { ...topics, [topic]: { snapshot: topics[topic]?.snapshot ?? null, failure } } })),
  forget: (topic) => set(({ topics }) => ({ topics: without(topics, topic) })),
});

const hostSlice: Slice<HostSlice> = (set) => ({ host: null, describeHost: (host) => set({ host }) });

const pageSlice: Slice<PageSlice> = (set) => {
  const change = (key: string, view: Partial<PageView>) =>
    set(({ pages }) => ({
      pages: { ...pages, [key]: { body: null, failure: null, isReading: false, ...pages[key], ...view } },
    }));
  return {
    pages: {},
    beginPage: (key) => change(key, { isReading: true }),
    showPage: (key, body) => change(key, { body, failure: null, isReading: false }),
    failPage: (key, failure) => change(key, { failure, isReading: false }),
    forgetPage: (key) => set(({ pages }) => ({ pages: without(pages, key) })),
  };
};

function without<T>(record: { readonly [name: string]: T }, gone: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== gone));
}
