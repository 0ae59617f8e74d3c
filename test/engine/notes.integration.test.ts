// What agents keep for others on their run: the plan, and notes.

import { afterEach, expect, test } from "vitest";

import { answersTo, endsOf } from "../support/storyProbes.ts";
import { call, calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

test("notes of lead and subagents reach the packets of those who start later, as data; a step is done by who was given it", async () => {
  const plan = (status: string) => call("updatePlan", { steps: [{ id: "look", title: "Look", status }] });
  const story = await openStory([
    {
      match: /^Begin/,
      turns: [
        plan("running"),
        call("note", { kind: "decision", text: "Keep the names." }),
        calls(spawn("FIRST", { step: "look" })),
        wait(["subagent-1"]),
        plan("done"),
        calls(spawn("SECOND")),
        wait(["subagent-2"]),
        say("Done."),
      ],
    },
    { match: /^FIRST/, turns: [call("note", { kind: "finding", text: "Line two is odd." }), submit("looked")] },
    { match: /^SECOND/, turns: [submit("looked again")] },
  ]);
  const run = await story.run("Begin");
  expect(endsOf(run)).toEqual({ "subagent-1": "completed", "subagent-2": "completed" });
  const packet = (task: string) =>
    story.server.requests.find((request) => request.firstUserMessage.startsWith(task))?.firstUserMessage ?? "";
  const fence = '<data source="notes of this run">';
  expect([packet("FIRST").includes("Keep the names."), packet("FIRST").includes("Line two")]).toEqual([true, false]);
  expect(packet("SECOND").slice(packet("SECOND").indexOf(fence))).toMatch(/Keep the names\.[^]*Line two is odd\./);
  expect(answersTo(run, "lead", "updatePlan").at(-1)).toEqual({
    steps: [{ id: "look", status: "done", evidence: ["subagent-1"] }],
  });
  expect(eventsOf(run, "tool.refused")).toEqual([]);
});
