// The browser shell as it is served: real HTTP and WebSockets on loopback, a hand-written source behind them.

import { on, once } from "node:events";
import { mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

import { maxMessageBytes } from "../../../shared/contract/channels.ts";
import type { ServerMessage } from "../../../shared/contract/channels.ts";
import type { RunListSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Topic } from "../../../shared/contract/topics.ts";
import { fail, succeed } from "../../../shared/lib/result.ts";
import type { Log } from "../../logging/log.ts";
import { serve } from "../../serve.ts";
import type { ServeOptions, Serving } from "../../serve.ts";
import { contentPolicy } from "../contentPolicy.ts";
import type { ShellSource, TopicSnapshot } from "../../pages/topicSource.ts";

interface HandSource extends ShellSource {
  readonly watched: Map<Topic, (snapshot: TopicSnapshot) => void>;
  /** Settles when the first watch has ended. */
  readonly ended: Promise<void>;
}

function listOf(version: number): RunListSnapshot {
  return { version, runs: [] };
}

function createHandSource(): HandSource {
  const watched = new Map<Topic, (snapshot: TopicSnapshot) => void>();
  const ended = Promise.withResolvers<void>();
  return {
    watched,
    ended: ended.promise,
    async subscribe(topic, onSnapshot) {
      if (topic !== "runs") return fail({ code: "RUN_NOT_FOUND", message: `There is no ${topic}.` });
      watched.set(topic, onSnapshot);
      const unsubscribe = () => {
        if (watched.delete(topic)) ended.resolve();
      };
      return succeed({ first: listOf(1), unsubscribe });
    },
    readPage: ({ kind }) => Promise.resolve(fail({ code: "RUN_NOT_FOUND", message: `There is no ${kind}.` })),
    readContent: ({ run }) => Promise.resolve(fail({ code: "RUN_NOT_FOUND", message: `There is no ${run}.` })),
    execute: ({ commandId }) => Promise.resolve(fail({ code: "RUN_NOT_FOUND", message: `${commandId} found no run.` })),
  };
}

interface OwnSocket {
  readonly socket: WebSocket;
  send(message: unknown): void;
  next(): Promise<ServerMessage>;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe("the browser shell", () => {
  let folder: string;
  let source: HandSource;
  let serving: Serving;
  let lines: string[];
  let noted: object[];
  let surroundings: ServeOptions;
  let port: number;
  let token: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "coppice-shell-"));
    await mkdir(join(folder, "renderer", "assets"), { recursive: true });
    await writeFile(join(folder, "secret.html"), "secret");
    await writeFile(join(folder, "renderer", "index.html"), "<!doctype html>workbench");
    await writeFile(join(folder, "renderer", "assets", "index.js"), "export {};");
    await symlink(join(folder, "secret.html"), join(folder, "renderer", "link.html"));
    source = createHandSource();
    lines = [];
    noted = [];
    const log: Log = { note: (event, facts) => void noted.push({ event, ...facts }), close: () => {} };
    surroundings = { source, log, rendererFolder: join(folder, "renderer"), print: (line: string) => lines.push(line) };
    serving = await serve(surroundings);
    const url = new URL(serving.url);
    port = Number(url.port);
    token = url.searchParams.get("token") ?? "";
  });

  afterEach(async () => {
    await serving.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** `node:http`, because `fetch` would tidy up paths and refuse to send a foreign Host. */
  async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = "GET"): Promise<Answer> {
    const request = httpRequest({
      port,
      host: "127.0.0.1",
      path,
      method,
      headers: { host: `127.0.0.1:${port}`, ...headers },
      agent: false,
    });
    request.end();
    const [response] = (await once(request, "response")) as [
      NodeJS.ReadableStream & { statusCode?: number; headers: IncomingHttpHeaders },
    ];
    let body = "";
    for await (const chunk of response) body += String(chunk);
    return { status: response.statusCode, headers: response.headers, body };
  }

  async function signIn(): Promise<{ readonly cookie: string }> {
    const { headers } = await ask(`/?token=${token}`);
    return { cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "" };
  }

  /** Opens a socket as a page of ours would; `changes` makes it another's. */
  async function openSocket(
    changes: { readonly path?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<WebSocket> {
    const headers = { origin: `http://127.0.0.1:${port}`, ...(await signIn()), ...changes.headers };
    return new WebSocket(`ws://127.0.0.1:${port}${changes.path ?? "/socket"}`, { headers });
  }

  async function openOwnSocket(): Promise<OwnSocket> {
    const socket = await openSocket();
    // Messages may arrive together: a queue, or the second of two would be missed.
    const messages = on(socket, "message") as AsyncIterableIterator<[Buffer]>;
    await once(socket, "open");
    return {
      socket,
      send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
      async next() {
        const { value } = (await messages.next()) as { readonly value: [Buffer] };
        return JSON.parse(value[0].toString()) as ServerMessage;
      },
    };
  }

  async function refusalOf(socket: WebSocket): Promise<string> {
    const [error] = (await once(socket, "error")) as [Error];
    return error.message;
  }

  async function closeCodeOf(socket: WebSocket): Promise<number> {
    const [code] = (await once(socket, "close")) as [number];
    return code;
  }

  describe("HTTP", () => {
    it("prints one line: the URL with its token", () => {
      expect(lines).toEqual([`http://127.0.0.1:${port}/?token=${token}`]);
    });

    it("gives the page to whoever exchanged the token", async () => {
      const { status, headers, body } = await ask("/", await signIn());
      expect({ status, type: headers["content-type"], policy: headers["content-security-policy"], body }).toEqual({
        status: 200,
        type: "text/html; charset=utf-8",
        policy: contentPolicy,
        body: "<!doctype html>workbench",
      });
    });

    it("says how to get a new link, and nothing else, to a used, wrong or missing token", async () => {
      const cookies = await signIn();
      const answers = await Promise.all([
        ask(`/?token=${token}`, cookies),
        ask("/?token=wrong"),
        ask("/?token="),
        ask("/"),
        ask("/assets/index.js"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(answers[0]?.body).toContain("coppice serve");
      expect(answers[0]?.body).not.toMatch(/<script|<a |<form|src=/);
    });

    it("does not use up the token for a link preview", async () => {
      await ask(`/?token=${token}`, {}, "HEAD");
      expect((await ask(`/?token=${token}`)).status).toBe(200);
    });

    it.each(["evil.example", "127.0.0.1.evil.example"])(
      "does not answer to the name %s, with the right cookie or token",
      async (host) => {
        const cookies = await signIn();
        expect([
          (await ask("/", { ...cookies, host })).status,
          (await ask(`/?token=${token}`, { host })).status,
        ]).toEqual([403, 403]);
      },
    );

    it("does not answer a page of another origin", async () => {
      expect((await ask("/", { ...(await signIn()), origin: "http://evil.example" })).status).toBe(403);
    });

    it.each([
      "/../secret.html",
      "/..%2fsecret.html",
      "/%2e%2e/secret.html",
      "/assets/../../secret.html",
      "//secret.html",
      "/..\\secret.html",
      "/link.html",
      "/assets",
      "/index.html%00",
    ])("serves nothing at %s", async (path) => {
      const { status, body } = await ask(path, await signIn());
      expect({ status, body }).toEqual({ status: 404, body: "There is nothing at this address.\n" });
    });

    it("only reads", async () => {
      const { status, headers } = await ask("/", await signIn(), "POST");
      expect({ status, allow: headers["allow"] }).toEqual({ status: 405, allow: "GET, HEAD" });
    });

    it("listens on loopback only, unless told otherwise", async () => {
      const elsewhere = connect({ port, host: "127.0.0.2" });
      const [error] = (await once(elsewhere, "error")) as [NodeJS.ErrnoException];
      expect(error.code).toBe("ECONNREFUSED");
    });

    it("refuses to start without a built renderer, and says how to build it", async () => {
      const options = { ...surroundings, rendererFolder: join(folder, "nowhere") };
      await expect(serve(options)).rejects.toThrow(/npm run build/);
    });

    it("refuses a port that is taken, by its number", async () => {
      const options = { ...surroundings, port };
      await expect(serve(options)).rejects.toThrow(new RegExp(`port ${port}.*--port`));
    });
  });

  describe("the socket", () => {
    it("answers a subscription with the first snapshot, then pushes newer ones", async () => {
      const page = await openOwnSocket();
      page.send({ id: 7, channel: "topic/subscribe", body: { topic: "runs" } });
      expect(await page.next()).toEqual({ kind: "answer", id: 7, result: succeed(listOf(1)) });
      source.watched.get("runs")?.(listOf(2));
      expect(await page.next()).toEqual({
        kind: "push",
        channel: "topic/snapshot",
        topic: "runs",
        snapshot: listOf(2),
      });
    });

    it("[G04] skips snapshots that a newer one overtakes while one is being sent", async () => {
      const page = await openOwnSocket();
      page.send({ id: 1, channel: "topic/subscribe", body: { topic: "runs" } });
      await page.next();
      for (let version = 2; version <= 50; version += 1) source.watched.get("runs")?.(listOf(version));
      const first = await page.next();
      const second = await page.next();
      expect([first, second].map((message) => message.kind === "push" && message.snapshot)).toEqual([
        listOf(2),
        listOf(50),
      ]);
    });

    it("ends the subscription when asked to", async () => {
      const page = await openOwnSocket();
      page.send({ id: 1, channel: "topic/subscribe", body: { topic: "runs" } });
      await page.next();
      page.send({ id: 2, channel: "topic/unsubscribe", body: { topic: "runs" } });
      expect(await page.next()).toEqual({ kind: "answer", id: 2, result: succeed(null) });
      expect(source.watched.size).toBe(0);
    });

    it("[G05] ends the subscription when the page goes away", async () => {
      const page = await openOwnSocket();
      page.send({ id: 1, channel: "topic/subscribe", body: { topic: "runs" } });
      await page.next();
      page.socket.terminate();
      await source.ended;
      expect(source.watched.size).toBe(0);
    });

    it("passes on why a topic cannot be had", async () => {
      const page = await openOwnSocket();
      page.send({ id: 1, channel: "topic/subscribe", body: { topic: "run/run-gone" } });
      expect(await page.next()).toEqual({
        kind: "answer",
        id: 1,
        result: fail({ code: "RUN_NOT_FOUND", message: "There is no run/run-gone." }),
      });
    });

    it.each([
      { id: 1, channel: "host/call", body: { topic: "runs" } },
      { id: 1, channel: "host/call", body: { kind: "reveal", run: "abcd", agent: null, path: "../../etc" } },
      { id: 1, channel: "shell/open", body: { topic: "runs" } },
      { id: 1, channel: "topic/subscribe", body: { topic: "run/../../etc" } },
      { id: 1, channel: "topic/subscribe", body: { topic: "runs", more: true } },
      { id: 1, channel: "topic/subscribe" },
    ])("refuses %j by its id", async (message) => {
      const page = await openOwnSocket();
      page.send(message);
      expect(await page.next()).toMatchObject({
        kind: "answer",
        id: 1,
        result: { ok: false, error: { code: "BAD_USAGE" } },
      });
    });

    it("[G11] can do nothing with the machine that it runs on, and says so", async () => {
      const page = await openOwnSocket();
      page.send({ id: 1, channel: "host/call", body: { kind: "describe" } });
      expect(await page.next()).toMatchObject({ result: { ok: true, value: { shell: "browser", can: [] } } });
      page.send({ id: 2, channel: "host/call", body: { kind: "openExternal", url: "https://example.com/" } });
      expect(await page.next()).toMatchObject({ result: { ok: false, error: { code: "NOT_HERE" } } });
    });

    it("answers the window's topic, on which nothing is ever asked here", async () => {
      const page = await openOwnSocket();
      page.send({ id: 1, channel: "topic/subscribe", body: { topic: "window" } });
      expect(await page.next()).toMatchObject({ result: { ok: true, value: { asked: [] } } });
    });

    it("notes what it refuses, without token or contents", async () => {
      const page = await openOwnSocket();
      page.send({ id: 1, channel: "shell/open", body: { secret: "x" } });
      await page.next();
      await ask("/", { host: "evil.example", origin: "http://evil.example" });
      // Signs in a second time, with a token that is used up.
      await refusalOf(await openSocket({ headers: { origin: "http://evil.example" } }));
      expect(noted).toEqual([
        {
          event: "request.refused",
          shell: "browser",
          channel: "shell/open",
          reason: "not a request of the contract",
        },
        {
          event: "request.refused",
          shell: "browser",
          reason: "foreign host or origin",
          host: "evil.example",
          origin: "http://evil.example",
        },
        { event: "request.refused", shell: "browser", reason: "stale or unknown token" },
        {
          event: "request.refused",
          shell: "browser",
          reason: "foreign socket",
          host: `127.0.0.1:${port}`,
          origin: "http://evil.example",
        },
      ]);
    });

    it.each(["not json", "[]", "null", '{"channel":"topic/subscribe"}', '{"id":-1}'])(
      "hangs up on %s",
      async (text) => {
        const page = await openOwnSocket();
        page.send(text);
        expect(await closeCodeOf(page.socket)).toBe(1008);
      },
    );

    it("hangs up on a binary message", async () => {
      const page = await openOwnSocket();
      page.socket.send(Buffer.from(JSON.stringify({ id: 1, channel: "topic/subscribe", body: { topic: "runs" } })));
      expect(await closeCodeOf(page.socket)).toBe(1008);
    });

    it("hangs up on a message larger than the contract allows", async () => {
      const page = await openOwnSocket();
      page.send("x".repeat(maxMessageBytes + 1));
      expect(await closeCodeOf(page.socket)).toBe(1009);
    });

    it.each([
      ["another origin", { headers: { origin: "http://evil.example" } }, "403"],
      ["another port's origin", { headers: { origin: "http://127.0.0.1:1" } }, "403"],
      ["another host name", { headers: { host: "evil.example" } }, "403"],
      ["no session", { headers: { cookie: "" } }, "403"],
      ["another path", { path: "/socket/../x" }, "404"],
    ])("refuses %s", async (_what, changes, status) => {
      expect(await refusalOf(await openSocket(changes))).toContain(status);
    });

    it("refuses a caller that names no origin", async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, { headers: await signIn() });
      expect(await refusalOf(socket)).toContain("403");
    });
  });
});
