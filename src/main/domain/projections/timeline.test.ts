// Bars, ticks and marks of a run, and their pages.

import { describe, expect, test } from "vitest";

import { oid, Story, toolCall } from "../../../../test/support/runStory.ts";
import type { ApprovalId } from "../../../shared/contract/ids.ts";
import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import type { RunEvent } from "../events.ts";
import { Lanes, timelinePage } from "./timeline.ts";

function items(story: Story): readonly TimelineItem[] {
  return timelinePage(story.events, 0, 1_000).items;
}

/** Agent, kind, label, how long, whether it failed. */
function shapes(story: Story): readonly unknown[] {
  return items(story).map(({ agent, kind, label, at, until, isFailure }) => [
    agent,
    kind,
    label,
    until === null ? null : until - at,
    isFailure,
  ]);
}

test("a turn is a bar from its request to its answer, a tool call a tick from dispatch to settlement", () => {
  const story = new Story().start();
  story.turn("lead", { calls: [toolCall("c", "readFile")] });
  story.must({ type: "agent.dispatch", agent: "lead", call: "c", effect: "read", class: "pure", input: {} });
  story.must({
    type: "agent.settle",
    agent: "lead",
    call: "c",
    outcome: "failed",
    durationMs: 1,
    output: "",
    resultHash: "h",
  });
  story.request("lead");
  expect(shapes(story)).toEqual([
    ["lead", "turn", "m", 1_000, false],
    ["lead", "tool", "readFile", 1_000, true],
    ["lead", "turn", "m", null, false],
  ]);
});

test("an executor's lane shows its queue, its review, its checks and its landing", () => {
  const story = new Story().start();
  const first = story.spawn();
  const id = story.spawn({ role: "executor", dependsOn: [first], paths: ["pay.js"] });
  story.complete(first);
  story.submit(id);
  const changeset = story.propose(id);
  story.verify(id, 0);
  story.close(id);
  story.decide(id, "approved");
  story.land(changeset);
  const lane = shapes(story).filter((shape) => (shape as readonly unknown[])[0] === id);
  expect(lane).toEqual([
    [id, "queued", "Waits for subagent-1.", 3_000, false],
    [id, "turn", "m", 1_000, false],
    [id, "verification", "npm test", 5, false],
    [id, "review", "Look at pay.js: 1 hunk in 1 file", 1_000, false],
    [id, "landing", "Lands on coppice/pay-r1", 1_000, false],
  ]);
});

test("opposite verdicts are a mark in the lead's lane, and the question about them a bar until it is decided", () => {
  const story = new Story().start();
  for (const verdict of ["passed", "failed"] as const)
    story.judge(story.spawn({ role: "reviewer" }), [{ criterion: "spec", verdict, evidence: "" }]);
  const asked = "Which verdict on “spec” holds? subagent-1 (reviewer) says passed, subagent-2 (reviewer) says failed.";
  expect(shapes(story).slice(-2)).toEqual([
    ["lead", "mark", "Opposite verdicts: spec", 0, true],
    ["lead", "waiting", asked, null, false],
  ]);
});

test("a landing that is held ends its bar as a failure and is marked in its executor's lane", () => {
  const story = new Story().start();
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  const changeset = story.review(id);
  story.decide(id, "approved");
  story.must({ type: "landing.begin", changeset, old: null, new: oid(3), tree: oid(4) });
  story.must({ type: "landing.hold", changeset, code: "CONFLICT", sentence: "pay.js conflicts." });
  expect(shapes(story).slice(-2)).toEqual([
    [id, "landing", "Lands on coppice/pay-r1", 1_000, true],
    [id, "mark", "Held: pay.js conflicts.", 0, true],
  ]);
});

