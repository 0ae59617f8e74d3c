import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";
import { beginAndDie, goOnAndDie } from "../support/crashes.ts";
import type { CrashOrder } from "../support/crashingRun.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { answersTo, endsOf, leavings, printOf } from "../support/storyProbes.ts";
import {
  call,
  calls,
  edit,
  endStories,
  eventsOf,
  openStory,
  say,
  type Story,
  spawn,
  submit,
  toolAnswers,
  wait,
} from "../support/workbenchStory.ts";
import { isThorough } from "../support/thorough.ts";

afterEach(endStories);

const edited = edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" });
const command = call("runCommand", { command: "cat a.txt" });

/** An executor that looks at what it was told, as one does that was interrupted. */
const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(spawn("READ"), spawn("EXEC", { role: "executor", paths: ["a.txt"], dependsOn: ["subagent-1"] })),
      wait(["subagent-1", "subagent-2"], { until: "completed" }),
      say("All done."),
    ],
  },
  { match: /^READ/, turns: [call("readFile", { path: "a.txt" }), submit("read it")] },
  {
    match: /^EXEC/,
    turns: [
      (body) => {
        const told = toolAnswers(body);
        if (!/"applied"|Carried out/.test(told)) return edited;
        return /^exit 0/m.test(told) ? submit("edited") : command;
      },
    ],
  },
];
const turns = entries.map((entry) =>
  entry.match.source === "^EXEC" ? { ...entry, turns: Array.from({ length: 20 }, () => entry.turns[0] ?? {}) } : entry,
);
const options = { options: { verify: ["grep -q zwei a.txt"] } };

async function finish(story: Story, id: RunId): Promise<LiveRun> {
  const run = await story.takeOver(id);
  expect(await run.drive(true)).toEqual({ kind: "stopped" });
  await run.release();
  return run;
}

