import { describe, expect, it } from "vitest";

import { maxMessageBytes } from "../../shared/contract/channels.ts";
import type { Topic } from "../../shared/contract/topics.ts";
import { succeed } from "../../shared/lib/result.ts";
import type { Connection } from "../../shared/contract/bridge.ts";
import { connectSocketBridge } from "./socketBridge.ts";
import type { Socket } from "./socketBridge.ts";

interface HandSocket extends Socket {
  readonly sent: { readonly id: number; readonly channel: string; readonly body: { readonly topic: Topic } }[];
}

function createHandSocket(): HandSocket {
  const sent: HandSocket["sent"] = [];
  const socket: HandSocket = {
    sent,
    readyState: 0,
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text) => void sent.push(JSON.parse(text as string) as HandSocket["sent"][number]),
    close: () => closeSocket(socket),
  };
  return socket;
}

function openSocket(socket: HandSocket | undefined): void {
  if (socket === undefined) throw new Error("No socket was opened.");
  Object.assign(socket, { readyState: 1 });
  socket.onopen?.call(socket as unknown as WebSocket, {} as Event);
}

function closeSocket(socket: HandSocket | undefined): void {
  if (socket === undefined || socket.readyState === 3) return;
  Object.assign(socket, { readyState: 3 });
  socket.onclose?.call(socket as unknown as WebSocket, {} as CloseEvent);
}

function deliver(socket: HandSocket | undefined, message: unknown): void {
  socket?.onmessage?.call(
    socket as unknown as WebSocket,
    { data: typeof message === "string" ? message : JSON.stringify(message) } as MessageEvent,
  );
}

