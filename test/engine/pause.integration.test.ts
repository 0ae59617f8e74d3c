// A pause: nothing new starts, what is in flight ends by itself, and people may decide meanwhile.

import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { appears, committed, decide, endsOf, gate, leavings, placeOf } from "../support/storyProbes.ts";
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

const command = "touch started; until test -e go; do sleep 0.05; done; echo over";
const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(executor("EDITS", "a.txt"), executor("RUNS", "b"), spawn("NEXT", { dependsOn: ["subagent-1"] })),
      wait(["subagent-1", "subagent-2", "subagent-3"], { until: "completed" }),
      say("All three."),
    ],
  },
  {
    match: /^EDITS/,
    turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("edited")],
  },
  { match: /^RUNS/, turns: [call("runCommand", { command }), submit("ran")] },
  { match: /^NEXT/, turns: [submit("next")] },
];
const each = { options: { approve: "each" } } as const;

/** Begins, and pauses once a review is open and a command is running. */
async function pausedAtWork(story: Awaited<ReturnType<typeof openStory>>) {
  const run = await story.begin("Begin", each);
  const driving = run.drive(true);
  await committed(run, "approval.requested");
  await committed(run, "tool.dispatched", (event) => event.data.tool === "runCommand");
  const place = placeOf(run, "subagent-2");
  await appears(join(place, "started"));
  expect(await run.dispatch({ type: "run.pause" })).toMatchObject({ ok: true });
  return { run, driving, place };
}

describe("a paused run", { timeout: 60_000 }, () => {
  test("records what was in flight, carries out decisions, starts nothing, and goes on when it is told to", async () => {
    const story = await openStory(entries);
    const { run, driving, place } = await pausedAtWork(story);
    const asked = story.server.requests.length;
    await decide(run, "approved");
    await committed(run, "changeset.landed");
    await committed(run, "subagent.settled");
    expect(story.repository.git("show", "landed:a.txt")).toContain("zwei");
    story.repository.write({ go: "" }, place);
    await committed(run, "tool.settled", (event) => event.data.tool === "runCommand");
    expect(eventsOf(run, "tool.settled").at(-1)?.data).toMatchObject({
      outcome: "executed",
      exitCode: 0,
      output: expect.stringContaining("over"),
    });
    const paused = run.state();
    expect([paused.status, paused.nodes[2]?.status, paused.nodes[2]?.queue?.code]).toEqual([
      "paused",
      "ready",
      "PAUSED",
    ]);
    expect(story.server.requests).toHaveLength(asked);

    await run.dispatch({ type: "run.resume" });
    await committed(run, "approval.requested", (event) => event.agent === "subagent-2");
    await decide(run, "approved");
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(Object.values(endsOf(run))).toEqual(["completed", "completed", "completed"]);
    expect(eventsOf(run, "tool.dispatched").filter((event) => event.data.tool === "runCommand")).toHaveLength(1);
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "All three." });
    expect(await leavings(story, run)).toEqual([]);
  });

  test("that is cancelled ends its command at once and stops", async () => {
    const story = await openStory(entries);
    const { run, driving } = await pausedAtWork(story);
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop?.reason).toBe("cancelled");
    expect(eventsOf(run, "tool.settled").at(-1)?.data).toMatchObject({ tool: "runCommand", outcome: "cancelled" });
    expect(await leavings(story, run)).toEqual([]);
  });

  test("is taken over by another process as paused, and goes on there once somebody says so", async () => {
    const holding = gate();
    const story = await openStory([{ match: /^Begin/, turns: [{ ...say("There."), gate: holding.passed }] }]);
    const first = await story.begin("Begin");
    const driving = first.drive(true);
    await story.server.waitForRequests(1);
    await first.dispatch({ type: "run.pause" });
    first.leave();
    expect(await driving).toEqual({ kind: "left" });
    await first.release();
    holding.open();
    expect((await story.workbench.listRuns())[0]?.status).toBe("paused");
    const run = await story.takeOver(first.run);
    expect([run.state().status, eventsOf(run, "run.resumed"), story.server.requests.length]).toEqual(["paused", [], 1]);
    await run.dispatch({ type: "run.resume" });
    expect(eventsOf(run, "run.resumed").map((event) => event.data.after)).toEqual(["paused"]);
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "There." });
  });
});
