// Who starts when, and what it says to who waits.

import { describe, expect, test } from "vitest";

import { resultOf, Story, toolCall } from "../../../../test/support/runStory.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

function reasons(story: Story): readonly (string | undefined)[] {
  return story.state.nodes.map((node) => node.queue?.sentence);
}

describe("a node that may start", () => {
  test("starts at once beside others", () => {
    const story = runWith();
    story.spawn();
    story.spawn();
    expect(story.statuses()).toEqual(["running", "running"]);
  });

  test("waits while its dependencies are open", () => {
    const story = runWith();
    const [left, right] = [story.spawn(), story.spawn()];
    story.spawn({ dependsOn: [left, right] });
    story.complete(left);
    expect([story.statuses(), reasons(story)[2]]).toEqual([
      ["completed", "running", "pending"],
      "Waits for subagent-2.",
    ]);
  });

  test("starts and settles once at the foot of a diamond", () => {
    const story = runWith();
    const top = story.spawn();
    const [left, right] = [story.spawn({ dependsOn: [top] }), story.spawn({ dependsOn: [top] })];
    const foot = story.spawn({ dependsOn: [left, right] });
    for (const id of [top, left, right, foot]) story.complete(id);
    const started = story.ofType("subagent.started").map((event) => event.agent);
    const settled = story.ofType("subagent.settled").map((event) => event.data.subagent);
    expect([started, settled]).toEqual([
      [top, left, right, foot],
      [top, left, right, foot],
    ]);
  });

  test("waits for a slot of this run until one is settled, not merely ended", () => {
    const story = runWith({ limits: { maxConcurrent: 1 } });
    const first = story.spawn();
    story.spawn();
    const queued = reasons(story)[1];
    story.fail(first);
    const ended = story.statuses()[1];
    story.settle(first);
    expect([queued, ended, story.statuses()[1]]).toEqual(["All 1 slots of this run are taken.", "ready", "running"]);
  });

  test("waits for a slot that another run holds, and the run does not count as blocked", () => {
    const story = runWith({ limits: { maxOverAllRuns: 2 } });
    story.capacity = { runningElsewhere: 2, runningElsewhereByModel: {} };
    const id = story.spawn();
    const wait = { tool: "waitForSubagents", input: { subagentIds: [id] } } as const;
    story.control(wait);
    const stood = [story.state.status, story.state.ending, reasons(story)[0]];
    story.capacity = { runningElsewhere: 1, runningElsewhereByModel: {} };
    story.ask("call-2", wait);
    expect([stood, story.statuses()]).toEqual([["running", null, "All 2 slots over all runs are taken."], ["running"]]);
  });

  test("waits for its model", () => {
    const story = runWith({ limits: { maxPerModel: 1 } });
    story.spawn();
    story.spawn();
    story.spawn({ model: "other" });
    expect([story.statuses(), reasons(story)[1]]).toEqual([
      ["running", "ready", "running"],
      "m serves 1 agents already.",
    ]);
  });

  test("waits while the run is paused", () => {
    const story = runWith();
    const first = story.spawn();
    const second = story.spawn({ dependsOn: [first] });
    story.turn(first, { calls: [toolCall("s", "submitResult")] });
    story.must({ type: "run.pause" });
    story.must({ type: "agent.submit", agent: first, call: "s", result: resultOf("done"), schema: "ok", marks: [] });
    const paused = [story.node(second).status, story.node(second).queue?.sentence];
    story.must({ type: "run.resume" });
    expect([paused, story.node(second).status]).toEqual([["ready", "The run is paused."], "running"]);
  });
});

