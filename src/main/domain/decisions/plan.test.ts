// The lead's plan and everybody's notes.

import { describe, expect, test } from "vitest";

import { Story } from "../../../../test/support/runStory.ts";
import type { PlannedStep } from "../commands.ts";

const step = (id: string, status: PlannedStep["status"], more: Partial<PlannedStep> = {}): PlannedStep => ({
  id,
  title: `Do ${id}`,
  status,
  ...more,
});
const plan = (story: Story, ...steps: readonly PlannedStep[]) =>
  story.control({ tool: "updatePlan", input: { steps } });

describe("updatePlan", () => {
  test("writes the plan anew, with what shows that a step is done", () => {
    const story = new Story().start();
    plan(story, step("s1", "running", { criteria: ["it is found"] }), step("s2", "pending"));
    const id = story.spawn({ step: "s1" });
    story.complete(id);
    expect(plan(story, step("s1", "done"), step("s2", "dropped"))).toEqual({
      steps: [
        { id: "s1", status: "done", evidence: ["subagent-1"] },
        { id: "s2", status: "dropped" },
      ],
    });
    expect(story.state.plan).toEqual([{ ...step("s1", "done"), evidence: ["subagent-1"] }, step("s2", "dropped")]);
  });

  test.each([
    ["nobody was given it", () => undefined],
    ["who was given it is still at work", (story: Story) => void story.spawn({ step: "s1" })],
    ["who was given it failed", (story: Story) => story.fail(story.spawn({ step: "s1" }))],
  ])("refuses a step as done while %s, and leaves the plan as it was", (_why, prepare) => {
    const story = new Story().start();
    plan(story, step("s1", "running"));
    prepare(story);
    expect(plan(story, step("s1", "done"))).toMatchObject({
      error: { code: "NO_EVIDENCE", message: expect.stringContaining("s1") as string },
    });
    expect(story.state.plan).toEqual([step("s1", "running")]);
  });

  test("refuses an id that stands twice", () => {
    const story = new Story().start();
    expect(plan(story, step("s1", "pending"), step("s1", "pending"))).toMatchObject({
      error: { code: "BAD_ARGUMENTS" },
    });
    expect(story.state.plan).toEqual([]);
  });
});

test("a note is kept in the stream of whoever made it, lead or subagent", () => {
  const story = new Story().start();
  const id = story.spawn();
  const made = (["lead", id] as const).map((agent) =>
    story.control({ tool: "note", input: { kind: "finding", text: `by ${agent}` } }, agent),
  );
  expect([made, story.ofType("note.added").map((event) => [event.agent, event.data.text])]).toEqual([
    [{ noted: true }, { noted: true }],
    [
      ["lead", "by lead"],
      [id, `by ${id}`],
    ],
  ]);
});
