// What a viewer is shown: bounded, frozen, shared, in words.

import { describe, expect, test } from "vitest";

import { fileChange, oid, Story } from "../../../../test/support/runStory.ts";
import type { ApprovalId } from "../../../shared/contract/ids.ts";
import { snapshotOf, waitingOf } from "./snapshot.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

describe("a snapshot", () => {
  test("says how the run, its lead and its subagents stand", () => {
    const story = runWith();
    const first = story.spawn({ task: "Look at pay.js." });
    story.spawn({ task: "Then fix it.", role: "executor", dependsOn: [first] });
    story.turn(first, { calls: [{ id: "c", name: "readFile", arguments: "{}" }] });
    story.must({
      type: "agent.dispatch",
      agent: first,
      call: "c",
      effect: "read",
      class: "pure",
      input: { path: "pay.js" },
    });
    const { lead, subagents, status, target, costUsd } = snapshotOf(story.state);
    expect([
      status,
      target,
      costUsd,
      lead,
      subagents.map(({ id, role, status: stands, waitingFor, activity, verification }) => ({
        id,
        role,
        stands,
        waitingFor,
        activity,
        verification,
      })),
    ]).toEqual([
      "running",
      "coppice/pay-r1",
      0.000015,
      { activity: "spawnSubagent", steps: 2, model: "m" },
      [
        {
          id: "subagent-1",
          role: "explorer",
          stands: "running",
          waitingFor: undefined,
          activity: "readFile pay.js",
          verification: "skipped",
        },
        {
          id: "subagent-2",
          role: "executor",
          stands: "pending",
          waitingFor: { code: "DEPENDENCY", sentence: "Waits for subagent-1." },
          activity: "",
          verification: "not-run",
        },
      ],
    ]);
  });

  test("names whom the lead waits for, without those that have arrived", () => {
    const story = runWith();
    const ids = [story.spawn(), story.spawn(), story.spawn()];
    story.complete(ids[0] ?? "subagent-1");
    story.control({ tool: "waitForSubagents", input: { subagentIds: ids } });
    expect(snapshotOf(story.state).lead.waitingFor).toEqual({
      code: "SUBAGENTS",
      sentence: "Waits for subagent-2, subagent-3",
    });
  });

  test("shows the question of a subagent that waits", () => {
    const story = runWith();
    const [asking, running] = [story.spawn(), story.spawn()];
    story.submit(asking, "needs_context", "Which currency?");
    story.must({ type: "approval.request", agent: running, kind: "command", summary: "npm test" });
    expect(snapshotOf(story.state).subagents.map(({ waitingFor }) => waitingFor)).toEqual([
      { code: "CONTEXT", sentence: "Asks: Which currency?" },
      { code: "PERSON", sentence: "Asks: npm test" },
    ]);
  });

  test("has no cost once one request had no known price", () => {
    const story = runWith();
    story.request("lead", { isCostKnown: false });
    expect(snapshotOf(story.state).costUsd).toBeNull();
  });

  test("counts tokens and requests over all agents", () => {
    const story = runWith();
    const id = story.spawn();
    story.turn(id, { text: "…", usage: { inputTokens: 70, outputTokens: 9, cachedTokens: 5 } });
    expect(snapshotOf(story.state).usage).toEqual({ inputTokens: 80, outputTokens: 19, cachedTokens: 5, requests: 2 });
  });

  test("carries the answer, the reason and the landings of a stopped run", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["pay.js"] });
    const changeset = story.review(id);
    story.decide(id, "approved");
    story.land(changeset);
    story.settle(id);
    story.speak("It was charged twice; fixed.");
    story.must({ type: "run.stop" });
    expect(snapshotOf(story.state)).toMatchObject({
      status: "stopped",
      stopReason: "final_answer",
      answer: "It was charged twice; fixed.",
      partial: false,
      landed: [{ landing: "r1-l1", changeset: "subagent-1.1", target: "coppice/pay-r1", files: ["pay.js"] }],
      approvals: [],
    });
    expect(snapshotOf(story.state)).not.toHaveProperty("stopFailure");
  });

  test("says of a change set that is the run's whole branch that it is", () => {
    const story = runWith();
    story.must({
      type: "line.propose",
      commit: oid(5),
      tree: oid(6),
      ref: "refs/coppice/r1/lead.1",
      files: [fileChange("pay.js")],
      target: { branch: "main", ref: "refs/heads/main" },
    });
    const [line] = snapshotOf(story.state).approvals;
    expect([line?.changeset, line?.isLine]).toEqual(["lead.1", true]);
  });

  test("carries what made a run fail", () => {
    const story = runWith();
    story.must({ type: "agent.fail", agent: "lead", code: "AUTH_FAILED", sentence: "The key was refused." });
    story.must({ type: "run.stop" });
    expect(snapshotOf(story.state)).toMatchObject({
      status: "stopped",
      stopReason: "failed",
      stopFailure: { code: "AUTH_FAILED", sentence: "The key was refused." },
    });
  });
});

