import { describe, expect, it } from "vitest";
import type { ChatMessage, ModelRequest } from "../engine/ports/model.ts";
import type { Script } from "./scripted.ts";
import { loadScript } from "./loadScript.ts";
import { createScriptedModel } from "./scripted.ts";

const ask = (text: string, ...more: readonly ChatMessage[]): ModelRequest => ({
  model: "m",
  messages: [{ role: "system", content: "s" }, { role: "user", content: text }, ...more],
  tools: [],
  firstEventMs: 1,
  idleMs: 1,
});
const said: ChatMessage = { role: "assistant", content: "x", toolCalls: [] };

function watchOf(signal: AbortSignal = new AbortController().signal, onText: (text: string) => void = () => {}) {
  const pieces: string[] = [];
  const watch = {
    signal,
    onData() {},
    onText(text: string) {
      pieces.push(text);
      onText(text);
    },
  };
  return { pieces, watch };
}

const complete = (script: Script, request: ModelRequest) =>
  createScriptedModel(script).complete(request, watchOf().watch);

describe("createScriptedModel", () => {
  const script: Script = {
    entries: [
      {
        match: (text) => text === "one",
        turns: [{ calls: [{ name: "read", arguments: { path: "a" } }] }, { text: "two" }],
      },
      { match: () => true, turns: [(request) => ({ text: `${request.messages.length}` })] },
    ],
  };

  it("answers the n-th request with the n-th turn, and later ones with the last", async () => {
    expect(await complete(script, ask("one"))).toEqual({
      kind: "completed",
      text: "",
      reasoning: "",
      toolCalls: [{ id: "call_1_1", name: "read", arguments: '{"path":"a"}' }],
      finish: "tool_calls",
      usage: null,
    });
    expect(await complete(script, ask("one", said))).toMatchObject({ text: "two", finish: "stop" });
    expect(await complete(script, ask("one", said, said, said))).toMatchObject({ text: "two" });
  });

  it("lets a turn look at the request", async () => {
    expect(await complete(script, ask("other", said))).toMatchObject({ text: "3" });
  });

  it("streams the text in pieces that make up the whole", async () => {
    const { pieces, watch } = watchOf();
    await createScriptedModel({ entries: [{ match: () => true, turns: [{ text: "some 😀 longer text" }] }] }).complete(
      ask("x"),
      watch,
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe("some 😀 longer text");
  });

  it("stops at an abort, before and amid the text", async () => {
    const model = createScriptedModel({
      entries: [{ match: () => true, turns: [{ text: "some longer text", delayMs: 0 }] }],
    });
    expect(await model.complete(ask("x"), watchOf(AbortSignal.abort()).watch)).toEqual({ kind: "aborted", text: "" });
    const controller = new AbortController();
    expect(await model.complete(ask("x"), watchOf(controller.signal, () => controller.abort()).watch)).toEqual({
      kind: "aborted",
      text: "some",
    });
  });

  it("ends as an outcome turn says", async () => {
    const outcome = { kind: "cut", code: "STREAM_CUT", message: "cut", text: "Hel", usage: null } as const;
    const { pieces, watch } = watchOf();
    expect(
      await createScriptedModel({ entries: [{ match: () => true, turns: [{ outcome }] }] }).complete(ask("x"), watch),
    ).toEqual(outcome);
    expect(pieces.join("")).toBe("Hel");
  });

  it("fails without a matching entry, and where a turn throws", async () => {
    expect(await complete({ entries: [] }, ask("x"))).toMatchObject({
      kind: "failed",
      code: "SCRIPT_NO_MATCH",
      retryable: false,
    });
    const broken = () => {
      throw new Error("no turn");
    };
    expect(await complete({ entries: [{ match: () => true, turns: [broken] }] }, ask("x"))).toMatchObject({
      kind: "failed",
      code: "SCRIPT_FAILED",
      message: "The script's turn failed: no turn",
    });
  });
});

describe("loadScript", () => {
  it("fills what the pattern matched into texts and arguments", async () => {
    const turns = [
      {
        text: "Looking at {{1}}{{2}}.",
        calls: [{ name: "readFile", arguments: { path: "{{1}}", lines: [1], all: { deep: "{{0}}" } } }],
      },
    ];
    const script = loadScript(JSON.stringify({ entries: [{ match: "fix (\\S+)( now)?", turns }] }), "model.json");
    if (!script.ok) throw new Error(script.error.message);
    expect(await complete(script.value, ask("Please fix a.ts"))).toMatchObject({
      text: "Looking at a.ts.",
      toolCalls: [{ name: "readFile", arguments: '{"path":"a.ts","lines":[1],"all":{"deep":"fix a.ts"}}' }],
    });
  });

  it.each([
    ["{", "model.json"],
    ["{}", "entries"],
    [JSON.stringify({ entries: [{ match: "(", turns: [{}] }] }), "entries[0].match: is not a regular expression"],
    [
      JSON.stringify({ entries: [{ match: "x", turns: [{ calls: [{ name: "" }] }] }] }),
      "entries[0].turns[0].calls[0].name",
    ],
    [JSON.stringify({ entries: [{ match: "x", turns: [{ txt: "x" }] }] }), "txt"],
  ])("names file and field of %s", (text, field) => {
    const script = loadScript(text, "model.json");
    expect(script).toMatchObject({ ok: false, error: { code: "SCRIPT_INVALID" } });
    expect(script.ok ? "" : script.error.message).toContain("model.json");
    expect(script.ok ? "" : script.error.message).toContain(field);
  });
});
