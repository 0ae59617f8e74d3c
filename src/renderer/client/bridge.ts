// What the page may ask of the application: the same object whether Electron's preload made it or a WebSocket stands behind it.

import type { Topic } from "../../shared/contract/topics.ts";
import type { Result } from "../../shared/lib/result.ts";

export interface WorkbenchBridge {
  /** Answers with the topic's first snapshot, unchecked. Never rejects. */
  subscribe(topic: Topic): Promise<Result<unknown>>;
  unsubscribe(topic: Topic): Promise<Result<unknown>>;
  /** Tells about every pushed snapshot, unchecked, until the function it returns is called. */
  onSnapshot(listener: (topic: string, snapshot: unknown) => void): () => void;
}

/** How the page stands with the application. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** `since` and `retryAt` in epoch ms. */
  | { readonly kind: "lost"; readonly since: number; readonly retryAt: number }
  /** The session is over: another attempt cannot succeed. */
  | { readonly kind: "ended" };

/** A bridge whose other end may go away. */
export interface RemoteBridge extends WorkbenchBridge {
  /** Tells the state as of now, then every change. */
  onConnection(listener: (connection: Connection) => void): () => void;
  /** Tries again now instead of at `retryAt`. */
  reconnect(): void;
}

declare global {
  interface Window {
    /** Put there by the preload; absent in a browser. */
    readonly workbench?: WorkbenchBridge;
  }
}