/** A world with a clock that the test moves. */
function setUp({ isSessionOver = false } = {}) {
  const sockets: HandSocket[] = [];
  const timers = new Set<{ readonly at: number; readonly act: () => void }>();
  const states: Connection[] = [];
  let now = 0;
  const bridge = connectSocketBridge({
    openSocket() {
      const socket = createHandSocket();
      sockets.push(socket);
      return socket;
    },
    isSessionOver: () => Promise.resolve(isSessionOver),
    now: () => now,
    after(ms, act) {
      const timer = { at: now + ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  bridge.onConnection((connection) => states.push(connection));
  function pass(ms: number): void {
    now += ms;
    for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.act();
  }
  return { bridge, sockets, states, pass, clock: () => now, kinds: () => states.map(({ kind }) => kind) };
}

describe("the socket bridge", () => {
  it("finds each answer by its id, in whichever order they come", async () => {
    const { bridge, sockets } = setUp();
    openSocket(sockets[0]);
    const answers = Promise.all([bridge.subscribe("runs"), bridge.unsubscribe("runs")]);
    const [first, second] = sockets[0]?.sent ?? [];
    deliver(sockets[0], { kind: "answer", id: second?.id, result: succeed("second") });
    deliver(sockets[0], { kind: "answer", id: first?.id, result: succeed("first") });
    expect(await answers).toEqual([succeed("first"), succeed("second")]);
    expect([first?.channel, second?.channel]).toEqual(["topic/subscribe", "topic/unsubscribe"]);
  });

  it("tells pushes to whoever listens", () => {
    const { bridge, sockets } = setUp();
    const told: unknown[] = [];
    const stop = bridge.onSnapshot((...push) => told.push(push));
    openSocket(sockets[0]);
    const push = { kind: "push", channel: "topic/snapshot", topic: "runs", snapshot: { version: 1 } };
    deliver(sockets[0], push);
    stop();
    deliver(sockets[0], push);
    expect(told).toEqual([["runs", { version: 1 }]]);
  });

  it("fails what is under way when the connection is lost, and says that asking again may help", async () => {
    const { bridge, sockets } = setUp();
    openSocket(sockets[0]);
    const answer = bridge.subscribe("runs");
    closeSocket(sockets[0]);
    expect(await answer).toMatchObject({ ok: false, error: { code: "CONNECTION_LOST", retryable: true } });
  });

  it("fails a request that is not answered in time", async () => {
    const { bridge, sockets, pass } = setUp();
    openSocket(sockets[0]);
    const answer = bridge.subscribe("runs");
    pass(15_000);
    expect(await answer).toMatchObject({ ok: false, error: { code: "NO_ANSWER" } });
  });

  it("gives up a connection on which nothing at all is heard, and makes another", async () => {
    const { bridge, sockets, kinds, pass } = setUp();
    openSocket(sockets[0]);
    const answer = bridge.subscribe("runs");
    pass(15_000);
    expect(await answer).toMatchObject({ ok: false, error: { code: "NO_ANSWER", retryable: true } });
    pass(250);
    openSocket(sockets[1]);
    expect(kinds()).toEqual(["connecting", "open", "lost", "open"]);
  });

  it("keeps a connection on which one answer is late and others are not", () => {
    const { bridge, sockets, kinds, pass } = setUp();
    openSocket(sockets[0]);
    void bridge.subscribe("runs");
    pass(10_000);
    deliver(sockets[0], { kind: "push", channel: "topic/snapshot", topic: "runs", snapshot: {} });
    pass(5_000);
    expect(kinds()).toEqual(["connecting", "open"]);
  });

  it("asks into a long silence, and takes no answer for a dead connection", () => {
    const { sockets, kinds, pass } = setUp();
    openSocket(sockets[0]);
    pass(30_000);
    expect(sockets[0]?.sent.map(({ channel }) => channel)).toEqual(["host/call"]);
    pass(15_000);
    expect(kinds()).toEqual(["connecting", "open", "lost"]);
  });

  it("waits longer for what may take long", () => {
    const { bridge, sockets, kinds, pass } = setUp();
    openSocket(sockets[0]);
    void bridge.readPage({ kind: "modelTest", baseUrl: "http://127.0.0.1:1/v1", model: "m" });
    pass(29_000);
    expect(kinds()).toEqual(["connecting", "open"]);
  });

  it("comes back by itself, more slowly each time, and says since when it was away", () => {
    const { sockets, states, pass } = setUp();
    openSocket(sockets[0]);
    for (const wait of [250, 500, 1_000]) {
      closeSocket(sockets.at(-1));
      pass(wait - 1);
      const before = sockets.length;
      pass(1);
      expect(sockets.length).toBe(before + 1);
    }
    openSocket(sockets.at(-1));
    expect(states.map((state) => (state.kind === "lost" ? state.since : state.kind))).toEqual([
      "connecting",
      "open",
      0,
      0,
      0,
      "open",
    ]);
  });

  it("waits ten seconds at most between two attempts", () => {
    const { sockets, states, pass, clock } = setUp();
    const waits = Array.from({ length: 12 }, () => {
      closeSocket(sockets.at(-1));
      const last = states.at(-1);
      const wait = last?.kind === "lost" ? last.retryAt - clock() : Number.NaN;
      pass(wait);
      return wait;
    });
    expect([Math.max(...waits), sockets.length]).toEqual([10_000, 13]);
  });

  it("tries at once when asked to", () => {
    const { bridge, sockets } = setUp();
    closeSocket(sockets[0]);
    bridge.reconnect();
    expect(sockets.length).toBe(2);
  });

  it("gives up on a socket that never opens", () => {
    const { sockets, kinds, pass } = setUp();
    pass(10_000);
    expect({ state: sockets[0]?.readyState, kinds: kinds() }).toEqual({ state: 3, kinds: ["connecting", "lost"] });
  });

  it("stops trying when the server no longer knows the page", async () => {
    const { sockets, kinds, pass } = setUp({ isSessionOver: true });
    openSocket(sockets[0]);
    closeSocket(sockets[0]);
    await new Promise(setImmediate);
    pass(60_000);
    expect({ kinds: kinds(), socketCount: sockets.length }).toEqual({
      kinds: ["connecting", "open", "lost", "ended"],
      socketCount: 1,
    });
  });

  it("sends what a message may hold, counted in bytes, and refuses one more", async () => {
    const { bridge, sockets } = setUp();
    openSocket(sockets[0]);
    const read = (text: string) => bridge.subscribe(text as Topic);
    const around = JSON.stringify({ id: 1, channel: "topic/subscribe", body: { topic: "" } }).length;
    const euros = "€".repeat(1_000);
    const rest = maxMessageBytes - around - 3 * euros.length;
    void read(`${euros}${"a".repeat(rest)}`);
    const refused = await read(`${euros}${"a".repeat(rest + 1)}`);
    expect({ sentCount: sockets[0]?.sent.length, refused }).toMatchObject({
      sentCount: 1,
      refused: { ok: false, error: { code: "BAD_USAGE" } },
    });
  });

  it("hangs up on a server that it does not understand", () => {
    const { sockets, kinds } = setUp();
    openSocket(sockets[0]);
    deliver(sockets[0], "{");
    expect(kinds()).toEqual(["connecting", "open", "lost"]);
  });
});
