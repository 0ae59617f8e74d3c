// Sending a change set back: the same worktree and base, a new slice, the comments as the next message.

import { afterEach, describe, expect, test } from "vitest";

import { available } from "../../src/main/domain/budget.ts";
import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { answersTo, committed, decide, endsOf, gate, leavings, placeOf } from "../support/storyProbes.ts";
import {
  call,
  calls,
  edit,
  endStories,
  eventsOf,
  executor,
  openStory,
  say,
  spawn,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const replaced = (oldText: string, newText: string) => edit({ kind: "replace", path: "a.txt", oldText, newText });

const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [calls(executor("EXEC", "a.txt")), wait(["subagent-1"]), say("Over to you."), say("It has landed.")],
  },
  { match: /^EXEC/, turns: [replaced("two", "zwei"), submit("first"), replaced("zwei", "deux"), submit("second")] },
];
const each = { options: { approve: "each" }, budget: { steps: 100, toolCalls: 200 } } as const;

/** What is used and held at each prefix never exceeds the limit; at the end nothing is held. */
function expectSums(run: LiveRun): void {
  const { budget, nodes, lead } = run.state();
  expect(budget.reserved).toMatchObject({ steps: 0, toolCalls: 0 });
  const used = [lead, ...nodes].map((agent) => agent.used);
  expect(budget.used.steps).toBe(used.reduce((sum, one) => sum + one.steps, 0));
  expect(budget.used.toolCalls).toBe(used.reduce((sum, one) => sum + one.toolCalls, 0));
}

