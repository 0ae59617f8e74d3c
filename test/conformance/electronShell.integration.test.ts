// The contract over Electron's IPC: the real handlers and the real preload's bridge, over channels in memory that clone
// as Electron does.

import { EventEmitter } from "node:events";

import type { IpcMain, IpcRenderer, WebContents } from "electron";
import { expect, test } from "vitest";

import { answerIpc } from "../../src/main/shells/electron/ipc.ts";
import type { ShellSource } from "../../src/main/pages/topicSource.ts";
import { createBridge } from "../../src/preload/bridge.ts";
import { fail, type Result } from "../../src/shared/lib/result.ts";
import { describeContract, type ShellPage } from "./contract.ts";

type Handler = Parameters<IpcMain["handle"]>[1];

/** Both ends of Electron's IPC for one window. */
function createMemoryIpc() {
  const handlers = new Map<string, Handler>();
  const page = new EventEmitter();
  const frame = {};
  const contents = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    send: (channel: string, message: unknown) => void page.emit(channel, {}, structuredClone(message)),
  });
  const main = {
    handle: (channel: string, handler: Handler) => void handlers.set(channel, handler),
    removeHandler: (channel: string) => void handlers.delete(channel),
  } as Pick<IpcMain, "handle" | "removeHandler">;
  const renderer = {
    async invoke(channel: string, body: unknown) {
      const handler = handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      const event = { sender: contents, senderFrame: frame } as unknown as Parameters<Handler>[0];
      return structuredClone((await handler(event, structuredClone(body))) as unknown);
    },
    on: (channel: string, listener: () => void) => void page.on(channel, listener),
    off: (channel: string, listener: () => void) => void page.off(channel, listener),
  } as unknown as Pick<IpcRenderer, "invoke" | "on" | "off">;
  return { main, renderer, frame, contents: contents as unknown as WebContents, channels: () => [...handlers.keys()] };
}

function openPage(source: ShellSource): Promise<ShellPage> {
  const ipc = createMemoryIpc();
  const stop = answerIpc(ipc.main, ipc.contents, source, (frame) => Object.is(frame, ipc.frame));
  return Promise.resolve({
    bridge: createBridge(ipc.renderer),
    send: (channel, body) =>
      ipc.renderer.invoke(channel, body).catch(() => "refused" as const) as Promise<Result<unknown> | "refused">,
    close: () => Promise.resolve(stop()),
  });
}

describeContract("Electron's IPC", openPage);

const untouched = () => Promise.resolve(fail({ code: "UNEXPECTED", message: "The application was asked." }));
const silent: ShellSource = { subscribe: untouched, readPage: untouched, execute: untouched };

test("a frame that is not the page's own is refused on every channel", async () => {
  const ipc = createMemoryIpc();
  answerIpc(ipc.main, ipc.contents, silent, () => false);
  const answers = await Promise.all(
    ipc.channels().map((channel) => ipc.renderer.invoke(channel, { topic: "runs" }) as Promise<unknown>),
  );
  expect(answers).toHaveLength(4);
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
});

test("what is no plain data, or too much of it, is refused", async () => {
  const ipc = createMemoryIpc();
  answerIpc(ipc.main, ipc.contents, silent, () => true);
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const bodies = [circular, { topic: 1n }, { topic: "runs", more: "x".repeat(300_000) }];
  const answers = await Promise.all(
    bodies.map((body) => ipc.renderer.invoke("topic/subscribe", body) as Promise<unknown>),
  );
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
});