describe("what waits for a person", () => {
  test("is every open approval, and a held change set under the approval that let it land", () => {
    const story = runWith();
    const [held, open] = [
      story.spawn({ role: "executor", paths: ["a.js"] }),
      story.spawn({ role: "executor", paths: ["b.js"] }),
    ];
    const changeset = story.review(held, [fileChange("a.js")]);
    story.review(open, [fileChange("b.js")]);
    story.decide(held, "approved");
    story.must({ type: "landing.hold", changeset, code: "CONFLICT", sentence: "a.js conflicts." });
    const waiting = [
      { id: "r1-a1", kind: "changeset", agent: "subagent-1" },
      { id: "r1-a2", kind: "changeset", agent: "subagent-2" },
    ];
    expect([
      waitingOf(story.state),
      snapshotOf(story.state).approvals,
      snapshotOf(story.state).subagents[0]?.held,
    ]).toEqual([
      waiting,
      [expect.objectContaining({ ...waiting[0], changeset }), expect.objectContaining(waiting[1])],
      { code: "CONFLICT", sentence: "a.js conflicts." },
    ]);
  });

  test("is nothing once it is decided", () => {
    const story = runWith();
    const id = story.spawn();
    story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
    story.must({ type: "approval.decide", approval: "r1-a1" as ApprovalId, decision: "approved", by: "a person" });
    expect(waitingOf(story.state)).toEqual([]);
  });
});

describe("two snapshots in a row", () => {
  test("share the subagents that did not change", () => {
    const story = runWith();
    const [still, moving] = [story.spawn(), story.spawn()];
    const before = snapshotOf(story.state);
    story.turn(moving, { text: "…" });
    const after = snapshotOf(story.state, before);
    expect([
      after.subagents[0] === before.subagents[0],
      after.subagents[1] === before.subagents[1],
      after.budget === before.budget,
      still,
    ]).toEqual([true, false, true, "subagent-1"]);
  });

  test("of one state are one object", () => {
    const story = runWith();
    story.spawn();
    const before = snapshotOf(story.state);
    expect(snapshotOf(story.state, before)).toBe(before);
  });

  test("are frozen to the bottom", () => {
    const story = runWith();
    story.spawn({ dependsOn: [story.spawn()] });
    const { subagents } = snapshotOf(story.state);
    expect(() => Object.assign(subagents[1]?.dependsOn[0] ?? {}, { id: "subagent-9" })).toThrow(TypeError);
  });
});

test.each(["x", "漢"])("[G04] 200 subagents with texts of %s at full length fit into 256 KiB", (sign) => {
  const long = sign.repeat(5_000);
  const story = runWith({
    limits: { maxSubagents: 200, maxConcurrent: 200, maxExecutors: 200, maxPerModel: 200, maxOverAllRuns: 200 },
  });
  for (let number = 0; number < 200; number++) {
    const id = story.spawn({
      task: long,
      role: "executor",
      model: long,
      dependsOn:
        number < 3
          ? []
          : ["subagent-1", "subagent-2", "subagent-3"].map((one) => ({
              id: one,
              until: "proposed" as const,
              because: long,
            })),
    });
    const changeset = story.review(id, [fileChange("a.js")]);
    story.decide(id, "approved");
    story.must({ type: "landing.hold", changeset, code: "CONFLICT", sentence: long });
  }
  story.speak(long);
  expect(Buffer.byteLength(JSON.stringify(snapshotOf(story.state)))).toBeLessThanOrEqual(256 * 1024);
});

test("who waits under a rule is shown with whom it waits beside, and the conditions in its way", () => {
  const story = new Story({ options: { policy: { kind: "rules", preset: "default" } } }).start();
  const first = story.spawn();
  story.spawn({
    task: "Look at tests.",
    independence: { "independent-context": { verdict: "met", evidence: "It needs no other file." } },
  });
  const ruleNow = () => snapshotOf(story.state).subagents[1]?.rule;
  expect(ruleNow()).toEqual({ beside: ["subagent-1"], because: "no-shared-state is unknown" });
  story.complete(first);
  expect(ruleNow()).toBeUndefined();
});