describe("a change set that is sent back", { timeout: 60_000 }, () => {
  test("goes on in the same worktree from the same base, on half its role's ceiling, and its next change set replaces it", async () => {
    const story = await openStory(entries);
    const run = await story.begin("Begin", each);
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const place = placeOf(run, "subagent-1");
    const under = run.state().budget;
    expect(under.reserved.steps).toBe(0);
    const blank = await run.dispatch({
      type: "approval.decide",
      approval: `${run.run}-a1` as never,
      decision: "sent_back",
      by: "Ada",
      comment: "  ",
    });
    expect(blank).toMatchObject({
      ok: false,
      error: { code: "BAD_USAGE", message: expect.stringContaining("--comment") },
    });
    expect(run.state().budget).toEqual(under);

    await decide(run, "sent_back", { comment: "Say it in French." });
    // Half of an executor's 40 steps and 160 calls, or a quarter of what the run has left.
    const left = available(under);
    const slice = {
      steps: Math.min(20, Math.ceil((left.steps ?? 0) / 4)),
      toolCalls: Math.min(80, Math.ceil((left.toolCalls ?? 0) / 4)),
    };
    expect(eventsOf(run, "slice.renewed").map((event) => event.data)).toMatchObject([
      { subagent: "subagent-1", slice },
    ]);
    expect(run.state().budget.reserved).toMatchObject(slice);
    expect(run.state().budget.used).toEqual(under.used);

    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const heard = story.server.requests.find(
      (request) => request.firstUserMessage.startsWith("EXEC") && request.answered === 2,
    )?.body.messages;
    expect(heard?.at(-1)).toMatchObject({ role: "user", content: "Say it in French." });
    expect(placeOf(run, "subagent-1")).toBe(place);
    expect(eventsOf(run, "worktree.created")).toHaveLength(1);
    expect(run.state().changeSets.map(({ id, status, base }) => [id, status, base])).toEqual([
      ["subagent-1.1", "replaced", run.state().base.commit],
      ["subagent-1.2", "open", run.state().base.commit],
    ]);
    expect(run.state().budget.reserved.steps).toBe(0);

    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\ndeux\nthree");
    expect(eventsOf(run, "changeset.landed").map((event) => event.data.changeset)).toEqual(["subagent-1.2"]);
    // The lead had spoken: it is told once what came of it, not nagged about work that a person asked for.
    expect(eventsOf(run, "model.requested").flatMap((event) => event.data.promptKind ?? [])).toEqual(["news"]);
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "It has landed." });
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expectSums(run);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("is refused where the budget holds no other round, and nothing has changed", async () => {
    const story = await openStory(entries);
    // A spawn, a wait and an edit; the fourth is the lead's kept share.
    const run = await story.begin("Begin", { ...each, budget: { steps: 100, toolCalls: 4 } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const before = run.state();
    expect([before.budget.used.toolCalls, available(before.budget).toolCalls]).toEqual([3, 0]);
    const sent = await run.dispatch({
      type: "approval.decide",
      approval: `${run.run}-a1` as never,
      decision: "sent_back",
      by: "Ada",
      comment: "Again.",
    });
    expect(sent).toMatchObject({
      ok: false,
      error: { code: "BUDGET_EXHAUSTED", message: expect.stringContaining("toolCalls") },
    });
    expect(run.state()).toEqual(before);
    await decide(run, "rejected");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expectSums(run);
  });

  test("takes a reviewer that had not started back to pending; it reads the next proposal, and its packet holds that result", async () => {
    const holding = gate();
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(
            executor("EXEC", "a.txt"),
            spawn("BUSY", { dependsOn: [{ id: "subagent-1", until: "proposed" }] }),
            spawn("REVIEW", { role: "reviewer", dependsOn: ["subagent-1"] }),
            spawn("AFTER", { dependsOn: ["subagent-1"] }),
          ),
          wait(["subagent-3", "subagent-4"], { until: "completed" }),
          say("Reviewed."),
        ],
      },
      ...entries.slice(1),
      { match: /^BUSY/, turns: [{ ...submit("busy"), gate: holding.passed }] },
      { match: /^REVIEW/, turns: [call("readFile", { path: "a.txt" }), call("readChangeSet", {}), submit("fine")] },
      { match: /^AFTER/, turns: [submit("after")] },
    ]);
    const run = await story.begin("Begin", { ...each, limits: { maxConcurrent: 1 } });
    const driving = run.drive(true);
    await committed(run, "subagent.started", (event) => event.agent === "subagent-2");
    const status = (id: string) => run.state().nodes.find((node) => node.id === id);
    expect([status("subagent-3")?.status, status("subagent-3")?.queue?.code]).toEqual(["ready", "SLOT"]);
    await decide(run, "sent_back", { comment: "Say it in French." });
    expect([status("subagent-3")?.status, status("subagent-3")?.queue?.code]).toEqual(["pending", "DEPENDENCY"]);
    holding.open();
    await committed(run, "changeset.proposed", (event) => event.data.changeset === "subagent-1.2");
    const { data } = await committed(run, "subagent.started", (event) => event.agent === "subagent-3");
    expect(data).toMatchObject({ root: run.state().changeSets[1]?.commit, reads: "subagent-1.2" });
    await committed(run, "approval.requested", (event) => event.data.changeset === "subagent-1.2");
    await decide(run, "approved", {
      approval: run.state().approvals.find((one) => one.changeset === "subagent-1.2")?.id ?? ("" as never),
    });
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    const packetOf = (task: string) =>
      story.server.requests.find((request) => request.firstUserMessage.startsWith(task))?.firstUserMessage ?? "";
    // The dependents see the second result, not the first.
    for (const task of ["REVIEW", "AFTER"]) {
      expect(packetOf(task)).toContain("second");
      expect(packetOf(task)).not.toContain("first");
    }
    const read =
      story.server.requests.findLast((request) => request.firstUserMessage.startsWith("REVIEW"))?.body.messages ?? [];
    expect(
      read
        .filter((message) => message.role === "tool")
        .map((message) => String(message.content))
        .join("\n"),
    ).toMatch(/deux/);
    expect(answersTo(run, "lead", "waitForSubagents")).toHaveLength(1);
    expect(endsOf(run)).toEqual({
      "subagent-1": "completed",
      "subagent-2": "completed",
      "subagent-3": "completed",
      "subagent-4": "completed",
    });
    expectSums(run);
  });

  test("with nobody driving is recorded, and goes on with whoever takes the run over", async () => {
    const story = await openStory(entries);
    const first = await story.run("Begin", each);
    const second = await story.takeOver(first.run);
    await decide(second, "sent_back", { comment: "Say it in French." });
    await second.carryOutDecisions();
    await second.release();
    const run = await story.takeOver(first.run);
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("show", "landed:a.txt")).toContain("deux");
    expectSums(run);
  });
});
