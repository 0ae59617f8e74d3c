// The channels between a viewer and the application, the same over Electron's IPC and over one WebSocket.
// Every answer is a `Result`: handlers never reject, and an error is data.

import type { Result } from "../lib/result.ts";
import type { CommandEnvelope } from "./commands.ts";
import type { ContentRequest } from "./content.ts";
import type { HostCall } from "./host.ts";
import type { PageRequest } from "./pages.ts";
import type { Topic, TopicSnapshot } from "./topics.ts";

/** What travels with each request. The first snapshot answers a subscription; newer ones are pushed. */
export interface RequestBodies {
  readonly "topic/subscribe": { readonly topic: Topic };
  readonly "topic/unsubscribe": { readonly topic: Topic };
  readonly "page/read": PageRequest;
  readonly "content/read": ContentRequest;
  readonly "command/execute": CommandEnvelope;
  readonly "host/call": HostCall;
}

export type RequestChannel = keyof RequestBodies;
export const requestChannels = [
  "topic/subscribe",
  "topic/unsubscribe",
  "page/read",
  "content/read",
  "command/execute",
  "host/call",
] as const satisfies readonly RequestChannel[];

/** A request by its channel, as whoever carries it out takes it. */
export type ClientRequest = {
  [C in RequestChannel]: { readonly channel: C; readonly body: RequestBodies[C] };
}[RequestChannel];

/** Client to application. */
export type ClientMessage = { readonly id: number } & ClientRequest;

export type ServerMessage =
  | { readonly kind: "answer"; readonly id: number; readonly result: Result<unknown> }
  | {
      readonly kind: "push";
      readonly channel: "topic/snapshot";
      readonly topic: Topic;
      readonly snapshot: TopicSnapshot;
    };

/** The largest message either side accepts, bytes of its JSON text. */
export const maxMessageBytes = 256 * 1024;
