// What the page is given of the application: three functions, no state. A page never sees `ipcRenderer` itself.

import type { IpcRenderer, IpcRendererEvent } from "electron";

import type { ClientMessage, ServerMessage } from "../shared/contract/channels.ts";
import type { Topic } from "../shared/contract/topics.ts";
import type { Result } from "../shared/lib/result.ts";

type Push = Extract<ServerMessage, { readonly kind: "push" }>;
const subscribe = "topic/subscribe" satisfies ClientMessage["channel"];
const unsubscribe = "topic/unsubscribe" satisfies ClientMessage["channel"];
const pushed = "topic/snapshot" satisfies Push["channel"];

/** The same members as the renderer's `WorkbenchBridge`; a test holds the two together. */
export interface PreloadBridge {
  subscribe(topic: Topic): Promise<Result<unknown>>;
  unsubscribe(topic: Topic): Promise<Result<unknown>>;
  onSnapshot(listener: (topic: string, snapshot: unknown) => void): () => void;
}

export function createBridge(ipc: Pick<IpcRenderer, "invoke" | "on" | "off">): PreloadBridge {
  return {
    subscribe: (topic) => ipc.invoke(subscribe, { topic }) as Promise<Result<unknown>>,
    unsubscribe: (topic) => ipc.invoke(unsubscribe, { topic }) as Promise<Result<unknown>>,
    onSnapshot(listener) {
      const pass = (_event: IpcRendererEvent, { topic, snapshot }: Pick<Push, "topic" | "snapshot">) =>
        listener(topic, snapshot);
      ipc.on(pushed, pass);
      return () => void ipc.off(pushed, pass);
    },
  };
}
