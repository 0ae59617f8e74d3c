import { describe, expect, it } from "vitest";
import type { Clock } from "../engine/ports/clock.ts";
import type { ModelOutcome, ModelPort, ModelRequest } from "../engine/ports/model.ts";
import { limitModel, shareModels } from "./limit.ts";

/** A clock that moves when it is told to. Both of its times are the same. */
function createManualClock() {
  let at = 0;
  let timers: { readonly at: number; fire(): void }[] = [];
  const clock: Clock = {
    now: () => 1_000_000 + at,
    monotonic: () => at,
    after(ms, callback) {
      const timer = { at: at + ms, fire: callback };
      timers.push(timer);
      return () => void (timers = timers.filter((each) => each !== timer));
    },
  };
  return {
    clock,
    timerCount: () => timers.length,
    async advance(ms: number) {
      at += ms;
      const due = timers.filter((timer) => timer.at <= at);
      timers = timers.filter((timer) => timer.at > at);
      for (const timer of due) timer.fire();
      await settle();
    },
  };
}

/** Lets everything that can happen without a clock happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const done: ModelOutcome = { kind: "completed", text: "", reasoning: "", toolCalls: [], finish: "stop", usage: null };
const slowDown = (retryAfterMs: number): ModelOutcome => ({
  kind: "failed",
  code: "RATE_LIMITED",
  message: "the.host is limiting the rate",
  retryable: true,
  retryAfterMs,
  text: "",
});

/** A server that answers when the test says so. `started` names the requests that reached it, in order. */
function createHandModel() {
  const started: string[] = [];
  const open = new Map<string, { data(): void; end(outcome: ModelOutcome): void }>();
  const model: ModelPort = {
    complete(request, watch) {
      const name = request.messages[0]?.content ?? "";
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<ModelOutcome>();
      watch.signal.addEventListener("abort", () => resolve({ kind: "aborted", text: "" }));
      open.set(name, { data: () => watch.onData(), end: resolve });
      return promise;
    },
  };
  const at = (name: string) => {
    const found = open.get(name);
    if (!found) throw new Error(`${name} is not in flight`);
    return found;
  };
  return {
    model,
    started,
    async data(name: string) {
      at(name).data();
      await settle();
    },
    async end(name: string, outcome: ModelOutcome = done) {
      at(name).end(outcome);
      await settle();
    },
  };
}

function request(name: string, model: string): ModelRequest {
  return { model, messages: [{ role: "user", content: name }], tools: [], firstEventMs: 1, idleMs: 1 };
}

function ask(model: ModelPort, name: string, to = "m") {
  const controller = new AbortController();
  const queued: (readonly [reason: string, endsAt: number | null])[] = [];
  const outcome = model.complete(request(name, to), {
    signal: controller.signal,
    onText() {},
    onData() {},
    onQueued: (reason, endsAt) => void queued.push([reason, endsAt]),
  });
  return { outcome, queued, abort: () => controller.abort() };
}

function build(maxPerModel: number) {
  const time = createManualClock();
  const server = createHandModel();
  return { ...time, server, model: limitModel(server.model, { maxPerModel, clock: time.clock }) };
}

describe("requests to one model", () => {
  it("start in order of arrival, as many at a time as the limit says", async () => {
    const { model, server } = build(2);
    for (const name of ["a", "b", "c", "d"]) ask(model, name);
    await settle();
    const first = [...server.started];
    await server.end("b");
    const second = [...server.started];
    await server.end("a");
    expect([first, second, server.started]).toEqual([
      ["a", "b"],
      ["a", "b", "c"],
      ["a", "b", "c", "d"],
    ]);
  });

  it("do not keep back those to another", async () => {
    const { model, server } = build(1);
    ask(model, "a", "m");
    ask(model, "b", "m");
    ask(model, "c", "n");
    await settle();
    expect(server.started).toEqual(["a", "c"]);
  });

  it("say why they wait, once", async () => {
    const { model, server } = build(1);
    ask(model, "a");
    const { queued } = ask(model, "b");
    ask(model, "c");
    await settle();
    const before = [...queued];
    await server.end("a");
    expect([before, queued]).toEqual([
      [["the limit of requests to m is reached (1 at a time)", null]],
      [["the limit of requests to m is reached (1 at a time)", null]],
    ]);
  });

  it("that are aborted while they wait never reach the server, and keep no place", async () => {
    const { model, server } = build(1);
    ask(model, "a");
    const waiting = ask(model, "b");
    ask(model, "c");
    waiting.abort();
    const outcome = await waiting.outcome;
    await server.end("a");
    expect([outcome, server.started]).toEqual([{ kind: "aborted", text: "" }, ["a", "c"]]);
  });

  it("that are aborted in flight, or whose model throws, give their place back", async () => {
    const { model, server } = build(1);
    const flying = ask(model, "a");
    ask(model, "b");
    await settle();
    flying.abort();
    await settle();
    const clock = createManualClock().clock;
    const broken = limitModel({ complete: () => Promise.reject(new Error("broken")) }, { maxPerModel: 1, clock });
    const failures = await Promise.allSettled([ask(broken, "x").outcome, ask(broken, "y").outcome]);
    expect([server.started, failures.map((each) => each.status)]).toEqual([
      ["a", "b"],
      ["rejected", "rejected"],
    ]);
  });
});