/** What must be so at the end, wherever and how often the run died. */
async function expectWhole(story: Story, run: LiveRun): Promise<void> {
  expect(run.state().stop).toEqual({
    reason: "final_answer",
    answer: "All done.",
    partial: false,
    code: null,
    sentence: null,
  });
  expect(endsOf(run)).toEqual({ "subagent-1": "completed", "subagent-2": "completed" });
  expect(eventsOf(run, "handoff.recorded")).toHaveLength(2);
  expect(eventsOf(run, "changeset.landed")).toHaveLength(1);
  expect(eventsOf(run, "subagent.settled")).toHaveLength(2);
  expect(story.repository.git("log", "--format=%P", "landed")).toBe(run.state().base.commit);
  expect(story.repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
  // Each wait has its one answer, under the id of the call that began it.
  expect(answersTo(run, "lead", "waitForSubagents")).toHaveLength(1);
  const dispatched = eventsOf(run, "tool.dispatched").map((event) => `${event.agent} ${event.data.call}`);
  expect(new Set(dispatched).size).toBe(dispatched.length);
  expect(
    eventsOf(run, "tool.settled")
      .map((event) => `${event.agent} ${event.data.call}`)
      .toSorted(),
  ).toEqual(dispatched.toSorted());
  expect(run.state().budget.reserved.steps).toBe(0);
  expect(await leavings(story, run)).toEqual([]);
}

// Each death is a process of its own, which takes its time to start on a busy machine.
describe("a run whose process dies", { timeout: 60_000 }, () => {
  test.runIf(isThorough)(
    "[F11] again and again, in each class of effect, ends as if it had not",
    { timeout: 120_000 },
    async () => {
      const deaths: readonly CrashOrder["at"][] = [
        { type: "tool.dispatched", count: 1, tool: "readFile" },
        { type: "tool.dispatched", count: 1, tool: "applyEdit" },
        { type: "tool.dispatched", count: 1, tool: "runCommand" },
        { type: "verification.ran", count: 1 },
      ];
      const story = await openStory(turns);
      const before = printOf(story);
      const id = await beginAndDie(story, "Begin", { type: "run.started", count: 1 }, options);
      for (const at of deaths) await goOnAndDie(story, id, at);
      const run = await finish(story, id);
      await expectWhole(story, run);
      expect(run.state().epoch).toBe(deaths.length + 2);
      expect(eventsOf(run, "run.resumed").map((event) => event.data.after)).toEqual(
        Array.from({ length: deaths.length + 1 }, () => "crash"),
      );
      expect(eventsOf(run, "tool.settled").map((event) => [event.data.tool, event.data.outcome])).toEqual([
        ["readFile", "not_applied"],
        ["applyEdit", "not_applied"],
        ["applyEdit", "executed"],
        ["runCommand", "cancelled"],
        ["runCommand", "executed"],
      ]);
      // Checked once: what had been recorded was not run again.
      expect(eventsOf(run, "verification.ran")).toHaveLength(1);
      expect(printOf(story)).toBe(before);
    },
  );

  test("right after its record: nothing of it is in the repository yet, and what goes on keeps its base first", async () => {
    const story = await openStory(turns);
    const id = await beginAndDie(story, "Begin", { type: "run.created", count: 1 }, options);
    const refs = () => story.repository.git("for-each-ref", "--format=%(refname)", "refs/coppice/").trim();
    expect(refs()).toBe("");
    const run = await story.takeOver(id);
    expect(refs()).toBe(`refs/coppice/${id}/base`);
    await run.release();
  });

  test("twice in a row is found by the next window, settled and left paused, until somebody goes on", async () => {
    const story = await openStory(turns);
    const id = await beginAndDie(story, "Begin", { type: "model.requested", count: 1 }, options);
    await goOnAndDie(story, id, { type: "model.requested", count: 1 });
    const { runs } = story.workbench;
    const found = await runs.resumeAbandoned();
    await runs.untilLeft(id);
    const paused = await story.workbench.state(id);
    expect([found, paused.status, paused.lead.request]).toEqual([
      [{ run: id, outcome: { ok: true, value: { at: paused.n } } }],
      "paused",
      null,
    ]);
    expect(await runs.resumeAbandoned()).toEqual([]);
    const run = await story.takeOver(id);
    await run.dispatch({ type: "run.resume" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
  });

  test("is left paused by the next window where a person has set that runs do not go on by themselves", async () => {
    const story = await openStory(turns);
    await story.workbench.settings.change({ recovery: { autoResume: false } });
    const id = await beginAndDie(story, "Begin", { type: "run.started", count: 1 }, options);
    await story.workbench.runs.resumeAbandoned();
    await story.workbench.runs.untilLeft(id);
    const paused = await story.workbench.journal(id);
    expect(paused.slice(-1).map(({ type, data }) => [type, data])).toEqual([["run.paused", { after: "crash" }]]);
  });

  test("while it asks a model: the request is lost, stays charged, and is asked again", async () => {
    const story = await openStory(turns);
    const id = await beginAndDie(story, "Begin", { type: "model.requested", count: 3 }, options);
    expect((await story.workbench.listRuns())[0]?.status).toBe("interrupted");
    const run = await finish(story, id);
    await expectWhole(story, run);
    const lost = eventsOf(run, "model.lost").map((event) => event.data.request);
    expect(lost.length).toBeGreaterThan(0);
    const ended = run
      .journal()
      .flatMap((event) =>
        event.type === "model.completed" || event.type === "model.lost" || event.type === "model.failed"
          ? [event.data.request]
          : [],
      );
    expect(ended.toSorted()).toEqual(
      eventsOf(run, "model.requested")
        .map((event) => event.data.request)
        .toSorted(),
    );
    expect(run.state().budget.used.steps).toBe(ended.length);
  });

  test("[F13] right after an edit, before its record: the files are found as wanted, and the edit is not made again", async () => {
    const story = await openStory(turns);
    const id = await beginAndDie(story, "Begin", { type: "tool.dispatched", count: 1, tool: "applyEdit" }, options);
    const place = (await story.workbench.state(id)).nodes[1]?.worktree ?? "";
    story.repository.write({ "a.txt": "one\nzwei\nthree\n" }, place);
    const run = await finish(story, id);
    await expectWhole(story, run);
    expect(eventsOf(run, "tool.settled").map((event) => [event.data.tool, event.data.outcome])).toEqual([
      ["readFile", "executed"],
      ["applyEdit", "reconciled"],
      ["runCommand", "executed"],
    ]);
  });

  test("during an edit that left neither the old nor the new: nothing is touched, and a person is asked", async () => {
    const story = await openStory(turns);
    const id = await beginAndDie(story, "Begin", { type: "tool.dispatched", count: 1, tool: "applyEdit" }, options);
    const place = (await story.workbench.state(id)).nodes[1]?.worktree ?? "";
    story.repository.write({ "a.txt": "torn" }, place);
    const before = await story.takeOver(id);
    await before.release();
    // Asked once, however often recovery comes by.
    const run = await story.takeOver(id);
    expect(
      run.state().approvals.map(({ kind, agent, status, effect }) => [kind, agent, status, effect?.files]),
    ).toEqual([["effect", "subagent-2", "open", ["a.txt"]]]);
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("torn");
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    expect(eventsOf(run, "tool.settled").at(-1)?.data).toMatchObject({ tool: "applyEdit", outcome: "unknown" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("show", `refs/coppice/${id}/subagent-2/pin:a.txt`)).toBe("torn");
    expect(await leavings(story, run)).toEqual([]);
  });

  test("right after the swap of a landing, before its record: the landing is found done", async () => {
    const story = await openStory(turns);
    const id = await beginAndDie(story, "Begin", { type: "changeset.landing", count: 1 }, options);
    const [landing] = (await story.workbench.state(id)).landings;
    story.repository.git("update-ref", "refs/heads/landed", landing?.new ?? "");
    const run = await finish(story, id);
    await expectWhole(story, run);
    expect(eventsOf(run, "changeset.landed")[0]?.data.commit).toBe(landing?.new);
  });

  test("[B08] before the swap of a landing, and somebody else is faster: it lands on top of theirs", async () => {
    const story = await openStory(turns);
    const { repository } = story;
    const id = await beginAndDie(story, "Begin", { type: "changeset.landing", count: 1 }, options);
    repository.write({ "b.txt": "theirs\n" });
    const theirs = repository.commitAll("Theirs");
    repository.git("branch", "landed", theirs);
    const run = await finish(story, id);
    expect(eventsOf(run, "changeset.held").map((event) => event.data.code)).toEqual(["TARGET_MOVED"]);
    expect(repository.git("rev-parse", "landed^")).toBe(theirs);
    expect([repository.git("show", "landed:a.txt"), repository.git("show", "landed:b.txt")]).toEqual([
      "one\nzwei\nthree",
      "theirs",
    ]);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("before a landing on the branch that the person has checked out: it lands there once, over what they are writing elsewhere", async () => {
    const story = await openStory(turns);
    const { repository } = story;
    const id = await beginAndDie(
      story,
      "Begin",
      { type: "changeset.landing", count: 1 },
      { options: { ...options.options, landOn: { kind: "branch", name: "main" } } },
    );
    repository.write({ "notes.txt": "mine\n" });
    const run = await finish(story, id);
    expect(eventsOf(run, "changeset.landed")).toHaveLength(1);
    expect(repository.git("rev-parse", "main^")).toBe(run.state().base.commit);
    expect(readFileSync(join(repository.folder, "a.txt"), "utf8")).toBe("one\nzwei\nthree\n");
    expect(repository.git("status", "--porcelain")).toBe("?? notes.txt");
    expect(await leavings(story, run)).toEqual([]);
  });
});
