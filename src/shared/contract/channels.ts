// The channels between a viewer and the application, the same over Electron's IPC and over one WebSocket.
// Every answer is a `Result`: handlers never reject, and an error is data.

import type { Result } from "../lib/result.ts";
import type { RunListSnapshot, RunSnapshot } from "./snapshots.ts";
import type { Topic } from "./topics.ts";

/** Client to application. The first snapshot answers the subscription; newer ones are pushed. */
export type ClientMessage =
  | { readonly id: number; readonly channel: "topic/subscribe"; readonly body: { readonly topic: Topic } }
  | { readonly id: number; readonly channel: "topic/unsubscribe"; readonly body: { readonly topic: Topic } };

export type ServerMessage =
  | { readonly kind: "answer"; readonly id: number; readonly result: Result<unknown> }
  | { readonly kind: "push"; readonly channel: "topic/snapshot"; readonly topic: Topic; readonly snapshot: RunListSnapshot | RunSnapshot };

/** The largest message either side accepts, bytes of its JSON text. */
export const maxMessageBytes = 256 * 1024;
