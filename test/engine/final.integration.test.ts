// `--approve final`: change sets gather on the run's own branch, and one review takes them to the target.

import { afterEach, describe, expect, test } from "vitest";

import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import { connectModel } from "../../src/main/workbench.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { decide, endsOf, leavings, printOf } from "../support/storyProbes.ts";
import {
  calls,
  edit,
  endStories,
  eventsOf,
  executor,
  openStory,
  say,
  type Story,
  type StoryOptions,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const files = { "long.txt": `${lines.join("\n")}\n`, "a.txt": "one\ntwo\nthree\n" };
const raise = (number: number) => ({
  kind: "replace",
  path: "long.txt",
  oldText: `line ${number}\n`,
  newText: `LINE ${number}\n`,
});

const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(executor("FIRST", "long.txt")),
      wait(["subagent-1"], { until: "completed" }),
      calls(executor("SECOND", "a.txt")),
      wait(["subagent-2"], { until: "completed" }),
      say("Both are there."),
    ],
  },
  { match: /^FIRST/, turns: [edit(raise(3), raise(38)), submit("raised")] },
  {
    match: /^SECOND/,
    turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
  },
];
const final: StoryOptions = { options: { approve: "final", landOn: { kind: "branch", name: "main" } } };

/** Drives until the run waits for its one review. */
async function untilReview(story: Story): Promise<LiveRun> {
  story.repository.git("checkout", "--quiet", "-b", "elsewhere");
  const run = await story.begin("Begin", final);
  expect(await run.drive(true)).toEqual({ kind: "waiting" });
  return run;
}

describe("under final", { timeout: 60_000 }, () => {
  test("verified change sets land on the run's branch unasked; one review of all of it lands on the target", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    const base = repository.git("rev-parse", "main");
    const run = await untilReview(story);
    const branch = run.state().target.branch;
    expect(branch).toMatch(/^coppice\//);
    expect(eventsOf(run, "changeset.landed").map((event) => [event.data.changeset, event.data.target])).toEqual([
      ["subagent-1.1", branch],
      ["subagent-2.1", branch],
    ]);
    expect(run.state().approvals.filter((one) => one.status === "open")).toMatchObject([
      {
        agent: "lead",
        kind: "changeset",
        changeset: "lead.1",
        summary: expect.stringContaining("3 hunks in 2 files onto main"),
      },
    ]);
    expect(repository.git("rev-parse", "main")).toBe(base);

    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "Both are there." });
    expect(repository.git("rev-parse", "main^")).toBe(base);
    expect(repository.git("rev-parse", "main^{tree}")).toBe(repository.git("rev-parse", `${branch}^{tree}`));
    expect(eventsOf(run, "changeset.landed").at(-1)?.data).toMatchObject({
      changeset: "lead.1",
      target: "main",
      files: ["a.txt", "long.txt"],
    });
    expect(eventsOf(run, "approval.requested").filter((event) => event.agent === "lead")).toHaveLength(1);
    expect(await leavings(story, run)).toEqual(["refs/heads/elsewhere"]);
  });

  test("[B19][B20] approved hunks alone reach the target, in the words of whoever approved; the run's branch keeps all", async () => {
    const story = await openStory(entries, files);
    const run = await untilReview(story);
    await decide(run, "approved", { hunks: { "long.txt": [2] }, message: "Raise one line" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    const wanted = lines.map((line) => (line === "line 38" ? "LINE 38" : line));
    expect(story.repository.git("show", "main:long.txt").split("\n")).toEqual(wanted);
    expect(story.repository.git("show", "main:a.txt")).toBe("one\ntwo\nthree");
    expect(story.repository.git("show", "--no-patch", "--format=%s", "main")).toBe("Raise one line");
    expect(story.repository.git("show", `${run.state().target.branch}:a.txt`)).toContain("zwei");
    expect(eventsOf(run, "changeset.landed").at(-1)?.data.files).toEqual(["long.txt"]);
  });

  test("a rejection stops the run and leaves the target as it was", async () => {
    const story = await openStory(entries, files);
    const base = story.repository.git("rev-parse", "main");
    const run = await untilReview(story);
    const before = printOf(story);
    const sent = await run.dispatch({
      type: "approval.decide",
      approval: run.state().approvals.at(-1)?.id ?? ("" as never),
      decision: "sent_back",
      by: "Ada",
      comment: "More.",
    });
    expect(sent).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
    await decide(run, "rejected", { comment: "Not now." });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop).toMatchObject({ reason: "final_answer", partial: false });
    expect(eventsOf(run, "changeset.dropped").map((event) => event.data)).toEqual([
      { changeset: "lead.1", reason: "Not now." },
    ]);
    expect([story.repository.git("rev-parse", "main"), printOf(story)]).toEqual([base, before]);
    expect(endsOf(run)).toEqual({ "subagent-1": "completed", "subagent-2": "completed" });
  });

  test("what is not verified is asked about as under each, and only what was approved is in the review", async () => {
    const story = await openStory(entries, files);
    story.repository.git("checkout", "--quiet", "-b", "elsewhere");
    const run = await story.begin("Begin", { options: { ...final.options, verify: [] } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(run.state().approvals).toMatchObject([
      { agent: "subagent-1", status: "open", why: expect.stringContaining("nothing was verified") },
    ]);
    await decide(run, "rejected");
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(run.state().changeSets.at(-1)).toMatchObject({ id: "lead.1", files: [{ path: "a.txt" }], status: "open" });
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("diff", "--name-only", "main^", "main")).toBe("a.txt");
  });

  test("a cancel during the review withdraws it, and land asks for it anew", async () => {
    const story = await openStory(entries, files);
    const run = await untilReview(story);
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop?.reason).toBe("cancelled");
    expect(run.state().changeSets.at(-1)).toMatchObject({ id: "lead.1", status: "withdrawn" });
    expect(await story.workbench.listApprovals(run.run)).toEqual([]);
    const asked = await story.workbench.proposeLine(run.run);
    expect(asked).toMatchObject({ ok: true, value: { id: `${run.run}-a4` } });
    const again = await story.takeOver(run.run);
    await decide(again, "approved");
    await again.carryOutDecisions();
    await again.release();
    expect(again.state().changeSets.at(-1)).toMatchObject({ id: "lead.2", status: "landed" });
    expect(story.repository.git("show", "elsewhere:a.txt")).toContain("zwei");
  });

  test("the run's own branch cannot be the target: refused at assignment, and nothing is written", async () => {
    const story = await openStory(entries, files);
    const assignment = story.assign("Begin", { options: { approve: "final", landOn: { kind: "run-branch" } } });
    const model = connectModel({ baseUrl: story.server.baseUrl, apiKey: null });
    expect(await story.workbench.startRun(assignment, model)).toMatchObject({
      ok: false,
      error: { code: "BAD_USAGE", message: expect.stringContaining("--land-on") },
    });
    expect(await story.workbench.listRuns()).toEqual([]);
    expect(story.repository.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    expect(story.server.requests).toEqual([]);
  });
});
