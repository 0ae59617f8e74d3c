import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SseItem } from "./sse.ts";
import { MalformedStream, readEvents } from "./sse.ts";

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(start, cut);
    start = cut;
  }
}

async function read(text: string | Uint8Array, cuts: readonly number[] = []): Promise<SseItem[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const items: SseItem[] = [];
  for await (const item of readEvents(pieces(bytes, cuts))) items.push(item);
  return items;
}

const data = (value: unknown): SseItem => ({ kind: "data", value });

describe("readEvents", () => {
  it("reads data events and [DONE]", async () => {
    expect(await read('data: {"a":1}\n\ndata:{"a":2}\n\ndata: [DONE]\n\n')).toEqual([
      data({ a: 1 }),
      data({ a: 2 }),
      { kind: "done" },
    ]);
  });

  it("yields nothing for comments, ids, retries and empty data", async () => {
    expect(await read(": ping\n\nid: 3\nretry: 10\n\ndata:\n\n")).toEqual([]);
  });

  it("takes CRLF for a line end", async () => {
    expect(await read('data: {"a":1}\r\n\r\ndata: [DONE]\r\n\r\n')).toEqual([data({ a: 1 }), { kind: "done" }]);
  });

  it("keeps U+2028 and U+0085 inside JSON", async () => {
    expect(await read(`data: {"a":"x\u2028y\u0085z"}\n\n`)).toEqual([data({ a: "x\u2028y\u0085z" })]);
  });

  it("reads two values of one event, on two lines or run together", async () => {
    expect(await read('data: {"a":"}{"}\ndata: {"b":[1]}\n\n')).toEqual([data({ a: "}{" }), data({ b: [1] })]);
    expect(await read('data: {"a":"\\"}{"}{"b":2}[DONE]\n\n')).toEqual([
      data({ a: '"}{' }),
      data({ b: 2 }),
      { kind: "done" },
    ]);
  });

  it("reads one value over several data lines", async () => {
    expect(await read('data: {"a":\ndata: 1}\n\n')).toEqual([data({ a: 1 })]);
  });

  it("reads events that no blank line separates", async () => {
    expect(await read('data: {"a":1}\ndata: {"a":2}\ndata: [DONE]\n')).toEqual([
      data({ a: 1 }),
      data({ a: 2 }),
      { kind: "done" },
    ]);
  });

  it("reads errors in the forms servers send them", async () => {
    const error = { message: "no" };
    expect(await read('event: error\ndata: {"message":"no"}\n\n')).toEqual([{ kind: "error", value: error }]);
    expect(await read('error: {"message":"no"}\n\n')).toEqual([{ kind: "error", value: error }]);
    expect(await read('{"error":{"message":"no"}}\n')).toEqual([data({ error })]);
  });

  it("reports lines that are neither SSE nor JSON", async () => {
    expect(await read("<html>\n")).toEqual([{ kind: "noise", line: "<html>" }]);
  });

  it("refuses a complete event that is not JSON", async () => {
    await expect(read('data: {"a":\n\ndata: {"b":1}\n\n')).rejects.toThrow(MalformedStream);
  });

  it("leaves out an event that the end of the stream cut off, inside a character too", async () => {
    expect(await read('data: {"a":1}\n\ndata: {"b')).toEqual([data({ a: 1 })]);
    const bytes = new TextEncoder().encode('data: {"a":"日');
    expect(await read(bytes.subarray(0, bytes.length - 1))).toEqual([]);
  });

  it("reads the last event without a line end behind it", async () => {
    expect(await read('data: {"a":1}')).toEqual([data({ a: 1 })]);
  });

  it("[E22] reads the same items wherever the bytes are cut", async () => {
    const text =
      ': x\r\n\r\ndata: {"a":"日本\u2028😀"}\r\n\r\nevent: message\ndata: {"b":1}{"c":2}\n\ndata: [DONE]\n\n';
    const bytes = new TextEncoder().encode(text);
    const whole = await read(bytes);
    const cuts = fc.array(fc.nat(bytes.length)).map((list) => list.toSorted((left, right) => left - right));
    await fc.assert(
      fc.asyncProperty(cuts, async (list) => {
        expect(await read(bytes, list)).toEqual(whole);
      }),
    );
  });
});
