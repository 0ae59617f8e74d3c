import { describe, expect, it } from "vitest";
import { findPrice } from "./pricing.ts";

describe("findPrice", () => {
  it("knows a model by name, with a provider, a date, or a dot in its version", () => {
    const price = { input: 2_500_000, output: 10_000_000 };
    expect(["gpt-4o", "openai/gpt-4o", "GPT-4o-2024-08-06", "gpt-4o-latest"].map(findPrice)).toEqual([
      price,
      price,
      price,
      price,
    ]);
    expect(["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5-20250929"].map(findPrice)).toEqual([
      findPrice("claude-sonnet-4-5"),
      findPrice("claude-sonnet-4-5"),
    ]);
    expect(findPrice("claude-sonnet-4-5")).not.toBeNull();
  });

  it("has no price for what it does not know", () => {
    expect(["llama3.2", "gpt-4o-audio-preview", "openai/gpt-4o:free", "constructor", ""].map(findPrice)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
