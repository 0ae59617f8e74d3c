// The contract over the browser shell: real HTTP, a real WebSocket, and the bridge of the page itself.

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { WebSocket } from "ws";

import { serve } from "../../src/main/serve.ts";
import type { ShellSource } from "../../src/main/pages/topicSource.ts";
import { connectSocketBridge, type Socket } from "../../src/renderer/client/socketBridge.ts";
import type { ServerMessage } from "../../src/shared/contract/channels.ts";
import { describeContract, type ShellPage } from "./contract.ts";

async function openPage(source: ShellSource): Promise<ShellPage> {
  const rendererFolder = await mkdtemp(join(tmpdir(), "coppice-conformance-"));
  await writeFile(join(rendererFolder, "index.html"), "<!doctype html>workbench");
  const serving = await serve({ source, rendererFolder, print: () => undefined });
  const { origin, host } = new URL(serving.url);
  const signedIn = await fetch(serving.url, { redirect: "manual" });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const openSocket = () => new WebSocket(`ws://${host}/socket`, { headers: { origin, cookie } });

  const bridge = connectSocketBridge({
    openSocket: () => openSocket() as unknown as Socket,
    isSessionOver: () => Promise.resolve(true),
    now: Date.now,
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
  await new Promise<void>((resolve) => bridge.onConnection(({ kind }) => kind === "open" && resolve()));

  return {
    bridge,
    async send(channel, body) {
      const socket = openSocket();
      await once(socket, "open");
      const settled = Promise.race([
        once(socket, "message").then(([data]) => JSON.parse(String(data)) as ServerMessage),
        once(socket, "close").then(() => "refused" as const),
      ]);
      socket.send(JSON.stringify({ id: 1, channel, body }));
      const message = await settled;
      socket.terminate();
      return message === "refused" || message.kind !== "answer" ? "refused" : message.result;
    },
    async close() {
      await serving.close();
      await rm(rendererFolder, { recursive: true });
    },
  };
}

describeContract("the browser shell", openPage);
