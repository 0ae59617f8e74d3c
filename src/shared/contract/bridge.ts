// What a page may ask of the application: the same object whether Electron's preload made it or a WebSocket stands
// behind it. One definition for the preload and the renderer.

import type { Result } from "../lib/result.ts";
import type { CommandEnvelope } from "./commands.ts";
import type { ContentRequest } from "./content.ts";
import type { HostCall } from "./host.ts";
import type { PageRequest } from "./pages.ts";
import type { Topic } from "./topics.ts";

/** Answers come unchecked, and no request rejects. */
export interface WorkbenchBridge {
  /** Answers with the topic's first snapshot. */
  subscribe(topic: Topic): Promise<Result<unknown>>;
  unsubscribe(topic: Topic): Promise<Result<unknown>>;
  /** Tells about every pushed snapshot until the function it returns is called. */
  onSnapshot(listener: (topic: string, snapshot: unknown) => void): () => void;
  /** Answers with the body of the page. */
  readPage(request: PageRequest): Promise<Result<unknown>>;
  /** Answers with a piece of a text that a page has clipped. */
  readContent(request: ContentRequest): Promise<Result<unknown>>;
  /** Answers with the command's receipt. */
  execute(envelope: CommandEnvelope): Promise<Result<unknown>>;
  /** Answers with what the call's kind has for an answer. */
  callHost(call: HostCall): Promise<Result<unknown>>;
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
