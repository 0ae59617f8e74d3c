import { afterEach, describe, expect, it } from "vitest";
import type { ChatMessage } from "../engine/ports/model.ts";
import { apiKey, ask, closeServers, keep, outcomeOf, requestOf, serve } from "../../../test/support/askModel.ts";
import { completionChunk, startScriptedModel } from "../../../test/support/scriptedModel.ts";
import { createOpenAiModel } from "./openai.ts";

afterEach(closeServers);

const shortMs = 60;
const hello = completionChunk({ content: "Hel" });

describe("a request", () => {
  it("carries model, messages, tools and key, and its answer is streamed", async () => {
    const server = await serve({
      text: "Hello",
      reasoning: "hm",
      calls: [{ name: "read", args: { path: "a" }, id: "A" }],
    });
    const tool = { name: "read", description: "Reads", parameters: { type: "object" } };
    const { outcome, streamed, dataCount } = await ask(server, { request: { tools: [tool], maxOutputTokens: 50 } });
    expect(outcome).toEqual({
      kind: "completed",
      text: "Hello",
      reasoning: "hm",
      toolCalls: [{ id: "A", name: "read", arguments: '{"path":"a"}' }],
      finish: "tool_calls",
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 0 },
    });
    expect({ streamed, dataCount }).toEqual({ streamed: "Hello", dataCount: 6 });
    expect(server.requests[0]?.body).toEqual({
      model: "scripted",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: "function", function: tool }],
      max_tokens: 50,
    });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  it("has no authorization header without a key", async () => {
    const server = await serve({ text: "x" });
    await ask(server, { apiKey: null });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("[E19] sends a repaired history after a cancelled call", async () => {
    const server = await serve({ text: "x" });
    const call = (id: string) => ({ id, name: "read", arguments: '{"path":' });
    const messages: readonly ChatMessage[] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "", toolCalls: [call("A"), call("B")] },
      { role: "tool", callId: "A", content: "one" },
      { role: "assistant", content: "", toolCalls: [] },
      { role: "user", content: "continue" },
    ];
    await ask(server, { request: { messages } });
    expect(server.requests[0]?.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: null, tool_calls: [{ id: "A", function: { arguments: "{}" } }, { id: "B" }] },
      { role: "tool", tool_call_id: "A", content: "one" },
      { role: "tool", tool_call_id: "B", content: expect.stringContaining("INTERRUPTED") as string },
      { role: "user", content: "continue" },
    ]);
  });

  it("is asked again within the same call, and never again, when the server rejects stream_options", async () => {
    const server = keep(
      await startScriptedModel([
        {
          match: /./,
          turns: [
            (body) =>
              "stream_options" in body
                ? { status: 400, body: '{"error":{"message":"Unknown field stream_options"}}' }
                : { text: "x" },
          ],
        },
      ]),
    );
    const model = createOpenAiModel({ baseUrl: server.baseUrl, apiKey });
    const request = requestOf();
    const watch = { signal: new AbortController().signal, onText() {}, onData() {} };
    const both = await Promise.all([model.complete(request, watch), model.complete(request, watch)]);
    expect(both).toMatchObject([{ kind: "completed" }, { kind: "completed" }]);
    const before = server.requests.length;
    expect(await model.complete(request, watch)).toMatchObject({ kind: "completed", text: "x" });
    expect(server.requests.length - before).toBe(1);
  });

  it("accepts a completion that comes whole", async () => {
    const message = {
      role: "assistant",
      content: "Hello",
      tool_calls: [{ id: "A", type: "function", function: { name: "read", arguments: "{}" } }],
    };
    const server = await serve({
      body: JSON.stringify({
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason: "tool_calls" }],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      }),
    });
    const { outcome, streamed } = await ask(server);
    expect(outcome).toMatchObject({
      kind: "completed",
      text: "Hello",
      toolCalls: [{ id: "A" }],
      usage: { inputTokens: 3 },
    });
    expect(streamed).toBe("Hello");
  });

  it("reads an event stream that is labelled as something else", async () => {
    for (const type of ["application/json", "text/plain", "application/octet-stream"]) {
      expect(await outcomeOf({ text: "Hello", headers: { "content-type": type } })).toMatchObject({
        kind: "completed",
        text: "Hello",
      });
    }
  });
});

