import { describe, expect, it } from "vitest";

import type { CommandEnvelope } from "../shared/contract/commands.ts";
import type { ContentRequest } from "../shared/contract/content.ts";
import type { CommandId, RunId } from "../shared/contract/ids.ts";
import type { PageRequest } from "../shared/contract/pages.ts";
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
  it("asks over the contract's channels", async () => {
    const { ipc, invoked } = createHandIpc();
    const bridge = createBridge(ipc);
    const page: PageRequest = { kind: "moments", run: "run-1" as RunId };
    const piece: ContentRequest = { run: "run-1" as RunId, agent: "lead", n: 3, row: 0, after: 0 };
    const envelope: CommandEnvelope = {
      commandId: "command-1" as CommandId,
      command: { type: "pause", run: "run-1" as RunId },
    };
    await bridge.subscribe("runs");
    await bridge.unsubscribe("runs");
    await bridge.readPage(page);
    await bridge.readContent(piece);
    await bridge.execute(envelope);
    await bridge.callHost({ kind: "describe" });
    expect(invoked).toEqual([
      ["topic/subscribe", { topic: "runs" }],
      ["topic/unsubscribe", { topic: "runs" }],
      ["page/read", page],
      ["content/read", piece],
      ["command/execute", envelope],
      ["host/call", { kind: "describe" }],
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
