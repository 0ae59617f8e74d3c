// What the set-up of a run lets its lead hand off: how keen it is to delegate, as a coordinator, item by item, and only
// once a person has approved the plan.

import { describe, expect, test } from "vitest";

import { Story } from "../../../../test/support/runStory.ts";
import type { RunOptions } from "../../../shared/contract/options.ts";
import type { PlannedStep } from "../commands.ts";

function runUnder(options: Partial<RunOptions>, more: ConstructorParameters<typeof Story>[0] = {}): Story {
  return new Story({ ...more, options }).start();
}

const step = (id: string, more: Partial<PlannedStep> = {}): PlannedStep => ({
  id,
  title: id,
  status: "pending",
  ...more,
});
const plan = (story: Story, ...steps: readonly PlannedStep[]): unknown =>
  story.control({ tool: "updatePlan", input: { steps } });
const codeOf = (answer: unknown) => (answer as { error?: { code: string } }).error?.code;

test("under --delegation direct a subagent needs a reason", () => {
  const story = runUnder({ delegation: "direct" });
  expect(story.refusedSpawn({}).code).toBe("REASON_MISSING");
  expect(story.node(story.spawn({ reason: "Two views side by side." })).status).toBe("running");
});

test("whoever takes an author's place may not review its change", () => {
  const story = runUnder({});
  const author = story.spawn({ role: "executor", paths: ["pay.js"] });
  const dependsOn = [{ id: author, until: "proposed" }] as const;
  expect(story.refusedSpawn({ role: "reviewer", replaces: author, dependsOn }).code).toBe("AUTHOR_REVIEWS");
  expect(story.node(story.spawn({ role: "reviewer", dependsOn })).status).toBe("pending");
});

describe("a coordinator", () => {
  const answer = "The charge is retried once more after the network gave up although the first one had gone through.";

  /** A run with one answer in it. */
  const answered = (options: Partial<RunOptions>) => {
    const story = runUnder(options);
    const id = story.spawn();
    story.submit(id, "done", answer);
    story.settle(id);
    return story;
  };

  test("does not hand on what a subagent answered word for word, neither in a packet nor in a message", () => {
    const story = answered({ topology: "coordinator" });
    for (const relayed of [
      { task: answer },
      { context: `It says: ${answer.toUpperCase()}` },
      { constraints: [answer] },
    ])
      expect(story.refusedSpawn(relayed)).toMatchObject({
        code: "RELAYED",
        message: expect.stringContaining("subagent-1"),
      });
    const other = story.spawn({ task: "Make the charge idempotent: it goes through twice after a retry." });
    const told = story.control({ tool: "messageSubagent", input: { subagentId: other, text: answer } });
    expect(codeOf(told)).toBe("RELAYED");
  });

  test("is the only one held to that", () => {
    expect(answered({}).spawn({ task: answer })).toBe("subagent-2");
  });
});

describe("under dispatch", () => {
  const dispatch = () => {
    const story = runUnder({ topology: "dispatch" });
    plan(story, step("a"), step("b", { blockedBy: ["a"] }), step("c"));
    return story;
  };

  test("a subagent takes one item of the plan, and no item goes to two", () => {
    const story = dispatch();
    expect(story.refusedSpawn({}).code).toBe("ITEM_MISSING");
    expect(story.refusedSpawn({ step: "z" }).code).toBe("ITEM_UNKNOWN");
    expect(story.spawn({ step: "a" })).toBe("subagent-1");
    expect(story.refusedSpawn({ step: "a" })).toEqual({
      code: "ITEM_TAKEN",
      message: "subagent-1 has a (running); do not ask for it again. Free: b, c.",
    });
    story.complete("subagent-1");
    expect(story.refusedSpawn({ step: "a" }).code).toBe("ITEM_TAKEN");
  });

  test("an item waits for whoever has its blocker", () => {
    const story = dispatch();
    expect(story.refusedSpawn({ step: "b" }).message).toContain("b waits for a, which nobody has taken");
    story.spawn({ step: "a" });
    const waiting = story.node(story.spawn({ step: "b" }));
    expect([waiting.status, waiting.dependsOn.map(({ id }) => id)]).toEqual(["pending", ["subagent-1"]]);
    story.complete("subagent-1");
    expect(story.node(waiting.id).status).toBe("running");
  });

  test("a blocker that was cancelled or dropped does not satisfy, and what was cancelled is free again", () => {
    const story = dispatch();
    story.spawn({ step: "a" });
    story.control({ tool: "cancelSubagent", input: { subagentId: "subagent-1" } });
    expect(story.refusedSpawn({ step: "b" })).toMatchObject({
      code: "ITEM_BLOCKED",
      message: expect.stringContaining("subagent-1 had it and has cancelled, which does not satisfy it"),
    });
    expect(story.spawn({ step: "a" })).toBe("subagent-2");
    expect(codeOf(plan(story, step("b"), step("c")))).toBe("ITEM_TAKEN");
    story.control({ tool: "cancelSubagent", input: { subagentId: "subagent-2" } });
    plan(story, step("a", { status: "dropped" }), step("b", { blockedBy: ["a"] }));
    expect(story.refusedSpawn({ step: "b" }).message).toContain("was dropped, and that does not satisfy it");
    expect(story.refusedSpawn({ step: "a" }).code).toBe("ITEM_DROPPED");
  });

  test("a plan whose items block each other, or name what is not there, is refused", () => {
    const story = dispatch();
    expect(codeOf(plan(story, step("a", { blockedBy: ["b"] }), step("b", { blockedBy: ["a"] })))).toBe("GRAPH_CYCLE");
    expect(codeOf(plan(story, step("a", { blockedBy: ["z"] })))).toBe("BAD_ARGUMENTS");
  });
});
