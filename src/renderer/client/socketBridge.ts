// The bridge over one WebSocket: answers found by id, and a connection that comes back by itself.
// Knows the contract's channels and no topic: who watches what is for `topics.ts`.

import { z } from "zod";

import { answerLimitOf } from "../../shared/contract/answerLimits.ts";
import {
  type ClientMessage,
  type ClientRequest,
  maxMessageBytes,
  type RequestBodies,
  type RequestChannel,
} from "../../shared/contract/channels.ts";
import type { Result } from "../../shared/lib/result.ts";
import { fail } from "../../shared/lib/result.ts";
import type { Connection, RemoteBridge } from "../../shared/contract/bridge.ts";

/** An answer that comes at its last moment is still on its way for so long. */
const slackMs = 5_000;
/** After so long without a word it is asked whether the other end is still there. */
const quietMs = 30_000;
const connectLimitMs = 10_000;
const firstDelayMs = 250;
const longestDelayMs = 10_000;

const failure = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.exactOptional(z.boolean()),
  details: z.exactOptional(z.unknown()),
});
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

type ServerMessage = z.infer<typeof serverMessage>;

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
  const snapshotListeners = new Set<(topic: string, snapshot: unknown) => void>();
  const answers = createAnswers(surroundings);
  const line = keepConnected(surroundings, {
    onLost: () => answers.failAll(),
    onQuiet: () => void ask("host/call", { kind: "describe" }),
    onMessage(message) {
      if (message.kind === "answer") answers.settle(message.id, message.result);
      else for (const listener of snapshotListeners) listener(message.topic, message.snapshot);
    },
  });

  function ask<C extends RequestChannel>(channel: C, body: RequestBodies[C]): Promise<Result<unknown>> {
    // One channel with its own body, which the two type parameters hold apart.
    const limitMs = answerLimitOf({ channel, body } as ClientRequest) + slackMs;
    const sentAt = surroundings.now();
    const { id, answer } = answers.expect(limitMs, () => {
      // A busy server says something else meanwhile; of one that says nothing at all the connection is dead (a machine that
      // slept, a tunnel that went away), and only a new one brings what was missed.
      if (line.heardAt() <= sentAt) line.hangUp();
    });
    const text = JSON.stringify({ id, channel, body } satisfies { [M in keyof ClientMessage]: unknown });
    // Sent all the same, it would cost the connection and everything else that is under way.
    if (isTooLarge(text)) answers.settle(id, fail(tooLarge));
    else if (!line.send(text)) answers.settle(id, fail(connectionLost));
    return answer;
  }

  return {
    subscribe: (topic) => ask("topic/subscribe", { topic }),
    unsubscribe: (topic) => ask("topic/unsubscribe", { topic }),
    readPage: (request) => ask("page/read", request),
    readContent: (request) => ask("content/read", request),
    execute: (envelope) => ask("command/execute", envelope),
    callHost: (call) => ask("host/call", call),
    onSnapshot: (listener) => addTo(snapshotListeners, listener),
    onConnection: line.onConnection,
    reconnect: line.reconnect,
  };
}

interface Answers {
  /** Makes room for one answer, which is a failure when it takes longer than `limitMs`; `onLate` is told then. */
  expect(limitMs: number, onLate: () => void): { readonly id: number; readonly answer: Promise<Result<unknown>> };
  /** Does nothing for an id that nobody waits for. */
  settle(id: number, result: Result<unknown>): void;
  failAll(): void;
}

function createAnswers({ after }: SocketSurroundings): Answers {
  const pending = new Map<number, (result: Result<unknown>) => void>();
  let lastId = 0;

  function settle(id: number, result: Result<unknown>): void {
    pending.get(id)?.(result);
    pending.delete(id);
  }

  return {
    expect(limitMs, onLate) {
      const id = (lastId += 1);
      const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
      const callOff = after(limitMs, () => {
        settle(id, fail(noAnswer(limitMs)));
        onLate();
      });
      pending.set(id, (result) => {
        callOff();
        resolve(result);
      });
      return { id, answer: promise };
    },
    settle,
    failAll() {
      for (const id of pending.keys()) settle(id, fail(connectionLost));
    },
  };
}

