// What the page is given of the application: its requests and the pushes, no state. A page never sees `ipcRenderer` itself.

import type { IpcRenderer, IpcRendererEvent } from "electron";

import type { WorkbenchBridge } from "../shared/contract/bridge.ts";
import type { RequestBodies, RequestChannel, ServerMessage } from "../shared/contract/channels.ts";
import type { Result } from "../shared/lib/result.ts";

type Push = Extract<ServerMessage, { readonly kind: "push" }>;
const pushed = "topic/snapshot" satisfies Push["channel"];

export function createBridge(ipc: Pick<IpcRenderer, "invoke" | "on" | "off">): WorkbenchBridge {
  const ask = <C extends RequestChannel>(channel: C, body: RequestBodies[C]) =>
    ipc.invoke(channel, body) as Promise<Result<unknown>>;
  return {
    subscribe: (topic) => ask("topic/subscribe", { topic }),
    unsubscribe: (topic) => ask("topic/unsubscribe", { topic }),
    readPage: (request) => ask("page/read", request),
    readContent: (request) => ask("content/read", request),
    execute: (envelope) => ask("command/execute", envelope),
    callHost: (call) => ask("host/call", call),
    onSnapshot(listener) {
      const pass = (_event: IpcRendererEvent, { topic, snapshot }: Pick<Push, "topic" | "snapshot">) =>
        listener(topic, snapshot);
      ipc.on(pushed, pass);
      return () => void ipc.off(pushed, pass);
    },
  };
}
