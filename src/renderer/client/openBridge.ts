// Finds the application: the preload's bridge in Electron, a WebSocket to where the page came from in a browser.

import type { Connection, RemoteBridge, WorkbenchBridge } from "../../shared/contract/bridge.ts";
import { connectSocketBridge } from "./socketBridge.ts";

declare global {
  interface Window {
    /** Put there by the preload; absent in a browser. */
    readonly workbench?: WorkbenchBridge;
  }
}

export function openBridge(page: Window): RemoteBridge {
  const { workbench } = page;
  if (workbench !== undefined) return { ...workbench, onConnection: tellOpen, reconnect: () => {} };
  return connectSocketBridge({
    openSocket: () => new WebSocket(`ws://${page.location.host}/socket`),
    isSessionOver,
    now: Date.now,
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
}

/** A process talking to itself: the connection cannot be lost without the window. */
function tellOpen(listener: (connection: Connection) => void): () => void {
  listener({ kind: "open" });
  return () => {};
}

/** A browser does not say why a socket was refused; the page's own address does. */
async function isSessionOver(): Promise<boolean> {
  try {
    const response = await fetch("/", { method: "HEAD", signal: AbortSignal.timeout(5_000) });
    return response.status === 403;
  } catch {
    return false;
  }
}