interface Line extends Pick<RemoteBridge, "onConnection" | "reconnect"> {
  /** `false` when there is nobody to send to. */
  send(text: string): boolean;
  /** When the other end was last heard, epoch ms. */
  heardAt(): number;
  /** Gives this connection up and makes another. */
  hangUp(): void;
}

interface LineEvents {
  onMessage(message: ServerMessage): void;
  onLost(): void;
  /** Nothing was heard for a while. */
  onQuiet(): void;
}

function keepConnected(surroundings: SocketSurroundings, { onMessage, onLost, onQuiet }: LineEvents): Line {
  const { now, after } = surroundings;
  const listeners = new Set<(connection: Connection) => void>();
  let connection: Connection = { kind: "connecting" };
  let socket: Socket | null = null;
  let failedAttempts = 0;
  let lostSince: number | null = null;
  let heardAt = now();
  let callOff = () => {};

  function tell(next: Connection): void {
    connection = next;
    for (const listener of listeners) listener(next);
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
      heardAt = now();
      watchSilence(surroundings, { isOver: () => socket !== opened, heardAt: () => heardAt, onQuiet });
      tell({ kind: "open" });
    };
    opened.onmessage = ({ data }) => {
      heardAt = now();
      const message = readMessage(data);
      // A server that cannot be understood is as good as none; the next connection may meet a newer one.
      if (message === undefined) opened.close();
      else onMessage(message);
    };
    opened.onclose = () => void lose();
  }

  function hangUp(): void {
    const given = socket;
    if (given === null) return;
    // A dead connection may take minutes to close; nobody waits for it.
    given.onmessage = null;
    given.onclose = null;
    given.close();
    void lose();
  }

  async function lose(): Promise<void> {
    callOff();
    socket = null;
    lostSince ??= now();
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** failedAttempts);
    failedAttempts += 1;
    tell({ kind: "lost", since: lostSince, retryAt: now() + delay });
    onLost();
    callOff = after(delay, connect);
    if (!(await surroundings.isSessionOver()) || connection.kind === "open") return;
    callOff();
    tell({ kind: "ended" });
  }

  connect();
  return {
    send(text) {
      if (socket?.readyState !== 1) return false;
      socket.send(text);
      return true;
    },
    heardAt: () => heardAt,
    hangUp,
    onConnection(listener) {
      listener(connection);
      return addTo(listeners, listener);
    },
    reconnect() {
      if (connection.kind === "lost" && socket === null) connect();
    },
  };
}

interface Silence extends Pick<LineEvents, "onQuiet"> {
  isOver(): boolean;
  heardAt(): number;
}

/** Tells of each silence that has become long, until it is over with the connection. */
function watchSilence(surroundings: SocketSurroundings, silence: Silence): void {
  const { now, after } = surroundings;
  after(Math.max(1_000, silence.heardAt() + quietMs - now()), () => {
    if (silence.isOver()) return;
    if (now() - silence.heardAt() >= quietMs) silence.onQuiet();
    watchSilence(surroundings, silence);
  });
}

/** A unit of UTF-16 takes three bytes at most, so that hardly any text has to be spelled out to be measured. */
function isTooLarge(text: string): boolean {
  return 3 * text.length > maxMessageBytes && new TextEncoder().encode(text).byteLength > maxMessageBytes;
}

const connectionLost = { code: "CONNECTION_LOST", message: "The connection to Coppice was lost.", retryable: true };
const tooLarge = {
  code: "BAD_USAGE",
  message: `The request is longer than ${maxMessageBytes / 1024} KiB and was not sent; shorten its text.`,
};
const noAnswer = (limitMs: number) => ({
  code: "NO_ANSWER",
  message: `Coppice did not answer within ${limitMs / 1000} s.`,
  retryable: true,
});

function readMessage(data: unknown): ServerMessage | undefined {
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
