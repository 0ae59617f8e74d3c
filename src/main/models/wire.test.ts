import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../engine/ports/model.ts";
import { adaptDialect, firstDialect, sentArguments, toWireRequest } from "./wire.ts";

const request: ModelRequest = {
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  tools: [],
  firstEventMs: 1,
  idleMs: 1,
};

describe("toWireRequest", () => {
  it("asks for a stream with usage and leaves out what is empty", () => {
    expect(toWireRequest(request, firstDialect)).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("words tools, calls and answers in OpenAI's way", () => {
    const tool = { name: "read", description: "Reads", parameters: { type: "object" } };
    const call = { id: "a", name: "read", arguments: '{"path":"x"}' };
    const messages = [
      ...request.messages,
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", callId: "a", content: "text" },
    ] as const;
    expect(
      toWireRequest(
        { ...request, messages, tools: [tool], maxOutputTokens: 9 },
        { streamOptions: false, limitField: "max_completion_tokens" },
      ),
    ).toEqual({
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: '{"path":"x"}' } }],
        },
        { role: "tool", tool_call_id: "a", content: "text" },
      ],
      stream: true,
      tools: [{ type: "function", function: tool }],
      max_completion_tokens: 9,
    });
  });

  it("[E20] sends no assistant message that is empty, no invented tool name that is refused, no half of a pair", () => {
    const messages = [
      { role: "user", content: "cut \ud83d" },
      { role: "assistant", content: " ", toolCalls: [] },
      { role: "assistant", content: "", toolCalls: [{ id: "a", name: "fs.read file", arguments: "" }] },
    ] as const;
    const sent = toWireRequest({ ...request, messages }, firstDialect).messages;
    expect(sent).toMatchObject([
      { content: "cut \ufffd" },
      { tool_calls: [{ function: { name: "fs_read_file", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "a" },
    ]);
  });
});

describe("sentArguments", () => {
  it("[E17] keeps objects as they are, unwraps one that is encoded twice, and replaces all else by {}", () => {
    const texts = ['{"a": 1}', '"{\\"a\\":1}"', '{"path":"a.tx', "", "null", "[1]", '"x"', "5"];
    expect(texts.map(sentArguments)).toEqual(['{"a": 1}', '{"a":1}', "{}", "{}", "{}", "{}", "{}", "{}"]);
  });
});

describe("adaptDialect", () => {
  it("learns from a refusal that names the field, once", () => {
    const without = adaptDialect(firstDialect, 400, "Unrecognized request argument: stream_options");
    expect(without).toEqual({ ...firstDialect, streamOptions: false });
    expect(adaptDialect(without ?? firstDialect, 400, "stream_options")).toBeNull();
    expect(adaptDialect(firstDialect, 400, "Use 'max_completion_tokens' instead.")).toEqual({
      ...firstDialect,
      limitField: "max_completion_tokens",
    });
    expect(adaptDialect(firstDialect, 500, "stream_options")).toBeNull();
  });
});