describe("a server that asks to wait", () => {
  it("[E25] is left alone by everyone until then, and each is told until when", async () => {
    const { model, server, advance } = build(8);
    const first = ask(model, "a");
    await settle();
    await server.end("a", slowDown(2_000));
    const [again, other] = [ask(model, "a2"), ask(model, "b", "n")];
    await advance(1_999);
    const before = [...server.started];
    await advance(1);
    expect([await first.outcome, before, server.started, again.queued[0], other.queued[0]]).toEqual([
      slowDown(2_000),
      ["a"],
      ["a", "a2"],
      ["the.host is limiting the rate", 1_002_000],
      ["the.host is limiting the rate", 1_002_000],
    ]);
  });

  it("gets one request first, and the others when it begins to answer", async () => {
    const { model, server, advance } = build(8);
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for (const name of names) ask(model, name);
    await settle();
    for (const name of names) await server.end(name, slowDown(1_000));
    const retried = names.map((name) => ask(model, `${name}2`));
    await advance(1_000);
    const trial = server.started.slice(8);
    await server.data("a2");
    expect([trial, server.started.length, retried[1]?.queued.map(([reason]) => reason)]).toEqual([
      ["a2"],
      16,
      ["the.host is limiting the rate", "one request goes first after the wait (the.host is limiting the rate)"],
    ]);
  });

  it("may ask again: then all go on waiting", async () => {
    const { model, server, advance } = build(8);
    ask(model, "a");
    await settle();
    await server.end("a", slowDown(1_000));
    ask(model, "b");
    const last = ask(model, "c");
    await advance(1_000);
    await server.end("b", slowDown(5_000));
    await advance(4_999);
    const before = [...server.started];
    await advance(1);
    expect([before, server.started, last.queued.at(-1)]).toEqual([
      ["a", "b"],
      ["a", "b", "c"],
      ["the.host is limiting the rate", 1_006_000],
    ]);
  });

  it("lets the others go when the first one ends in any other way", async () => {
    const { model, server, advance } = build(8);
    ask(model, "a");
    await settle();
    await server.end("a", slowDown(1_000));
    const trial = ask(model, "b");
    ask(model, "c");
    await advance(1_000);
    trial.abort();
    await settle();
    expect(server.started).toEqual(["a", "b", "c"]);
  });

  it("[E25] holds up no abort, and leaves no timer behind", async () => {
    const { model, server, timerCount } = build(8);
    ask(model, "a");
    await settle();
    await server.end("a", slowDown(600_000));
    const waiting = ask(model, "b");
    await settle();
    const running = timerCount();
    waiting.abort();
    expect([running, await waiting.outcome, timerCount()]).toEqual([1, { kind: "aborted", text: "" }, 0]);
  });

  it("by a failure that no retry mends, or for no time, holds nobody up", async () => {
    const { model, server } = build(8);
    ask(model, "a");
    ask(model, "b");
    await settle();
    await server.end("a", {
      kind: "failed",
      code: "QUOTA_EXHAUSTED",
      message: "",
      retryable: false,
      retryAfterMs: 9,
      text: "",
    });
    await server.end("b", slowDown(0));
    ask(model, "c");
    await settle();
    expect(server.started).toEqual(["a", "b", "c"]);
  });
});

describe("shareModels", () => {
  it("gives the same endpoint one queue, and counts over all of them", async () => {
    const server = createHandModel();
    const connect = shareModels(() => server.model, { maxPerModel: 2, maxInAll: 3, clock: createManualClock().clock });
    const one = connect({ baseUrl: "http://one/v1", apiKey: "key" });
    const same = connect({ baseUrl: "http://one/v1/", apiKey: " key " });
    const otherKey = connect({ baseUrl: "http://one/v1", apiKey: "another" });
    for (const name of ["a", "b", "c"]) ask(same, name);
    const over = [ask(otherKey, "d"), ask(otherKey, "e")];
    await settle();
    expect([one === same, one === otherKey, server.started, over[1]?.queued]).toEqual([
      true,
      false,
      ["a", "b", "d"],
      [["the limit of requests to all models is reached (3 at a time)", null]],
    ]);
  });
});
