// What a lead is told beside its turns: notes of people, and the ledger of what it delegated.

import { expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { Conversation } from "./conversation.ts";

const saidTo = (story: Story, agent: "lead" | "subagent-1" = "lead") =>
  new Conversation(agent)
    .read(story.state, story.events)
    .messages()
    .slice(2)
    .flatMap((message) => (message.role === "user" ? [message.content] : []));

test("a person's note reaches the lead, and so does its end; a subagent at work is told neither", () => {
  const story = new Story().start();
  const id = story.spawn();
  const [note] = story.must({ type: "note.add", kind: "decision", text: "Use cents.", by: "Ada" });
  story.must({ type: "note.retract", note: note?.n ?? 0, by: "Ada" });
  expect([saidTo(story), saidTo(story, id as "subagent-1")]).toEqual([
    [
      "[On the run's notepad, from Ada (decision): Use cents.]",
      "[Taken back from the run's notepad by Ada: Use cents.]",
    ],
    [],
  ]);
});

test("the newest ledger stands where the conversation was brought down, and none beside it", () => {
  const story = new Story().start();
  const compact = (ledger: string) =>
    story.must({ type: "agent.compact", agent: "lead", from: 100, to: 50, calls: [], ledger });
  story.spawn();
  compact("Ledger of one.");
  story.turn("lead", { text: "On." });
  story.must({ type: "run.input", text: "And?", from: "Ada", to: "lead" });
  compact("Ledger of two.");
  expect(saidTo(story)).toEqual(["And?", "Ledger of two."]);
});
