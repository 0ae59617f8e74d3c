import { describe, expect, it } from "vitest";
import type { ModelOutcome } from "../engine/ports/model.ts";
import { createAccumulator, judgeAnswer } from "./accumulate.ts";
import { readChunk } from "./chunk.ts";

/** The outcome of chunks that ended so. */
function outcomeOf(
  chunks: readonly unknown[],
  end: "done" | "eof" = "done",
  taken: readonly string[] = [],
): ModelOutcome {
  const accumulator = createAccumulator();
  for (const value of chunks) {
    const chunk = readChunk(value);
    if (chunk !== null) accumulator.add(chunk);
  }
  return judgeAnswer(accumulator.answer(), end, "the.host", new Set(taken));
}

const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const finish = (reason: string) => delta({}, reason);

interface Fragment {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
}
const calls = (...fragments: readonly Fragment[]) =>
  delta({ tool_calls: fragments.map(({ name, args, ...rest }) => ({ ...rest, function: { name, arguments: args } })) });

function callsOf(outcome: ModelOutcome): readonly (readonly [string, string, string])[] {
  return outcome.kind === "completed"
    ? outcome.toolCalls.map((call) => [call.id, call.name, call.arguments] as const)
    : [];
}

describe("tool calls", () => {
  it("[E01] are two when every fragment has index 0 and a new id", () => {
    const outcome = outcomeOf([
      calls({ index: 0, id: "A", name: "read", args: '{"path":"a"}' }),
      calls({ index: 0, id: "B", name: "read", args: '{"path":"b"}' }),
      finish("tool_calls"),
    ]);
    expect(callsOf(outcome)).toEqual([
      ["A", "read", '{"path":"a"}'],
      ["B", "read", '{"path":"b"}'],
    ]);
  });

  it("are two when index is 0, ids are missing and a name comes after complete arguments", () => {
    const outcome = outcomeOf([
      calls({ index: 0, name: "read", args: '{"path":"a"}' }),
      calls({ index: 0, name: "read", args: '{"path":"b"}' }),
      finish("tool_calls"),
    ]);
    expect(callsOf(outcome)).toEqual([
      ["call_1", "read", '{"path":"a"}'],
      ["call_2", "read", '{"path":"b"}'],
    ]);
  });

  it("[E02] are told apart by id where the index is missing", () => {
    const outcome = outcomeOf([
      calls({ id: "A", name: "read", args: '{"pa' }),
      calls({ args: 'th":"a"}' }),
      calls({ id: "B", name: "list", args: "{}" }),
      finish("tool_calls"),
    ]);
    expect(callsOf(outcome)).toEqual([
      ["A", "read", '{"path":"a"}'],
      ["B", "list", "{}"],
    ]);
  });

  it("are joined by index when fragments of two calls interleave", () => {
    const outcome = outcomeOf([
      calls({ index: 0, id: "A", name: "read", args: "" }, { index: 1, id: "B", name: "list", args: "" }),
      calls({ index: 1, args: '{"b":' }, { index: 0, args: '{"a":' }),
      calls({ index: 0, args: "1}" }, { index: 1, args: "2}" }),
      finish("tool_calls"),
    ]);
    expect(callsOf(outcome)).toEqual([
      ["A", "read", '{"a":1}'],
      ["B", "list", '{"b":2}'],
    ]);
  });

  it("[E04] keep one name that is repeated with every fragment", () => {
    const outcome = outcomeOf([
      calls({ index: 0, id: "A", name: "read", args: "{" }),
      calls({ index: 0, id: "A", name: "read", args: "}" }),
      finish("tool_calls"),
    ]);
    expect(callsOf(outcome)).toEqual([["A", "read", "{}"]]);
  });

  it("stay one call when the id changes with every fragment of it", () => {
    const outcome = outcomeOf([
      calls({ index: 0, id: "A", name: "read", args: '{"a"' }),
      calls({ index: 0, id: "B", args: ":1}" }),
      finish("tool_calls"),
    ]);
    expect(callsOf(outcome)).toEqual([["A", "read", '{"a":1}']]);
  });

  it("are counted once when the server sends a whole call again", () => {
    const whole = calls({ index: 0, id: "A", name: "read", args: '{"a":1}' });
    expect(callsOf(outcomeOf([whole, whole, finish("tool_calls")]))).toEqual([["A", "read", '{"a":1}']]);
  });

  it("get distinct ids, also from those of the conversation so far", () => {
    const outcome = outcomeOf(
      [
        calls(
          { index: 0, id: "call_0", name: "read", args: "{}" },
          { index: 1, id: "call_0", name: "list", args: "{}" },
        ),
        finish("tool_calls"),
      ],
      "done",
      ["call_0"],
    );
    expect(callsOf(outcome)).toEqual([
      ["call_0_2", "read", "{}"],
      ["call_0_3", "list", "{}"],
    ]);
  });

  it("hand on arguments as they came, invalid ones too, when the server says the call is over", () => {
    const texts = ['{"path":"a.tx', "null", "[1]", '"a"', "", '"{\\"path\\":\\"a\\"}"'];
    const outcomes = texts.map((args) =>
      outcomeOf([calls({ index: 0, id: "A", name: "read", args }), finish("tool_calls")]),
    );
    expect(outcomes.map(callsOf)).toEqual(texts.map((args) => [["A", "read", args]]));
  });

  it("take arguments that come as an object", () => {
    expect(
      callsOf(outcomeOf([calls({ index: 0, id: "A", name: "read", args: { path: "a" } }), finish("stop")])),
    ).toEqual([["A", "read", '{"path":"a"}']]);
  });

  it("[E05] count although the finish reason is stop", () => {
    const outcome = outcomeOf([calls({ index: 0, id: "A", name: "read", args: "{}" }), finish("stop")]);
    expect(outcome).toMatchObject({ kind: "completed", finish: "stop", toolCalls: [{ id: "A" }] });
  });

  it("are none when text merely looks like one", () => {
    const text = '<tool_call>{"name":"read","arguments":{}}</tool_call>';
    expect(outcomeOf([delta({ content: text }), finish("stop")])).toMatchObject({
      kind: "completed",
      text,
      toolCalls: [],
    });
  });

  it("cut the answer when one has no name", () => {
    expect(outcomeOf([calls({ index: 0, id: "A", args: "{}" }), finish("tool_calls")])).toMatchObject({
      kind: "cut",
      code: "STREAM_CUT",
    });
  });
});