describe("the stream", () => {
  it("[E01] keeps two calls apart that share index 0", async () => {
    const call = (id: string) =>
      completionChunk({ tool_calls: [{ index: 0, id, function: { name: "read", arguments: `{"path":"${id}"}` } }] });
    expect(await outcomeOf({ chunks: [call("A"), call("B"), completionChunk({}, "tool_calls")] })).toMatchObject({
      toolCalls: [
        { id: "A", arguments: '{"path":"A"}' },
        { id: "B", arguments: '{"path":"B"}' },
      ],
    });
  });

  it("[E22] survives characters split between bytes, U+2028 and CRLF", async () => {
    const bytes = new TextEncoder().encode(
      `data: ${JSON.stringify(completionChunk({ content: "日\u2028\u0085" }, "stop"))}\r\n\r\n`,
    );
    const cut = bytes.indexOf(0xe6) + 1;
    expect(await outcomeOf({ chunks: [bytes.subarray(0, cut), bytes.subarray(cut)] })).toMatchObject({
      kind: "completed",
      text: "日\u2028\u0085",
    });
  });

  it("[E23] reads two events without a blank line between them", async () => {
    const [first, second] = [JSON.stringify(hello), JSON.stringify(completionChunk({ content: "lo" }, "stop"))];
    expect(await outcomeOf({ chunks: [`data: ${first}\ndata: ${second}\n\n`] })).toMatchObject({
      kind: "completed",
      text: "Hello",
    });
    expect(await outcomeOf({ chunks: [`data: ${first}${second}\n\n`] })).toMatchObject({
      kind: "completed",
      text: "Hello",
    });
  });

  it("that is malformed is a cut that names the host and keeps the text", async () => {
    const server = await serve({ chunks: [hello, 'data: {"choices":[\n\n'] });
    expect((await ask(server)).outcome).toMatchObject({
      kind: "cut",
      code: "STREAM_CUT",
      text: "Hel",
      message: `malformed stream from ${server.host}: an event is not JSON`,
    });
  });

  it("[E13] that ends without finish reason is complete with [DONE], a cut without", async () => {
    expect(await outcomeOf({ text: "Hello", finish: null })).toMatchObject({ kind: "completed", text: "Hello" });
    expect(await outcomeOf({ chunks: [hello], withoutDone: true })).toMatchObject({
      kind: "cut",
      code: "STREAM_CUT",
      text: "Hel",
    });
    expect(await outcomeOf({ calls: [{ name: "read", rawArgs: '{"pa' }], finish: null })).toMatchObject({
      kind: "cut",
      code: "STREAM_CUT",
    });
  });

  it("[E26] that is reset is a cut that keeps the text", async () => {
    expect(await outcomeOf({ chunks: [hello], cut: true })).toMatchObject({
      kind: "cut",
      code: "STREAM_CUT",
      text: "Hel",
    });
  });

  it("that is reset or goes silent after the finish reason is complete", async () => {
    const chunks = [completionChunk({ content: "Hello" }, "stop")];
    expect(await outcomeOf({ chunks, cut: true })).toMatchObject({ kind: "completed", text: "Hello" });
    expect(await outcomeOf({ chunks, hangAfter: 1 }, { request: { idleMs: shortMs } })).toMatchObject({
      kind: "completed",
      text: "Hello",
    });
  });

  it("[F01] that stays open after [DONE] is over at [DONE]", async () => {
    const server = await serve({ chunks: [hello, "data: [DONE]\n\n"], hangAfter: 2 });
    expect((await ask(server)).outcome).toMatchObject({ kind: "completed", text: "Hel" });
    await server.requests[0]?.closed;
    expect(server.requests[0]?.isAborted).toBe(true);
  });

  it("that hit the output limit is a cut with its usage", async () => {
    expect(await outcomeOf({ text: "Hel", finish: "length" })).toMatchObject({
      kind: "cut",
      code: "OUTPUT_LIMIT",
      text: "Hel",
      usage: { outputTokens: 20 },
    });
    expect(await outcomeOf({ finish: "length", usage: { prompt_tokens: 0, completion_tokens: 0 } })).toMatchObject({
      kind: "cut",
      code: "OUTPUT_LIMIT",
      text: "",
    });
  });

  it("that holds an error object fails by the kind of the error and keeps the text", async () => {
    expect(await outcomeOf({ chunks: [hello, { error: { message: "Rate limit", code: 429 } }] })).toMatchObject({
      kind: "failed",
      code: "RATE_LIMITED",
      retryable: true,
      text: "Hel",
    });
    expect(await outcomeOf({ chunks: [hello, { error: "out of memory" }] })).toMatchObject({
      kind: "failed",
      code: "SERVER_ERROR",
      text: "Hel",
    });
  });
});
