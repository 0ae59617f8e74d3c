import { afterEach, describe, expect, test } from "vitest";

import { connectModel } from "../../src/main/workbench.ts";
import { committed, decide, endsOf, gate, leavings } from "../support/storyProbes.ts";
import { calls, edit, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

const turns = [
  {
    match: /^Begin/,
    turns: [calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Over to you.")],
  },
  {
    match: /^EXEC/,
    turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
  },
];
const asks = { options: { approve: "each" } } as const;

describe("a run that another process holds", () => {
  test("[G20] cannot be taken over, and takes its decisions once, whoever asks and however often", async () => {
    const looking = gate();
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] }), spawn("LOOKS")),
          wait(["subagent-1", "subagent-2"], { until: "completed" }),
          say("Both."),
        ],
      },
      ...turns.slice(1),
      // Keeps the run going until everybody has asked.
      { match: /^LOOKS/, turns: [{ ...submit("looked"), gate: looking.passed }] },
    ]);
    const run = await story.begin("Begin", asks);
    const driving = run.drive(false);
    const { data } = await committed(run, "approval.requested");
    const other = await story.reopen();
    const taken = await other.takeRun(run.run, connectModel({ baseUrl: story.server.baseUrl, apiKey: null }));
    expect(taken).toMatchObject({ ok: false, error: { code: "DRIVEN_ELSEWHERE" } });
    expect(await other.isDriven(run.run)).toBe(true);
    const ask = (decision: "approved" | "rejected") =>
      other.askHolder(run.run, { type: "approval.decide", approval: data.approval, decision, by: "Grace" });
    // The same decision twice is one, another one comes too late.
    expect([await ask("approved"), await ask("approved")]).toEqual([{ done: true }, { done: true }]);
    expect(await ask("rejected")).toMatchObject({ done: false, error: { code: "ALREADY_DECIDED" } });
    looking.open();
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(eventsOf(run, "approval.decided").map((event) => [event.data.decision, event.data.by])).toEqual([
      ["approved", "Grace"],
    ]);
    expect(eventsOf(run, "changeset.landed")).toHaveLength(1);
    expect(await other.isDriven(run.run)).toBe(false);
    expect(await leavings(story, run)).toEqual([]);
  });
});

describe("a run that waits", () => {
  test("needs no process: whoever takes it over later decides, and it goes on where it was", async () => {
    const story = await openStory(turns);
    const before = await story.run("Begin", asks);
    expect((await story.workbench.listRuns()).map((row) => row.status)).toEqual(["waiting"]);
    expect((await story.workbench.listApprovals()).map((row) => [row.id, row.kind, row.agent])).toEqual([
      [`${before.run}-a1`, "changeset", "subagent-1"],
    ]);
    const run = await story.takeOver(before.run);
    await decide(run, "approved");
    await run.carryOutDecisions();
    // The landing is carried out at once; the lead was asked nothing meanwhile.
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(story.server.requests).toHaveLength(5);
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.server.requests).toHaveLength(5);
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "Over to you." });
    expect(story.repository.git("show", "landed:a.txt")).toContain("zwei");
    expect(await leavings(story, run)).toEqual([]);
  });
});

describe("a run that has stopped", () => {
  test("goes on with what a person says, and stops anew", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [say("First answer."), calls(spawn("LOOKS")), wait(["subagent-1"]), say("Second answer.")],
      },
      { match: /^LOOKS/, turns: [calls({ name: "readFile", args: { path: "a.txt" } }), submit("looked")] },
    ]);
    const first = await story.run("Begin");
    expect(first.state().stop?.answer).toBe("First answer.");
    const run = await story.takeOver(first.run);
    const spoken = await run.dispatch({
      type: "run.input",
      text: "Look again.",
      from: "Ada",
      to: "lead",
      commandId: "m1",
    });
    expect(spoken.ok).toBe(true);
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "Second answer." });
    expect(eventsOf(run, "run.stopped").map((event) => event.data.answer)).toEqual(["First answer.", "Second answer."]);
    expect(story.server.requests[1]?.body.messages.slice(1).map((message) => [message.role, message.content])).toEqual([
      ["user", "Begin"],
      ["assistant", "First answer."],
      ["user", "Look again."],
    ]);
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(await leavings(story, run)).toEqual([]);
  });
});
