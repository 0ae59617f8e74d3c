// The ledger of delegations: what it holds, and that it stays within its bound.

import { describe, expect, test } from "vitest";

import { Story } from "../../../../test/support/runStory.ts";
import { wordLedger } from "./ledger.ts";

const ledgerOf = (story: Story, maxCharacters = 8_000) => wordLedger(story.state, maxCharacters) ?? "";
const linesOf = (text: string) =>
  text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as unknown] : []));

describe("the delegation ledger", () => {
  test("says of each subagent what it was asked, where it stands and what came of it", () => {
    const story = new Story().start();
    const first = story.spawn({ task: "Look at\n  pay.js.", step: "s1" });
    story.submit(first, "done", "It is charged in line two.");
    const failed = story.spawn({ task: "Look at tests." });
    story.fail(failed);
    story.spawn({ task: "Look at tests again.", replaces: failed });
    const [answered] = story.ofType("subagent.result");
    expect(linesOf(ledgerOf(story))).toEqual([
      {
        subagentId: "subagent-1",
        role: "explorer",
        task: "Look at pay.js.",
        status: "completed",
        step: "s1",
        answer: "It is charged in line two.",
        entry: answered?.n,
      },
      { subagentId: "subagent-2", role: "explorer", task: "Look at tests.", status: "failed", code: "STALLED" },
      {
        subagentId: "subagent-3",
        role: "explorer",
        task: "Look at tests again.",
        status: "running",
        replaces: "subagent-2",
      },
    ]);
  });

  test("is nothing for a run that has delegated and noted nothing", () => {
    expect(wordLedger(new Story().start().state, 8_000)).toBeNull();
  });

  test("tells less of each where there are many, and at last the newest alone, always within its bound", () => {
    const story = new Story({ limits: { maxSubagents: 200, maxConcurrent: 200 } }).start();
    for (let index = 1; index <= 120; index++) {
      const id = story.spawn({ task: `Look at part ${index}. ${"It matters. ".repeat(60)}` });
      if (index % 2 === 0) story.submit(id, "done", "Seen. ".repeat(300));
      else story.fail(id);
      story.settle(id);
    }
    story.must({ type: "note.add", kind: "decision", text: "Keep it. ".repeat(300), by: "Ada" });
    const bounds = [1_000, 2_000, 8_000, 20_000, 200_000];
    const texts = bounds.map((bound) => ledgerOf(story, bound));
    expect(texts.map((text, index) => text.length <= (bounds[index] ?? 0))).toEqual(bounds.map(() => true));
    expect(texts.every((text) => text.includes('"subagentId":"subagent-120"'))).toBe(true);
    const [least, , , , wide] = texts.map(linesOf);
    expect(least?.[0]).toEqual({ earlier: expect.any(Number) });
    expect(wide?.filter((line) => typeof line === "object" && line !== null && "subagentId" in line)).toHaveLength(120);
  });

  test("holds the notes of the run, those of a person first where there is no room for all", () => {
    const story = new Story().start();
    for (let index = 1; index <= 30; index++)
      story.control({ tool: "note", input: { kind: "learning", text: `${index} ${"long ".repeat(100)}` } });
    story.must({ type: "note.add", kind: "decision", text: "Use cents.", by: "Ada" });
    story.control({ tool: "note", input: { kind: "learning", text: "The last." } });
    const told = linesOf(ledgerOf(story, 2_000));
    expect(told).toEqual([
      { leftOut: expect.any(Number) },
      { by: "Ada", kind: "decision", text: "Use cents." },
      { by: "lead", kind: "learning", text: "The last." },
    ]);
  });
});
