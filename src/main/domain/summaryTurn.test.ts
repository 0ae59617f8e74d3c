// A request that sums up a conversation, between the turns of the work.

import { describe, expect, test } from "vitest";

import { Story, toolCall } from "../../../test/support/runStory.ts";
import { nextLeadTurn } from "./turn.ts";

describe("a request for a summary", () => {
  const summary = { prompt: { kind: "summary", text: "Sum it up." } } as const;
  const answer = {
    type: "agent.summarize",
    agent: "lead",
    text: "All is well.",
    reasoning: "",
    finish: "stop",
    usage: { inputTokens: 7, outputTokens: 2, cachedTokens: 0 },
    costMicros: null,
    upTo: 3,
    summary: "All is well.",
    from: 900,
    to: 300,
  } as const;

  test("is paid and leaves the turn that was due as it was, whatever becomes of it", () => {
    const outcomes: readonly ((story: Story, request: string) => void)[] = [
      (story, request) => void story.must({ ...answer, request }),
      (story) => void story.must({ type: "agent.loseRequest", agent: "lead" }),
      (story, request) =>
        void story.must({
          type: "agent.failRequest",
          agent: "lead",
          request,
          code: "EMPTY_SUMMARY",
          message: "Nothing came.",
          text: "",
          isFinal: false,
          wasCharged: true,
        }),
    ];
    for (const end of outcomes) {
      const story = new Story().start();
      story.spawn();
      story.speak("Done.");
      const due = nextLeadTurn(story.state);
      const { steps } = story.state.lead.used;
      end(story, story.request("lead", summary));
      expect([due, story.state.lead.used.steps, story.state.lead.request]).toEqual([
        nextLeadTurn(story.state),
        steps + 1,
        null,
      ]);
      expect(due).toMatchObject({ kind: "request", prompt: { kind: "reminder" } });
    }
  });

  test("is answered and put in place in one transaction, once", () => {
    const story = new Story().start();
    story.turn("lead", { calls: [toolCall("c1", "readFile")] });
    const request = story.request("lead", summary);
    const events = story.must({ ...answer, request });
    expect(events.map((event) => event.type)).toEqual(["model.completed", "context.compacted"]);
    expect(story.must({ ...answer, request })).toEqual([]);
    expect(nextLeadTurn(story.state)).toMatchObject({ kind: "calls", calls: [{ id: "c1" }] });
  });
});
