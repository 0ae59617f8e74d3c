import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../engine/ports/model.ts";
import { contentOf, keyOf, refsOf } from "./cassetteContent.ts";

const ask = (text: string, more: readonly ChatMessage[] = []) => ({
  model: "m",
  messages: [{ role: "user" as const, content: text }, ...more],
  tools: [],
});
const settle = (text: string): string => contentOf(ask(text), (same) => same).messages[0]?.text ?? "";

describe("contentOf", () => {
  it.each([
    ["runs k3v9x2m7qa and k3v9x2m7qa-1", "runs <run> and <run>-1"],
    ["in /tmp/coppice-a1/src/a.ts:4 and /var/folders/ab/cd12/T/x.y/b", "in <temp>/src/a.ts:4 and <temp>/b"],
    [String.raw`{"path":"C:\\Users\\ada\\AppData\\Local\\Temp\\x1\\a.ts"}`, String.raw`{"path":"<temp>\\a.ts"}`],
    ["took 12.5 ms, 3s; duration_ms 4.2", "took <duration>, <duration>; duration_ms <duration>"],
    ["at 2026-11-30T12:00:01.123Z on http://127.0.0.1:40123/v1", "at <time> on http://127.0.0.1:<port>/v1"],
    [`commit ${"a1".repeat(20)} of 0f9a1c52-0000-4000-8000-1234567890ab`, "commit <oid> of <id>"],
  ])("takes out of %j what differs from run to run", (text, settled) => {
    expect(settle(text)).toBe(settled);
  });

  it("leaves words, short numbers and paths of a repository alone", () => {
    const text = "The repository has 10 files; src/store.js:23 calls sha256 (es2023) in 4 steps of sprint2024.";
    expect(settle(text)).toBe(text);
  });

  it("changes nothing more the second time", () => {
    const text = "k3v9x2m7qa /tmp/a/b 12 ms 2026-11-30T12:00Z localhost:80";
    expect(settle(settle(text))).toBe(settle(text));
  });

  it("numbers calls, so that answers belong to theirs whatever the ids are", () => {
    const turn = (id: string, answer: string): readonly ChatMessage[] => [
      { role: "assistant", content: "", toolCalls: [{ id, name: "readFile", arguments: "{}" }] },
      { role: "tool", callId: answer, content: "x" },
    ];
    const messages = (turns: readonly ChatMessage[]) => contentOf(ask("t", turns), (same) => same).messages.slice(1);
    expect(messages([...turn("a", "a"), ...turn("a", "a"), ...turn("b", "lost")]).map((each) => each.answers)).toEqual([
      undefined,
      1,
      undefined,
      2,
      undefined,
      null,
    ]);
    expect(messages(turn("one", "one"))).toEqual(messages(turn("other", "other")));
  });

  it("makes requests alike by model, messages and tools only", () => {
    const key = (request: Parameters<typeof contentOf>[0]) => keyOf(refsOf(contentOf(request, (same) => same)));
    const tools = [{ name: "t", description: "d", parameters: { b: 1, a: 2 } }];
    const reordered = [{ parameters: { a: 2, b: 1 }, description: "d", name: "t" }];
    expect([
      key({ ...ask("a"), tools }) === key({ ...ask("a"), tools: reordered }),
      key(ask("a")) === key({ ...ask("a"), tools }),
      key(ask("a")) === key(ask("b")),
      key(ask("a")) === key({ ...ask("a"), model: "n" }),
    ]).toEqual([true, false, false, false]);
  });
});