test("a subagent that waits for a person, a refused spawn, an end and a stop are seen", () => {
  const story = new Story().start();
  const id = story.spawn();
  story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
  story.refusedSpawn({ role: "wizard" });
  story.must({ type: "run.cancel", by: "a person" });
  story.settle(id);
  story.must({ type: "run.stop" });
  expect(shapes(story).filter((shape) => (shape as readonly unknown[])[1] !== "turn")).toEqual([
    [id, "waiting", "Waits for a person", 4_000, false],
    ["lead", "mark", "Spawn refused: ROLE_UNKNOWN", 0, true],
    [id, "mark", "CANCELLED", 0, false],
    ["lead", "mark", "Stopped: cancelled", 0, false],
  ]);
});

test("nothing goes on after the stop", () => {
  const story = new Story().start();
  const id = story.spawn();
  story.request(id);
  story.must({ type: "run.cancel", by: "a person" });
  story.settle(id);
  story.must({ type: "run.stop" });
  expect(items(story).filter((item) => item.until === null)).toEqual([]);
});

describe("pages", () => {
  test("follow each other without gap or repetition, and end with no cursor", () => {
    const story = new Story().start();
    for (let turn = 0; turn < 5; turn++) story.turn("lead", { text: "…" });
    const pages: TimelineItem[] = [];
    let cursor: number | null = 0;
    let count = 0;
    while (cursor !== null && count++ < 10) {
      const page = timelinePage(story.events, cursor, 2);
      pages.push(...page.items);
      cursor = page.next;
    }
    expect([pages, count]).toEqual([items(story), 3]);
  });

  test("show at most one item for each event", () => {
    const story = new Story().start();
    story.complete(story.spawn());
    const ordinals = items(story).map(({ n }) => n);
    expect(new Set(ordinals).size).toBe(ordinals.length);
  });
});

test("a landing that is taken back has a second bar, which ends with the revert or with why it could not be", () => {
  const story = new Story().start();
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  const set = story.review(id);
  story.decide(id, "approved");
  story.land(set);
  const landing = story.state.landings[0]?.id ?? ("" as never);
  const undo = { type: "undo.begin", landing, old: oid(300), new: oid(400), tree: oid(401) } as const;
  story.must(undo);
  story.must({ type: "undo.fail", landing, code: "LOCAL_CHANGES", sentence: "pay.js is being edited." });
  story.must(undo);
  story.must({ type: "undo.finish", landing, commit: oid(400) });
  const branch = "coppice/pay-r1";
  expect(shapes(story).filter((shape) => (shape as readonly unknown[])[1] === "landing")).toEqual([
    [id, "landing", `Lands on ${branch}`, 1_000, false],
    [id, "landing", `Taken back from ${branch}`, 1_000, true],
    [id, "landing", `Taken back from ${branch}`, 1_000, false],
  ]);
});

test("what was decided and what landed stands with its bar", () => {
  const story = new Story().start();
  const asking = story.spawn();
  const approval = "r1-a1" as ApprovalId;
  story.must({ type: "approval.request", agent: asking, kind: "command", summary: "npm test" });
  story.must({ type: "approval.decide", approval, decision: "rejected", by: "a person", comment: "Not here." });
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  const changeset = story.review(id);
  story.decide(id, "approved");
  story.land(changeset);
  const outcomes = items(story).flatMap(({ kind, outcome }) => (outcome === undefined ? [] : [[kind, outcome]]));
  expect(outcomes).toEqual([
    ["waiting", "rejected by a person: Not here."],
    ["review", "approved by a person"],
    ["landing", "0000000 on coppice/pay-r1"],
  ]);
});

test("lanes that grow with the journal are those that are read from it at once, and pages given out stay as they were", () => {
  const story = new Story().start();
  const lanes = new Lanes();
  let read = 0;
  const grow = () => {
    for (; read < story.events.length; read += 1) lanes.read(story.events[read] as RunEvent);
    return lanes.page(0, 1_000);
  };
  const id = story.spawn();
  story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
  const before = grow();
  const copy = structuredClone(before);
  story.must({ type: "approval.decide", approval: "r1-a1" as ApprovalId, decision: "approved", by: "a person" });
  story.complete(id);
  expect([grow(), before]).toEqual([timelinePage(story.events, 0, 1_000), copy]);
});
