// The contract over Electron's IPC: the real handlers and the real preload's bridge, over the channels of the stand-in for
// Electron, which clone as Electron's do.

import { EventEmitter } from "node:events";

import type { IpcMain, IpcRenderer, WebContents } from "electron";
import { expect, test } from "vitest";

import { createStandinIpc, type StandinIpc } from "../support/standinIpc.ts";
import { type Log, noLog } from "../../src/main/logging/log.ts";
import type { ShellSource, TopicSnapshot } from "../../src/main/pages/topicSource.ts";
import { answerIpc } from "../../src/main/shells/electron/ipc.ts";
import { createBrowserHost, sourceOn } from "../../src/main/shells/host.ts";
import { createBridge } from "../../src/preload/bridge.ts";
import { requestChannels } from "../../src/shared/contract/channels.ts";
import type { Topic } from "../../src/shared/contract/topics.ts";
import { fail, type Result, succeed } from "../../src/shared/lib/result.ts";
import { describeContract, type ShellPage } from "./contract.ts";

type Page = Pick<IpcRenderer, "invoke" | "on" | "off">;

/** A window of the stand-in: what main knows of it, and its page's end of the channels. */
function createWindow(ipc: StandinIpc) {
  const page = new EventEmitter();
  const frame = {};
  const contents = Object.assign(new EventEmitter(), {
    isDestroyed: () => false,
    send: (channel: string, message: unknown) => void page.emit(channel, {}, structuredClone(message)),
  });
  const renderer = (senderFrame: object): Page =>
    ({
      invoke: (channel: string, body: unknown) => ipc.invoke({ sender: contents, senderFrame }, channel, [body]),
      on: (channel: string, listener: () => void) => void page.on(channel, listener),
      off: (channel: string, listener: () => void) => void page.off(channel, listener),
    }) as unknown as Page;
  return { frame, contents: contents as unknown as WebContents, renderer };
}

const host = createBrowserHost("0.0.0");

function openWindow(source: ShellSource, log: Log) {
  const ipc = createStandinIpc();
  const window = createWindow(ipc);
  const server = answerIpc(ipc as unknown as IpcMain, (frame) => Object.is(frame, window.frame), log);
  server.admit(window.contents, sourceOn(host, source));
  return { ipc, window, server, own: window.renderer(window.frame) };
}

function openPage(source: ShellSource, log: Log): Promise<ShellPage> {
  const { ipc, window, server, own } = openWindow(source, log);
  const send = (page: Page) => (channel: string, body: unknown) =>
    page.invoke(channel, body).catch(() => "refused" as const) as Promise<Result<unknown> | "refused">;
  return Promise.resolve({
    bridge: createBridge(own),
    send: send(own),
    strangers: {
      "of a frame in the page": send(window.renderer({})),
      "of another window's page": send(createWindow(ipc).renderer(window.frame)),
    },
    close: () => Promise.resolve(server.close()),
  });
}

describeContract("Electron's IPC", openPage);

const untouched = () => Promise.resolve(fail({ code: "UNEXPECTED", message: "The application was asked." }));
const silent: ShellSource = {
  subscribe: untouched,
  readPage: untouched,
  readContent: untouched,
  execute: untouched,
};

test("there are handlers for the channels of the contract and no others", () => {
  const { ipc, server } = openWindow(silent, noLog);
  expect(ipc.channels()).toEqual([...requestChannels]);
  server.close();
  expect(ipc.channels()).toEqual([]);
});

test("[G05] a page that is loaded again and again leaves no subscription and no listener behind", async () => {
  const open = new Set<string>();
  const { window, own } = openWindow({ ...silent, subscribe: (topic) => openTopic(open, topic) }, noLog);
  const { contents } = window;
  const countListeners = () => contents.eventNames().map((name) => contents.listenerCount(name as "destroyed"));
  const before = countListeners();
  for (let load = 1; load <= 12; load += 1) {
    contents.emit("did-navigate", {});
    await own.invoke("topic/subscribe", { topic: `run/load-${load}` });
  }
  expect({ open: [...open], listeners: countListeners() }).toEqual({ open: ["run/load-12"], listeners: before });
});

/** A subscription that is among `open` until it is ended. */
function openTopic(open: Set<string>, topic: Topic): ReturnType<ShellSource["subscribe"]> {
  open.add(topic);
  const first = { version: 1 } as unknown as TopicSnapshot;
  return Promise.resolve(succeed({ first, unsubscribe: () => void open.delete(topic) }));
}

test("what is no plain data, or too much of it, is refused", async () => {
  const { own } = openWindow(silent, noLog);
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const bodies = [circular, { topic: 1n }, { topic: "runs", more: "x".repeat(300_000) }];
  const answers = await Promise.all(bodies.map((body) => own.invoke("topic/subscribe", body) as Promise<unknown>));
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
});
