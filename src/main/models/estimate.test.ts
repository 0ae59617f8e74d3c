import { describe, expect, it } from "vitest";
import { estimateText, estimateTokens } from "./estimate.ts";

describe("estimateTokens", () => {
  it("counts a quarter of the characters, rounded up, and four more a message", () => {
    expect(estimateText("12345")).toBe(2);
    expect(
      estimateTokens(
        [
          { role: "user", content: "12345" },
          { role: "tool", callId: "a", content: "" },
        ],
        [],
      ),
    ).toBe(10);
  });

  it("counts calls and tools", () => {
    const call = { id: "a", name: "read", arguments: '{"a"' };
    expect(estimateTokens([{ role: "assistant", content: "", toolCalls: [call] }], [])).toBe(10);
    const tool = { name: "read", description: "Reads", parameters: {} };
    expect(estimateTokens([], [tool])).toBe(estimateText(JSON.stringify(tool)));
  });
});