describe("the end of an answer", () => {
  it("[E07] is complete with finish tool_calls and no call", () => {
    expect(outcomeOf([delta({ content: "Let me look" }), delta({ tool_calls: [] }, "tool_calls")])).toMatchObject({
      kind: "completed",
      text: "Let me look",
      toolCalls: [],
      finish: "tool_calls",
    });
  });

  it("[E20] is complete with reasoning alone", () => {
    expect(outcomeOf([delta({ reasoning_content: "hm" }), delta({ reasoning: "m" }), finish("stop")])).toMatchObject({
      kind: "completed",
      text: "",
      reasoning: "hmm",
    });
  });

  it("[E14] is complete with [DONE] and no finish reason, unless a call is half built", () => {
    expect(outcomeOf([delta({ content: "Hello" })], "done")).toMatchObject({
      kind: "completed",
      text: "Hello",
      finish: "stop",
    });
    expect(outcomeOf([calls({ index: 0, id: "A", name: "read", args: '{"a":1}' })], "done")).toMatchObject({
      kind: "completed",
      finish: "tool_calls",
    });
    expect(outcomeOf([calls({ index: 0, id: "A", name: "read", args: '{"a":' })], "done")).toMatchObject({
      kind: "cut",
      code: "STREAM_CUT",
    });
  });

  it("[E13] is a cut without [DONE] and without a finish reason, whole calls or not", () => {
    expect(outcomeOf([delta({ content: "Hel" })], "eof")).toMatchObject({
      kind: "cut",
      code: "STREAM_CUT",
      text: "Hel",
    });
    expect(outcomeOf([calls({ index: 0, id: "A", name: "read", args: "{}" })], "eof")).toMatchObject({ kind: "cut" });
  });

  it("is complete without [DONE] when a finish reason came", () => {
    expect(outcomeOf([delta({ content: "Hello" }), finish("stop")], "eof")).toMatchObject({ kind: "completed" });
  });

  it("[C11] is a cut at the output limit, with calls and without content too", () => {
    expect(outcomeOf([calls({ index: 0, id: "A", name: "read", args: "{}" }), finish("length")])).toMatchObject({
      kind: "cut",
      code: "OUTPUT_LIMIT",
    });
    const usage = { prompt_tokens: 0, completion_tokens: 0 };
    expect(outcomeOf([{ ...finish("length"), usage }])).toMatchObject({
      kind: "cut",
      code: "OUTPUT_LIMIT",
      text: "",
      usage: { outputTokens: 0 },
    });
  });

  it("fails when the server filtered the answer", () => {
    expect(outcomeOf([delta({ content: "x" }), finish("content_filter")])).toMatchObject({
      kind: "failed",
      code: "CONTENT_FILTERED",
      retryable: false,
      text: "x",
    });
  });
});

describe("usage", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } };
  const counted = { inputTokens: 10, outputTokens: 5, cachedTokens: 4 };

  it("[E08] is read from a last chunk whose choices are empty or null", () => {
    for (const choices of [[], null]) {
      expect(outcomeOf([delta({ content: "x" }), finish("stop"), { choices, usage }])).toMatchObject({
        kind: "completed",
        usage: counted,
      });
    }
  });

  it("is the last one sent, and null when none was", () => {
    expect(
      outcomeOf([
        { ...delta({ content: "x" }), usage: { prompt_tokens: 1, completion_tokens: 1 } },
        { ...finish("stop"), usage },
        { choices: [], usage: null },
      ]),
    ).toMatchObject({ usage: counted });
    expect(outcomeOf([delta({ content: "x" }), finish("stop")])).toMatchObject({ usage: null });
  });
});

describe("loose chunks", () => {
  it("read without role, with content parts, and past fields that do not fit", () => {
    const parts = delta({ content: [{ type: "text", text: "a" }, { type: "image" }, 5], tool_calls: "none" });
    expect(
      outcomeOf([null, 5, "x", parts, delta({ content: { odd: true } }), delta({ content: "b" }), finish("stop")]),
    ).toMatchObject({ kind: "completed", text: "ab" });
  });
});
