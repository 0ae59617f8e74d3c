import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../engine/ports/model.ts";
import { interruptedAnswer, repairMessages } from "./repair.ts";

const id = fc.constantFrom("a", "b", "c", "d");
const content = fc.constantFrom("", " ", "text");
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom("system" as const, "user" as const), content }),
  fc.record({
    role: fc.constant("assistant" as const),
    content,
    toolCalls: fc.array(fc.record({ id, name: fc.constant("read"), arguments: fc.constant("{}") }), { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant("tool" as const), callId: id, content: fc.string({ minLength: 1, maxLength: 3 }) }),
);
const conversation = fc.array(message, { maxLength: 12 });

/** What a strict server checks: after each assistant come the answers to its calls, in their order, and nowhere else. */
function isAccepted(messages: readonly ChatMessage[]): boolean {
  const open: string[] = [];
  for (const item of messages) {
    if (item.role === "tool") {
      if (open.shift() !== item.callId) return false;
      continue;
    }
    if (open.length > 0) return false;
    if (item.role !== "assistant") continue;
    const ids = item.toolCalls.map((call) => call.id);
    if (new Set(ids).size !== ids.length) return false;
    if (ids.length === 0 && item.content.trim() === "") return false;
    open.push(...ids);
  }
  return open.length === 0;
}

describe("repairMessages", () => {
  it("makes any conversation acceptable", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(isAccepted(repairMessages(messages))).toBe(true);
      }),
    );
  });

  it("changes nothing more the second time", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const once = repairMessages(messages);
        expect(repairMessages(once)).toEqual(once);
      }),
    );
  });

  it("keeps everything that a person or the system said, in order", () => {
    const said = (messages: readonly ChatMessage[]) =>
      messages.filter((item) => item.role === "user" || item.role === "system");
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(said(repairMessages(messages))).toEqual(said(messages));
      }),
    );
  });

  it("invents no answer but the interrupted one", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const given = new Set(
          messages.filter((item) => item.role === "tool").map((item) => `${item.callId} ${item.content}`),
        );
        const invented = repairMessages(messages).filter(
          (item) => item.role === "tool" && !given.has(`${item.callId} ${item.content}`),
        );
        expect(invented.every((item) => item.content === interruptedAnswer)).toBe(true);
      }),
    );
  });

  it("[E19] fills the answer that a cancel left out and moves a late one before what followed", () => {
    const call = (name: string) => ({ id: name, name: "read", arguments: "{}" });
    const assistant: ChatMessage = { role: "assistant", content: "", toolCalls: [call("a"), call("b"), call("c")] };
    const answer = (callId: string): ChatMessage => ({ role: "tool", callId, content: callId });
    const user: ChatMessage = { role: "user", content: "continue" };
    expect(repairMessages([assistant, answer("c"), answer("orphan"), user, answer("a")])).toEqual([
      assistant,
      answer("a"),
      { role: "tool", callId: "b", content: interruptedAnswer },
      answer("c"),
      user,
    ]);
  });

  it("pairs an id that comes again in a later turn with that turn", () => {
    const assistant = (): ChatMessage => ({
      role: "assistant",
      content: "",
      toolCalls: [{ id: "a", name: "read", arguments: "{}" }],
    });
    const answer = (text: string): ChatMessage => ({ role: "tool", callId: "a", content: text });
    const paired = [assistant(), answer("first"), assistant(), answer("second")];
    expect(repairMessages(paired)).toEqual(paired);
  });
});
