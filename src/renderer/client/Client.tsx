// The client as React sees it: one context, and a hook for each thing that can be known or done.

import { createContext, use, useCallback, useEffect, useMemo, useRef } from "react";
import type { ReactNode } from "react";
import { useStore } from "zustand";

import type { Connection, RemoteBridge } from "../../shared/contract/bridge.ts";
import type { HostDescription } from "../../shared/contract/host.ts";
import type { PageBodies, PageKind } from "../../shared/contract/pages.ts";
import type { SnapshotOf, Topic } from "../../shared/contract/topics.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { createPages, pageKey, rowsOf } from "./pages.ts";
import type { PageQuery, Pages } from "./pages.ts";
import { createRequests } from "./requests.ts";
import type { Requests } from "./requests.ts";
import { shareEqual } from "./shareEqual.ts";
import { createTopics } from "./topics.ts";
import type { Topics } from "./topics.ts";
import { createWorkbenchStore } from "./workbenchStore.ts";
import type { WorkbenchStore } from "./workbenchStore.ts";

export interface Client extends Requests {
  readonly store: WorkbenchStore;
  readonly topics: Topics;
  readonly pages: Pages;
  reconnect(): void;
}

export function createClient(bridge: RemoteBridge): Client {
  const store = createWorkbenchStore();
  const requests = createRequests(bridge);
  const pages = createPages(requests, store);
  const topics = createTopics(bridge, store);
  bridge.onConnection(({ kind }) => {
    if (kind !== "open") return;
    pages.refreshAll();
    void requests.callHost({ kind: "describe" }).then((host) => {
      if (host.ok) store.getState().describeHost(host.value);
    });
  });
  return {
    ...requests,
    store,
    topics,
    pages,
    reconnect: () => bridge.reconnect(),
  };
}

const ClientContext = createContext<Client | null>(null);

export function ClientProvider({ client, children }: { readonly client: Client; readonly children: ReactNode }) {
  return <ClientContext value={client}>{children}</ClientContext>;
}

function useClient(): Client {
  const client = use(ClientContext);
  if (client === null) throw new Error("A ClientProvider must stand above whatever uses the client.");
  return client;
}

export function useConnection(): Connection {
  return useStore(useClient().store, (state) => state.connection);
}

export function useReconnect(): () => void {
  return useClient().reconnect;
}

/** Carries out commands, each answered by a receipt or by why not. */
export function useExecute(): Requests["execute"] {
  return useClient().execute;
}

/** Has something done that is no run's: settings, keys, rules, data. */
export function useTakeCare(): Requests["takeCare"] {
  return useClient().takeCare;
}

/** What the machine behind the window can do; `null` until it has said so. */
export function useHost(): HostDescription | null {
  return useStore(useClient().store, (state) => state.host);
}

/** Asks something of the machine that the application runs on: only what `useHost` says that it can. */
export function useCallHost(): Requests["callHost"] {
  return useClient().callHost;
}

/** Reads on in a text that a page has clipped. */
export function useReadContent(): Requests["readContent"] {
  return useClient().readContent;
}

/** Reads a page once, for what is not shown all the time (a file's diff copied as text). */
export function useReadPage(): Requests["readPage"] {
  return useClient().readPage;
}

/** Watches `topic` while the component is shown. */
export function useTopic<T extends Topic>(
  topic: T,
): { readonly snapshot: SnapshotOf<T> | null; readonly failure: Failure | null } {
  const { store, topics } = useClient();
  useEffect(() => topics.watch(topic), [topics, topic]);
  const view = useStore(store, (state) => state.topics[topic]);
  // Snapshots are filed under their own topic and checked by its schema.
  return { snapshot: (view?.snapshot ?? null) as SnapshotOf<T> | null, failure: view?.failure ?? null };
}

/**
 * What `select` takes of the newest snapshot of `topic`, `null` before the first; draws again only when that differs. Watches
 * the topic as `useTopic` does. `select` is the same function from one drawing to the next, and looks at each snapshot once.
 */
export function useTopicPart<T extends Topic, Part>(
  topic: T | null,
  select: (snapshot: SnapshotOf<T> | null) => Part,
): Part {
  const { store, topics } = useClient();
  useEffect(() => (topic === null ? undefined : topics.watch(topic)), [topics, topic]);
  const pick = useMemo(() => pickOnce(select), [select]);
  return useStore(store, (state) =>
    pick(((topic === null ? undefined : state.topics[topic])?.snapshot ?? null) as SnapshotOf<T> | null),
  );
}

/** `select`, asked once for each snapshot; a part that equals the one before is that one. */
function pickOnce<Snapshot, Part>(select: (snapshot: Snapshot) => Part): (snapshot: Snapshot) => Part {
  let last: { readonly snapshot: Snapshot; readonly part: Part } | null = null;
  return (snapshot) => {
    if (last === null || last.snapshot !== snapshot)
      last = { snapshot, part: shareEqual(last?.part, select(snapshot)) };
    return last.part;
  };
}

export interface PageInView<K extends PageKind> {
  /** `null` until something has arrived. A list has all rows read so far. */
  readonly body: PageBodies[K] | null;
  readonly failure: Failure | null;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  /** Reads the rows that follow, if any do. */
  readMore(): void;
}

/** Looks at a page while the component is shown; at none for `null`. `version` (the snapshot's ordinal, a commit): with each new one what may have changed is read anew. */
export function usePage<K extends PageKind>(query: PageQuery<K> | null, version?: number | string): PageInView<K> {
  const { store, pages } = useClient();
  const key = query === null ? "" : pageKey(query);
  // Read back from its key, so that an equal query of a later render is the same one.
  const asked = useMemo(() => (key === "" ? null : (JSON.parse(key) as PageQuery)), [key]);
  useEffect(() => (asked === null ? undefined : pages.watch(asked)), [pages, asked]);

  const read = useRef<{ readonly asked: PageQuery | null; readonly version: number | string | undefined }>({
    asked: null,
    version,
  });
  useEffect(() => {
    const last = read.current;
    read.current = { asked, version };
    // The first read of a page is its watch's.
    if (asked !== null && last.asked === asked && last.version !== version) pages.refresh(asked);
  }, [pages, asked, version]);

  const view = useStore(store, (state) => state.pages[key]);
  const readMore = useCallback(() => {
    if (asked !== null) pages.readMore(asked);
  }, [pages, asked]);
  // Pages are filed under their own query and checked by its kind's schema.
  const body = (view?.body ?? null) as PageBodies[K] | null;
  const hasMore = asked !== null && body !== null && rowsOf(asked.kind, body).next !== null;
  return { body, failure: view?.failure ?? null, isReading: view?.isReading ?? false, hasMore, readMore };
}
