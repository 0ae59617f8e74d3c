import { afterEach, describe, expect, it } from "vitest";
import { ask, closeServers, outcomeOf, serve } from "../../../test/support/askModel.ts";
import { completionChunk } from "../../../test/support/scriptedModel.ts";

afterEach(closeServers);

const shortMs = 60;
const hello = completionChunk({ content: "Hel" });

describe("the limits", () => {
  it("[E10] cut a stream that stalls, and close its socket", async () => {
    const server = await serve({ chunks: [hello], hangAfter: 1 });
    expect((await ask(server, { request: { idleMs: shortMs } })).outcome).toMatchObject({
      kind: "cut",
      code: "STREAM_STALLED",
      text: "Hel",
    });
    await server.requests[0]?.closed;
    expect(server.requests[0]?.isAborted).toBe(true);
  });

  it("[E11] are not moved by comments", async () => {
    expect(
      await outcomeOf({ chunks: [hello], hangAfter: 1, pingEveryMs: 10 }, { request: { idleMs: shortMs } }),
    ).toMatchObject({ kind: "cut", code: "STREAM_STALLED", text: "Hel" });
    expect(
      await outcomeOf({ chunks: [], hangAfter: 0, pingEveryMs: 10 }, { request: { firstEventMs: shortMs } }),
    ).toMatchObject({ kind: "cut", code: "NO_FIRST_EVENT", text: "" });
  });

  it("cut a request whose answer does not even begin", async () => {
    const gate = Promise.withResolvers<void>();
    expect(await outcomeOf({ gate: gate.promise }, { request: { firstEventMs: shortMs } })).toMatchObject({
      kind: "cut",
      code: "NO_FIRST_EVENT",
    });
    gate.resolve();
  });
});

describe("an abort", () => {
  it("before the request keeps it from being sent", async () => {
    const server = await serve({ text: "x" });
    expect((await ask(server, { signal: AbortSignal.abort() })).outcome).toEqual({ kind: "aborted", text: "" });
    expect(server.requests).toEqual([]);
  });

  it("while the server hangs without a word ends it and closes the socket", async () => {
    const gate = Promise.withResolvers<void>();
    const server = await serve({ gate: gate.promise });
    const controller = new AbortController();
    const asked = ask(server, { signal: controller.signal });
    await server.waitForRequests(1);
    controller.abort();
    expect((await asked).outcome).toEqual({ kind: "aborted", text: "" });
    await server.requests[0]?.closed;
    expect(server.requests[0]?.isAborted).toBe(true);
    gate.resolve();
  });

  it("amid the stream is no end of the answer and keeps the text", async () => {
    const server = await serve({ chunks: [hello], hangAfter: 1 });
    const controller = new AbortController();
    expect((await ask(server, { signal: controller.signal, onText: () => controller.abort() })).outcome).toEqual({
      kind: "aborted",
      text: "Hel",
    });
  });

  it("is not mistaken for a stall, nor a stall for an abort", async () => {
    const controller = new AbortController();
    const outcome = await outcomeOf(
      { chunks: [hello], hangAfter: 1 },
      { request: { idleMs: shortMs }, signal: controller.signal },
    );
    controller.abort();
    expect(outcome).toMatchObject({ kind: "cut", code: "STREAM_STALLED" });
  });
});
