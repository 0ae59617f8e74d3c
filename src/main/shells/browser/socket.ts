// The contract's channels over one WebSocket at `/socket`. Who has no session, calls from another origin
// or speaks another language is turned away; a viewer that reads slowly gets the newest snapshot, not all of them.

import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";

import type { ServerMessage } from "../../../shared/contract/channels.ts";
import { maxMessageBytes } from "../../../shared/contract/channels.ts";
import type { Topic } from "../../../shared/contract/topics.ts";
import { fail } from "../../../shared/lib/result.ts";
import { parseClientMessage } from "../messages.ts";
import type { Log } from "../../logging/log.ts";
import type { TopicSnapshot } from "../../pages/topicSource.ts";
import type { ViewerSource } from "../host.ts";
import type { Viewer } from "../viewer.ts";
import { answerRequest, createViewer } from "../viewer.ts";
import type { Auth } from "./auth.ts";
import { isOwnRequest, whoAsks } from "./hosts.ts";

const maxSockets = 32;

/** A connection that leaves two of these unanswered is gone, in ms. */
const heartbeatMs = 30_000;

/** WebSocket close code: the message broke the protocol's policy. */
const policyViolation = 1008;

export interface SocketOptions {
  readonly auth: Auth;
  readonly names: ReadonlySet<string>;
  readonly source: ViewerSource;
  readonly log: Log;
}

/** Takes over `server`'s upgrades. The function it returns ends every connection at once and stops accepting new ones. */
export function acceptSockets(server: Server, { auth, names, source, log }: SocketOptions): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });

  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on("error", () => stream.destroy());
    // A browser always names its origin on a socket; who does not is no page of ours.
    const isOurs =
      request.headers.origin !== undefined &&
      isOwnRequest(request.headers, names) &&
      auth.isKnown(request.headers.cookie);
    if (!isOurs) {
      log.note("request.refused", { shell: "browser", reason: "foreign socket", ...whoAsks(request) });
      return refuse(stream, "403 Forbidden");
    }
    if (request.url !== "/socket") return refuse(stream, "404 Not Found");
    if (sockets.clients.size >= maxSockets) return refuse(stream, "503 Service Unavailable");
    sockets.handleUpgrade(request, stream, head, (socket) => serveViewer(socket, source, log));
  });

  return () => {
    sockets.close();
    for (const socket of sockets.clients) socket.terminate();
  };
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function serveViewer(socket: WebSocket, source: ViewerSource, log: Log): void {
  const viewer = createViewer(source, createPusher(socket));
  const stopHeartbeat = keepAlive(socket);
  socket.on("message", (data: RawData, isBinary: boolean) => {
    void answerMessage(socket, { source, viewer, log }, isBinary ? "" : textOf(data));
  });
  // Oversized and malformed frames arrive here; `ws` has sent the matching close code by then.
  socket.on("error", ({ message }) => {
    log.note("request.refused", { shell: "browser", reason: message.slice(0, 200) });
    socket.terminate();
  });
  socket.on("close", () => {
    stopHeartbeat();
    viewer.close();
  });
}

interface Parts {
  readonly source: ViewerSource;
  readonly viewer: Viewer;
  readonly log: Log;
}

async function answerMessage(socket: WebSocket, { source, viewer, log }: Parts, text: string): Promise<void> {
  const parsed = parseClientMessage(text);
  if (parsed.ok) {
    const { id, ...request } = parsed.value;
    send(socket, { kind: "answer", id, result: await answerRequest(source, viewer, request) });
    return;
  }
  const { id, channel, failure } = parsed.error;
  log.note("request.refused", { shell: "browser", channel, reason: "not a request of the contract" });
  if (id === null) socket.close(policyViolation, "not a message of this contract");
  else send(socket, { kind: "answer", id, result: fail(failure) });
}

/** One push is under way at a time; meanwhile only the newest snapshot of each topic is kept. */
function createPusher(socket: WebSocket): (topic: Topic, snapshot: TopicSnapshot) => void {
  const waiting = new Map<Topic, TopicSnapshot>();
  let isSending = false;

  function sendNext(): void {
    const [next] = waiting;
    isSending = next !== undefined && socket.readyState === socket.OPEN;
    if (next === undefined || !isSending) return;
    const [topic, snapshot] = next;
    waiting.delete(topic);
    send(socket, { kind: "push", channel: "topic/snapshot", topic, snapshot }, sendNext);
  }

  return (topic, snapshot) => {
    waiting.set(topic, snapshot);
    if (!isSending) sendNext();
  };
}

/** `whenSent` is called once the message has left, or could not: a closed socket's own `close` event says so. */
function send(socket: WebSocket, message: ServerMessage, whenSent: () => void = () => {}): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.send(JSON.stringify(message), () => whenSent());
}

/** Half-open connections (a laptop that went to sleep) hold subscriptions until somebody notices. */
function keepAlive(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on("pong", () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, heartbeatMs);
  return () => clearInterval(timer);
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.from(data as Buffer).toString("utf8");
}
