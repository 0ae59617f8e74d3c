// The contract over the browser shell: real HTTP, a real WebSocket, and the bridge of the page itself.

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { WebSocket } from "ws";

import type { Log } from "../../src/main/logging/log.ts";
import { serve } from "../../src/main/serve.ts";
import type { ShellSource } from "../../src/main/pages/topicSource.ts";
import { connectSocketBridge, type Socket } from "../../src/renderer/client/socketBridge.ts";
import type { ServerMessage } from "../../src/shared/contract/channels.ts";
import type { Result } from "../../src/shared/lib/result.ts";
import { describeContract, type ShellPage } from "./contract.ts";

async function openPage(source: ShellSource, log: Log): Promise<ShellPage> {
  const rendererFolder = await mkdtemp(join(tmpdir(), "coppice-conformance-"));
  await writeFile(join(rendererFolder, "index.html"), "<!doctype html>workbench");
  const serving = await serve({ source, log, rendererFolder, print: () => undefined });
  const { origin, host } = new URL(serving.url);
  const signedIn = await fetch(serving.url, { redirect: "manual" });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const openSocket = (headers: Readonly<Record<string, string>>) => new WebSocket(`ws://${host}/socket`, { headers });
  const own = { origin, cookie };

  const bridge = connectSocketBridge({
    openSocket: () => openSocket(own) as unknown as Socket,
    isSessionOver: () => Promise.resolve(true),
    now: Date.now,
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
  await new Promise<void>((resolve) => bridge.onConnection(({ kind }) => kind === "open" && resolve()));

  const send = (headers: Readonly<Record<string, string>>) => (channel: string, body: unknown) =>
    ask(openSocket(headers), channel, body);
  return {
    bridge,
    send: send(own),
    strangers: {
      "with a stale token": send({ origin, cookie: cookie.replace(/=.*/, "=stale") }),
      "without a session": send({ origin }),
      "of a foreign origin": send({ cookie, origin: "http://evil.example" }),
      "by a wrong host": send({ ...own, host: "evil.example" }),
    },
    async close() {
      await serving.close();
      await rm(rendererFolder, { recursive: true });
    },
  };
}

/** One request on a connection of its own. */
async function ask(socket: WebSocket, channel: string, body: unknown): Promise<Result<unknown> | "refused"> {
  const refused = new Promise<"refused">((resolve) => {
    socket.on("error", () => resolve("refused"));
    socket.on("close", () => resolve("refused"));
  });
  const answered = once(socket, "open").then(async () => {
    const answer = once(socket, "message");
    socket.send(JSON.stringify({ id: 1, channel, body }));
    const [data] = (await answer) as [Buffer];
    return JSON.parse(data.toString()) as ServerMessage;
  });
  const message = await Promise.race([refused, answered]);
  socket.terminate();
  return message === "refused" || message.kind !== "answer" ? "refused" : message.result;
}

describeContract("the browser shell", openPage);
