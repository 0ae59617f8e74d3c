// What follows by the rules alone: waiting and going on, standstill, warnings.

import { describe, expect, test } from "vitest";

import { fileChange, Story } from "../../../test/support/runStory.ts";
import { standstillOf } from "./consequences.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

describe("a run", () => {
  test("waits once every way forward needs a person, says for how much, and goes on after the decision", () => {
    const story = runWith();
    const ids = [
      story.spawn({ role: "executor", paths: ["a.js"] }),
      story.spawn({ role: "executor", paths: ["b.js"] }),
    ];
    for (const id of ids) story.review(id, [fileChange(`${id}.js`)]);
    story.speak();
    const waiting = [story.state.status, story.state.waitingFor];
    story.decide(ids[0] ?? "lead", "approved");
    expect([waiting, story.state.status]).toEqual([["waiting", "2 decisions of yours"], "running"]);
  });

  test("waits with a lead that waits for a review without a limit, and not with one that has a limit", () => {
    const [endless, limited] = [{}, { timeoutMs: 60_000 }].map((limit) => {
      const story = runWith();
      const id = story.spawn({ role: "executor", paths: ["a.js"] });
      story.review(id);
      story.control({ tool: "waitForSubagents", input: { subagentIds: [id], until: "completed", ...limit } });
      return story.state.status;
    });
    expect([endless, limited]).toEqual(["waiting", "running"]);
  });

  test("waits for an executor that is blocked by the claim of one that is reviewed", () => {
    const story = runWith();
    const first = story.spawn({ role: "executor", paths: ["a.js"] });
    const second = story.spawn({ role: "executor", paths: ["a.js"] });
    story.review(first);
    story.control({ tool: "waitForSubagents", input: { subagentIds: [second] } });
    expect([story.state.status, standstillOf(story.state)]).toEqual(["waiting", "person"]);
  });

  test("does not wait while anything else goes on", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["a.js"] });
    story.spawn();
    story.review(id);
    story.control({ tool: "waitForSubagents", input: { subagentIds: [id], until: "completed" } });
    expect(story.state.status).toBe("running");
  });

  test("is warned once of a balance at 80 %", () => {
    const story = runWith({ budget: { steps: 5 } });
    for (let turn = 0; turn < 2; turn++) story.turn("lead", { calls: [] });
    story.turn("lead", { text: "Three.", isForced: true });
    story.turn("lead", { text: "Four.", isForced: true });
    story.turn("lead", { text: "Five.", isForced: true });
    expect(story.ofType("budget.warned").map((event) => event.data)).toEqual([
      { agent: "lead", balance: "steps", used: 4, limit: 5 },
    ]);
  });
});

test("an approval is withdrawn when its subagent ends", () => {
  const story = runWith();
  const id = story.spawn();
  story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
  story.control({ tool: "cancelSubagent", input: { subagentId: id } });
  const again = story.apply({
    type: "approval.decide",
    approval: story.state.approvals[0]?.id ?? ("" as never),
    decision: "approved",
    by: "a person",
  });
  expect([story.state.approvals[0]?.status, again]).toEqual([
    "withdrawn",
    { rejection: { code: "ALREADY_DECIDED", sentence: "r1-a1 was withdrawn; there is nothing to decide any more." } },
  ]);
});

test("what the lead asked is withdrawn when the run is cancelled", () => {
  const story = runWith();
  story.must({ type: "approval.request", agent: "lead", kind: "command", summary: "npm test" });
  story.must({ type: "run.cancel", by: "a person" });
  expect(story.state.approvals[0]?.status).toBe("withdrawn");
});