describe("executors", () => {
  test("are bounded apart from readers, who overtake a blocked writer", () => {
    const story = runWith({ limits: { maxExecutors: 1 } });
    story.spawn({ role: "executor", paths: ["a.js"] });
    story.spawn({ role: "executor", paths: ["b.js"] });
    story.spawn();
    story.spawn({ role: "reviewer" });
    expect([story.statuses(), reasons(story)[1]]).toEqual([
      ["running", "ready", "running", "running"],
      "All 1 places for executors are taken.",
    ]);
  });

  test("wait for a claim that overlaps theirs until its holder is settled, review included", () => {
    const story = runWith();
    const first = story.spawn({ role: "executor", paths: ["src"] });
    story.spawn({ role: "executor", paths: ["src/pay.js"] });
    const set = story.review(first);
    const reviewed = [story.statuses(), reasons(story)[1]];
    story.decide(first, "approved");
    story.land(set);
    const landed = story.statuses();
    story.settle(first);
    expect([reviewed, landed, story.statuses()]).toEqual([
      [["awaiting_review", "ready"], "Its paths overlap those of subagent-1, which holds them until it is settled."],
      ["completed", "ready"],
      ["completed", "running"],
    ]);
  });

  test("go one at a time where worktrees are off, and share one folder", () => {
    const story = runWith({ options: { worktrees: "off" } });
    const first = story.spawn({ role: "executor", paths: ["a.js"] });
    const second = story.spawn({ role: "executor", paths: ["b.js"] });
    const queued = [story.statuses(), reasons(story)[1]];
    story.fail(first);
    story.settle(first);
    expect([queued, story.node(first).worktree, story.node(second).worktree]).toEqual([
      [["running", "ready"], "Worktrees are off: waits until subagent-1 is settled."],
      "/places/r1-e1-shared",
      "/places/r1-e1-shared",
    ]);
  });

  test("each have a worktree of their own otherwise, and readers have none", () => {
    const story = runWith();
    const [writer, reader] = [story.spawn({ role: "executor" }), story.spawn()];
    expect([story.node(writer).worktree, story.node(reader).worktree]).toEqual(["/places/r1-e1-subagent-1", null]);
  });
});

describe("a reviewer", () => {
  test("starts on the proposal of its executor and reads that tree", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    const reviewer = story.spawn({ role: "reviewer", dependsOn: [executor] });
    const set = story.review(executor);
    expect(story.node(reviewer)).toMatchObject({
      status: "running",
      reads: set,
      root: story.state.changeSets[0]?.commit,
    });
  });

  test("that waits for a slot waits for the proposal again when it is sent back", () => {
    const story = runWith({ limits: { maxConcurrent: 1 } });
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    const reader = story.spawn();
    const reviewer = story.spawn({ role: "reviewer", dependsOn: [executor] });
    story.review(executor);
    const before = [story.node(reader).status, story.node(reviewer).queue?.code];
    story.decide(executor, "sent_back", "Mind the cents.");
    expect([before, story.node(reviewer).status, story.node(reviewer).queue?.code]).toEqual([
      ["running", "SLOT"],
      "pending",
      "DEPENDENCY",
    ]);
  });
});

describe("a failure", () => {
  test("cancels down the chain what has not started, each naming its dependency", () => {
    const story = runWith();
    const root = story.spawn();
    const child = story.spawn({ dependsOn: [root] });
    story.spawn({ dependsOn: [child] });
    story.fail(root);
    expect(story.state.nodes.map((node) => [node.status, node.sentence])).toEqual([
      ["failed", "It stopped."],
      ["cancelled", "Dependency subagent-1 did not complete successfully"],
      ["cancelled", "Dependency subagent-2 did not complete successfully"],
    ]);
  });

  test("leaves alone what runs already, since its input was whole when it started", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    const reviewer = story.spawn({ role: "reviewer", dependsOn: [executor] });
    story.review(executor);
    story.decide(executor, "rejected");
    expect([story.node(executor).code, story.node(reviewer).status]).toEqual(["REJECTED", "running"]);
  });

  test("of a dependency does not hold back a node that started, asked and was answered", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    const reviewer = story.spawn({ role: "reviewer", dependsOn: [executor] });
    story.review(executor);
    story.submit(reviewer, "needs_context", "Which currency?");
    story.decide(executor, "rejected");
    story.control({ tool: "messageSubagent", input: { subagentId: reviewer, text: "Euro." } });
    expect(story.node(reviewer).status).toBe("running");
  });
});
