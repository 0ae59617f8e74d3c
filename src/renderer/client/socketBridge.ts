// The bridge over one WebSocket: answers found by id, and a connection that comes back by itself.
// Knows the contract's channels and no topic: who watches what is for `topics.ts`.

import { z } from "zod";

import type { ClientMessage } from "../../shared/contract/channels.ts";
import type { Result } from "../../shared/lib/result.ts";
import { fail } from "../../shared/lib/result.ts";
import type { Connection, RemoteBridge } from "./bridge.ts";

const answerLimitMs = 15_000;
const connectLimitMs = 10_000;
const firstDelayMs = 250;
const longestDelayMs = 10_000;

const failure = z.object({ code: z.string(), message: z.string(), retryable: z.exactOptional(z.boolean()), details: z.exactOptional(z.unknown()) });
const serverMessage = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("answer"),
    id: z.int(),
    result: z.discriminatedUnion("ok", [
      z.object({ ok: z.literal(true), value: z.unknown() }),
      z.object({ ok: z.literal(false), error: failure }),
    ]),
  }),
  z.object({ kind: z.literal("push"), channel: z.literal("topic/snapshot"), topic: z.string(), snapshot: z.unknown() }),
]);

/** The part of `WebSocket` that is used; `readyState` 1 is open. */
export type Socket = Pick<WebSocket, "readyState" | "send" | "close" | "onopen" | "onmessage" | "onclose">;

/** The world around the bridge, so that tests can be it. */
export interface SocketSurroundings {
  openSocket(): Socket;
  /** Whether the server, when it can be reached at all, still knows this page. Never rejects. */
  isSessionOver(): Promise<boolean>;
  now(): number;
  /** Calls `act` after `ms`; the function it returns calls it off. */
  after(ms: number, act: () => void): () => void;
}

/** Opens the connection at once and keeps opening it until the session is over. */
export function connectSocketBridge(surroundings: SocketSurroundings): RemoteBridge {
  const { now, after } = surroundings;
  const snapshotListeners = new Set<(topic: string, snapshot: unknown) => void>();
  const connectionListeners = new Set<(connection: Connection) => void>();
  const pending = new Map<number, (result: Result<unknown>) => void>();
  let connection: Connection = { kind: "connecting" };
  let socket: Socket | null = null;
  let failedAttempts = 0;
  let lostSince: number | null = null;
  let lastId = 0;
  let callOff = () => {};

  function tell(next: Connection): void {
    connection = next;
    for (const listener of connectionListeners) listener(next);
  }

  function connect(): void {
    callOff();
    const opened = surroundings.openSocket();
    socket = opened;
    callOff = after(connectLimitMs, () => opened.close());
    opened.onopen = () => {
      callOff();
      failedAttempts = 0;
      lostSince = null;
      tell({ kind: "open" });
    };
    opened.onmessage = ({ data }) => receive(opened, data);
    opened.onclose = () => {
      callOff();
      if (socket === opened) void lose();
    };
  }

  async function lose(): Promise<void> {
    socket = null;
    for (const answer of pending.values()) answer(fail(connectionLost));
    pending.clear();
    lostSince ??= now();
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** failedAttempts);
    failedAttempts += 1;
    tell({ kind: "lost", since: lostSince, retryAt: now() + delay });
    callOff = after(delay, connect);
    if (!(await surroundings.isSessionOver()) || connection.kind === "open") return;
    callOff();
    socket = null;
    tell({ kind: "ended" });
  }

  function receive(from: Socket, data: unknown): void {
    const message = readMessage(data);
    // A server that cannot be understood is as good as none; the next connection may meet a newer one.
    if (message === undefined) return from.close();
    if (message.kind === "answer") pending.get(message.id)?.(message.result);
    else for (const listener of snapshotListeners) listener(message.topic, message.snapshot);
  }

  function ask(channel: ClientMessage["channel"], topic: ClientMessage["body"]["topic"]): Promise<Result<unknown>> {
    const id = (lastId += 1);
    const through = socket;
    if (through?.readyState !== 1) return Promise.resolve(fail(connectionLost));
    const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
    const forget = after(answerLimitMs, () => settle(fail(noAnswer)));
    const settle = (result: Result<unknown>) => {
      forget();
      pending.delete(id);
      resolve(result);
    };
    pending.set(id, settle);
    through.send(JSON.stringify({ id, channel, body: { topic } } satisfies ClientMessage));
    return promise;
  }

  connect();
  return {
    subscribe: (topic) => ask("topic/subscribe", topic),
    unsubscribe: (topic) => ask("topic/unsubscribe", topic),
    onSnapshot: (listener) => addTo(snapshotListeners, listener),
    onConnection(listener) {
      listener(connection);
      return addTo(connectionListeners, listener);
    },
    reconnect() {
      if (connection.kind === "lost" && socket === null) connect();
    },
  };
}

const connectionLost = { code: "CONNECTION_LOST", message: "The connection to Coppice was lost.", retryable: true };
const noAnswer = { code: "NO_ANSWER", message: `Coppice did not answer within ${answerLimitMs / 1000} s.`, retryable: true };

function readMessage(data: unknown): z.infer<typeof serverMessage> | undefined {
  if (typeof data !== "string") return undefined;
  try {
    return serverMessage.parse(JSON.parse(data));
  } catch {
    return undefined;
  }
}

function addTo<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
