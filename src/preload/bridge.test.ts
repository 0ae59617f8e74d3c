import { describe, expect, it } from "vitest";

import type { WorkbenchBridge } from "../renderer/client/bridge.ts";
import { succeed } from "../shared/lib/result.ts";
import { createBridge } from "./bridge.ts";

type Ipc = Parameters<typeof createBridge>[0];
type Listener = Parameters<Ipc["on"]>[1];

function createHandIpc() {
  const invoked: unknown[][] = [];
  const listeners = new Map<string, Listener>();
  const ipc = {
    invoke(...call: unknown[]) {
      invoked.push(call);
      return Promise.resolve(succeed(null));
    },
    on: (channel: string, listener: Listener) => void listeners.set(channel, listener),
    off: (channel: string) => void listeners.delete(channel),
  } as unknown as Ipc;
  return { ipc, invoked, listeners };
}

describe("the preload's bridge", () => {
  it("is the bridge that the page expects, over the contract's channels", async () => {
    const { ipc, invoked } = createHandIpc();
    const bridge: WorkbenchBridge = createBridge(ipc);
    await bridge.subscribe("runs");
    await bridge.unsubscribe("runs");
    expect(invoked).toEqual([
      ["topic/subscribe", { topic: "runs" }],
      ["topic/unsubscribe", { topic: "runs" }],
    ]);
  });

  it("passes on a push without the event that brought it, until it is told to stop", () => {
    const { ipc, listeners } = createHandIpc();
    const told: unknown[][] = [];
    const stop = createBridge(ipc).onSnapshot((...push) => told.push(push));
    listeners.get("topic/snapshot")?.({ sender: "main" } as unknown as Parameters<Listener>[0], {
      topic: "runs",
      snapshot: { version: 1 },
    });
    stop();
    expect({ told, left: listeners.size }).toEqual({ told: [["runs", { version: 1 }]], left: 0 });
  });
});
