import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../engine/ports/model.ts";
import type { CompactionOptions } from "./compaction.ts";
import { compactMessages, stubText } from "./compaction.ts";

/** A token for every four characters of what is sent, and some for each message. */
const estimate: CompactionOptions["estimate"] = (messages) =>
  messages.reduce((total, message) => {
    const calls = message.role === "assistant" ? message.toolCalls : [];
    const chars = message.content.length + calls.reduce((sum, call) => sum + call.arguments.length, 0);
    return total + 4 + Math.ceil(chars / 4);
  }, 0);

const labelOf: CompactionOptions["labelOf"] = (message) => `log run #${message.callId}`;

const words = fc.string({ maxLength: 60 });
const outputs = fc.oneof(
  words,
  fc.integer({ min: 0, max: 4_000 }).map((length) => "x".repeat(length)),
);
/** A turn: words, calls with their outputs, and perhaps a word of a person after them. */
const turn = fc.record({
  text: words,
  outputs: fc.array(outputs, { maxLength: 4 }),
  after: fc.option(words, { nil: null }),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function conversationOf(task: string, turns: readonly Turn[]): readonly ChatMessage[] {
  const said = turns.flatMap(({ text, outputs, after }, at): ChatMessage[] => {
    const ids = outputs.map((_, index) => `call_${at}_${index}`);
    return [
      { role: "assistant", content: text, toolCalls: ids.map((id) => ({ id, name: "readFile", arguments: "{}" })) },
      ...outputs.map((content, index): ChatMessage => ({ role: "tool", callId: ids[index] ?? "", content })),
      ...(after === null ? [] : [{ role: "user" as const, content: after }]),
    ];
  });
  return [{ role: "system", content: "You lead." }, { role: "user", content: task }, ...said];
}

const conversation = fc
  .tuple(words, fc.array(turn, { maxLength: 12 }))
  .map(([task, turns]) => conversationOf(task, turns));
const target = fc.integer({ min: 0, max: 5_000 });

function check(test: (messages: readonly ChatMessage[], options: CompactionOptions) => void): void {
  fc.assert(
    fc.property(conversation, target, target, (messages, targetTokens, keptTokens) =>
      test(messages, { targetTokens, keptTokens, estimate, labelOf }),
    ),
  );
}

/** An output that is longer than its stub. */
function isLong(message: ChatMessage): boolean {
  if (message.role !== "tool") return false;
  return estimate([message]) > estimate([{ ...message, content: stubText(labelOf(message)) }]);
}

/** A message without what a stub may change. */
function shapeOf(message: ChatMessage): unknown {
  return message.role === "tool" ? { role: message.role, callId: message.callId } : message;
}

describe("compactMessages", () => {
  it("changes nothing but the words of tool outputs: order, pairs, prompts, decisions and the task stay", () => {
    check((messages, options) => {
      expect(compactMessages(messages, options).messages.map(shapeOf)).toEqual(messages.map(shapeOf));
    });
  });

  it("never makes the conversation larger, and says truly how large it was and is", () => {
    check((messages, options) => {
      const { from, to, messages: compacted, stubbed } = compactMessages(messages, options);
      const changed = compacted.filter((message, index) => message !== messages[index]).length;
      expect({ from, to, stubbed, isSmaller: to <= from }).toEqual({
        from: estimate(messages),
        to: estimate(compacted),
        stubbed: changed,
        isSmaller: true,
      });
    });
  });

  it("says whether it fits", () => {
    check((messages, options) => {
      const { kind, to, stubbed } = compactMessages(messages, options);
      expect(kind).toBe(to > options.targetTokens ? "overflow" : stubbed > 0 ? "compacted" : "kept");
    });
  });

  it("changes nothing more at the same target", () => {
    check((messages, options) => {
      const once = compactMessages(messages, options);
      const twice = compactMessages(once.messages, options);
      expect([twice.messages, twice.stubbed]).toEqual([once.messages, 0]);
    });
  });

  it("touches the outputs of the last two turns only where these alone take more than they may", () => {
    check((messages, options) => {
      const turns = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
      const start = turns.at(-2) ?? 0;
      const { messages: compacted } = compactMessages(messages, options);
      const opening = messages.slice(0, Math.min(start, turns[0] ?? 0));
      const isWithin = (all: readonly ChatMessage[]) =>
        estimate([...opening, ...all.slice(start)]) <= options.keptTokens;
      expect(isWithin(messages) ? compacted.slice(start) : []).toEqual(isWithin(messages) ? messages.slice(start) : []);
      expect(isWithin(compacted) ? [] : compacted.slice(start).filter(isLong)).toEqual([]);
    });
  });

  it("[E28] lets of the last two turns go what was seen before what was not, and the largest first", () => {
    const outputs = [
      ["x".repeat(400), "x".repeat(800)],
      ["x".repeat(600), "x".repeat(1_200)],
    ];
    const messages = conversationOf(
      "task",
      outputs.map((each) => ({ text: "", outputs: each, after: null })),
    );
    const gone = (tokens: number) =>
      compactMessages(messages, {
        targetTokens: 0,
        keptTokens: estimate(messages) - tokens,
        estimate,
        labelOf,
      }).messages.flatMap((message) =>
        message.role === "tool" && !message.content.startsWith("x") ? [message.callId] : [],
      );
    expect([gone(0), gone(1), gone(180), gone(240), gone(9_999)]).toEqual([
      [],
      ["call_0_1"],
      ["call_0_0", "call_0_1"],
      ["call_0_0", "call_0_1", "call_1_1"],
      ["call_0_0", "call_0_1", "call_1_0", "call_1_1"],
    ]);
  });

  it("takes the oldest outputs first, and no more than it needs", () => {
    const big = "x".repeat(4_000);
    const messages = conversationOf(
      "task",
      Array.from({ length: 5 }, () => ({ text: "", outputs: [big], after: null })),
    );
    const all = estimate(messages);
    const { messages: compacted, ...facts } = compactMessages(messages, {
      targetTokens: all - 900,
      keptTokens: all,
      estimate,
      labelOf,
    });
    const stubs = compacted.flatMap((message) => (message.role === "tool" && message.content !== big ? [message] : []));
    expect([facts.kind, stubs]).toEqual([
      "compacted",
      [
        {
          role: "tool",
          callId: "call_0_0",
          content:
            "[Output left out to save context; it stands in the journal as log run #call_0_0. Call the tool again if you need it, for less of it at a time.]",
        },
      ],
    ]);
  });
});
