// The client as React sees it: one context, and a hook for each thing that can be known.

import { createContext, use, useEffect } from "react";
import type { ReactNode } from "react";
import { useStore } from "zustand";

import type { SnapshotOf, Topic } from "../../shared/contract/topics.ts";
import type { Failure } from "../../shared/lib/result.ts";
import type { Connection, RemoteBridge } from "./bridge.ts";
import { createTopics } from "./topics.ts";
import type { Topics } from "./topics.ts";
import { createWorkbenchStore } from "./workbenchStore.ts";
import type { WorkbenchStore } from "./workbenchStore.ts";

export interface Client {
  readonly store: WorkbenchStore;
  readonly topics: Topics;
  reconnect(): void;
}

export function createClient(bridge: RemoteBridge): Client {
  const store = createWorkbenchStore();
  return { store, topics: createTopics(bridge, store), reconnect: () => bridge.reconnect() };
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
