// The run as a whole: start, crash, pause, cancel, input, wall time, stop.

import { describe, expect, test } from "vitest";

import { fileChange, oid, Story, toolCall } from "../../../../test/support/runStory.ts";
import type { CommandId } from "../../../shared/contract/ids.ts";
import { dutiesOf } from "../duties.ts";
import { nextLeadTurn } from "../turn.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

function crash(story: Story): void {
  story.must({ type: "run.interrupt", reason: "The process died." });
  story.must({ type: "run.recover", epoch: story.state.epoch + 1 });
}

describe("a crash", () => {
  test("loses the requests in flight and charges what they were estimated at", () => {
    const story = runWith({ budget: { inputTokens: 1_000 } });
    story.request("lead");
    crash(story);
    expect([
      story.ofType("model.lost").map((event) => event.data.request),
      story.state.budget.used.inputTokens,
      nextLeadTurn(story.state).kind,
    ]).toEqual([["lead-t1"], 10, "request"]);
  });

  test("starts nothing until somebody takes the run over", () => {
    const story = runWith();
    const first = story.spawn();
    const second = story.spawn({ dependsOn: [first] });
    story.turn(first, { calls: [toolCall("s", "submitResult")] });
    story.must({ type: "run.interrupt", reason: "The process died." });
    story.must({
      type: "agent.submit",
      agent: first,
      call: "s",
      result: { status: "done", answer: "", evidence: [], uncertainty: "low", followups: [] },
      schema: "ok",
      marks: [],
    });
    const interrupted = [story.node(second).status, dutiesOf(story.state)];
    story.must({ type: "run.recover", epoch: 2 });
    expect([interrupted, story.node(second).status, story.state.epoch]).toEqual([["pending", []], "running", 2]);
  });

  test("on the way to a stop does not make the run go on", () => {
    const story = runWith();
    const id = story.spawn();
    story.must({ type: "run.cancel", by: "a person" });
    crash(story);
    story.settle(id);
    story.must({ type: "run.stop" });
    expect(story.state.stop?.reason).toBe("cancelled");
  });

  test("of a run that waits leaves it waiting", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["a.js"] });
    story.review(id);
    story.speak();
    crash(story);
    expect(story.state.status).toBe("waiting");
  });

  test("before the start is followed by the start", () => {
    const story = new Story();
    story.must({ type: "run.recover", epoch: 1 });
    expect([story.state.status, story.events.at(-1)?.type]).toEqual(["running", "run.started"]);
  });

  test("that is said twice is one", () => {
    const story = runWith();
    story.must({ type: "run.interrupt", reason: "The process died." });
    expect(story.must({ type: "run.interrupt", reason: "The process died." })).toEqual([]);
  });
});

describe("a pause", () => {
  test("stops new turns, keeps accepting decisions, and goes on with resume", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["a.js"] });
    story.review(id);
    story.must({ type: "run.pause" });
    const refused = story.apply({
      type: "agent.request",
      agent: "lead",
      model: "m",
      estimate: { steps: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, costMicros: 0 },
      isCostKnown: true,
      isForced: false,
    });
    story.decide(id, "approved");
    const set = story.state.changeSets[0]?.status;
    story.must({ type: "run.resume" });
    expect([refused, set, story.state.status]).toEqual([
      { rejection: { code: "NOT_ACTIVE", sentence: "lead is not at work." } },
      "approved",
      "running",
    ]);
  });

  test("is not possible once the run has stopped", () => {
    const story = runWith();
    story.speak();
    story.must({ type: "run.stop" });
    expect(story.apply({ type: "run.pause" })).toEqual({
      rejection: { code: "NOT_ALLOWED_NOW", sentence: "The run is stopped." },
    });
  });
});

describe("a cancel", () => {
  test("ends every subagent, withdraws what is asked, and stops once all is settled", () => {
    const story = runWith();
    const [running, reviewed] = [story.spawn(), story.spawn({ role: "executor", paths: ["a.js"] })];
    story.review(reviewed, [fileChange("a.js")]);
    story.must({ type: "run.cancel", by: "a person" });
    const before = story.apply({ type: "run.stop" });
    for (const id of [running, reviewed]) story.settle(id);
    story.must({ type: "run.stop" });
    expect([
      story.state.nodes.map((node) => [node.status, node.sentence]),
      story.state.approvals[0]?.status,
      before,
      story.state.stop,
    ]).toEqual([
      [
        ["cancelled", "Cancelled by a person."],
        ["cancelled", "Cancelled by a person."],
      ],
      "withdrawn",
      { rejection: { code: "NOT_ALLOWED_NOW", sentence: "The run still has work in flight." } },
      { reason: "cancelled", answer: "", partial: true, code: null, sentence: null },
    ]);
  });

  test("made twice is one, and of a stopped run is refused", () => {
    const story = runWith();
    story.must({ type: "run.cancel", by: "a person" });
    const again = story.must({ type: "run.cancel", by: "a person" });
    story.must({ type: "run.stop" });
    expect([again, story.apply({ type: "run.cancel", by: "a person" })]).toEqual([
      [],
      { rejection: { code: "RUN_STOPPED", sentence: "The run has stopped already." } },
    ]);
  });

  test("takes what still comes of an effect that was in flight", () => {
    const story = runWith();
    const id = story.spawn();
    story.turn(id, { calls: [toolCall("c", "readFile")] });
    story.must({ type: "agent.dispatch", agent: id, call: "c", effect: "read", class: "pure", input: {} });
    story.must({ type: "run.cancel", by: "a person" });
    story.must({
      type: "agent.settle",
      agent: id,
      call: "c",
      outcome: "cancelled",
      durationMs: 1,
      output: "",
      resultHash: "h",
    });
    expect(story.node(id).calls[0]?.outcome).toBe("cancelled");
  });
});

describe("input", () => {
  test("continues a stopped run, whose next stop counts anew", () => {
    const story = runWith();
    story.speak("One.");
    story.must({ type: "run.stop" });
    story.must({ type: "run.input", text: "And refunds?", from: "a person", to: "lead" });
    const reopened = [story.state.status, story.state.stop];
    story.speak("Two.");
    story.must({ type: "run.stop" });
    expect([reopened, story.state.stop?.answer]).toEqual([["running", null], "Two."]);
  });

  test("is refused while the run is about to stop", () => {
    const story = runWith();
    story.must({ type: "run.cancel", by: "a person" });
    expect(story.apply({ type: "run.input", text: "Wait!", from: "a person", to: "lead" })).toEqual({
      rejection: { code: "NOT_ALLOWED_NOW", sentence: "The run is about to stop." },
    });
  });

  test("[F05] to a subagent that does not exist or has ended is refused", () => {
    const story = runWith();
    const id = story.spawn();
    story.complete(id);
    const say = (to: `subagent-${number}`) => story.apply({ type: "run.input", text: "…", from: "a person", to });
    expect([say("subagent-9"), say(id)]).toEqual([
      { rejection: { code: "UNKNOWN_SUBAGENT", sentence: "There is no subagent-9 in this run." } },
      {
        rejection: {
          code: "NOT_ALLOWED_NOW",
          sentence: "subagent-1 has completed already; write to the lead instead.",
        },
      },
    ]);
  });
});

test("a command sent again under its id adds nothing, whatever happened since", () => {
  const story = runWith();
  const commandId = "c1" as CommandId;
  story.must({ type: "run.pause", commandId });
  story.must({ type: "run.resume" });
  expect([
    story.must({ type: "run.pause", commandId }),
    story.state.status,
    story.ofType("run.paused")[0]?.command,
  ]).toEqual([[], "running", "c1"]);
});

test("a command that changed nothing is on record, and changes nothing when it is sent again under its id", () => {
  const story = runWith();
  const commandId = "c1" as CommandId;
  const first = story.must({ type: "run.resume", commandId });
  story.must({ type: "run.pause" });
  const again = story.must({ type: "run.resume", commandId });
  expect([first.map(({ type, data }) => [type, data]), again, story.state.status]).toEqual([
    [["command.answered", { command: { type: "run.resume" } }]],
    [],
    "paused",
  ]);
});

test("what nobody outside asked for, and changed nothing, is not on record", () => {
  expect(runWith().must({ type: "run.resume" })).toEqual([]);
});

test("a lead that fails ends its run, and its children with it", () => {
  const story = runWith();
  const id = story.spawn();
  const request = story.request("lead");
  story.must({
    type: "agent.failRequest",
    agent: "lead",
    request,
    code: "WRONG_KEY",
    message: "The key was refused.",
    text: "",
    isFinal: true,
    wasCharged: false,
  });
  story.settle(id);
  story.must({ type: "run.stop" });
  expect([story.node(id).code, story.state.stop]).toEqual([
    "WRONG_KEY",
    { reason: "failed", answer: "", partial: true, code: "WRONG_KEY", sentence: "The key was refused." },
  ]);
});

test("a node settles once; settling again adds nothing, settling too early is refused", () => {
  const story = runWith({ budget: { steps: 100 } });
  const id = story.spawn();
  const early = story.apply({ type: "node.settle", agent: id, childHead: "" });
  story.complete(id);
  expect([
    early,
    story.must({ type: "node.settle", agent: id, childHead: "" }),
    story.state.budget.reserved.steps,
  ]).toEqual([{ rejection: { code: "NOT_ALLOWED_NOW", sentence: "subagent-1 is running, not at its end." } }, [], 0]);
});

test("what is abandoned is only what a lead leaves behind at its end", () => {
  const story = runWith();
  const id = story.spawn();
  expect([story.must({ type: "lead.abandonChildren" }), story.node(id).status]).toEqual([[], "running"]);
});

test("a landing starts from the line that the one before it left", () => {
  const story = runWith();
  const first = story.spawn({ role: "executor", paths: ["a.js"] });
  const set = story.review(first);
  story.decide(first, "approved");
  story.land(set);
  story.settle(first);
  expect(story.node(story.spawn({ role: "executor", paths: ["a.js"] })).root).toBe(oid(300));
});

test("stopping again adds nothing", () => {
  const story = runWith();
  story.speak();
  story.must({ type: "run.stop" });
  expect(story.must({ type: "run.stop" })).toEqual([]);
});

test("a question that was withdrawn with the stop is asked anew, and charged once, when a person goes on with the run", () => {
  const story = runWith({ budget: { toolCalls: 10 } });
  const control = { tool: "askPerson", input: { question: "Which one?" } } as const;
  story.control(control);
  story.must({ type: "run.cancel", by: "a person" });
  story.must({ type: "run.stop" });
  story.must({ type: "run.input", text: "Go on.", from: "a person", to: "lead" });
  story.ask("call-1", control);
  expect([story.state.approvals.map((one) => one.status), story.state.budget.used.toolCalls]).toEqual([
    ["withdrawn", "open"],
    1,
  ]);
});

test("a call that waits for a person holds its place in the budget until they answer, so that no other takes it", () => {
  const story = runWith({ budget: { toolCalls: 1 } });
  const question = { tool: "askPerson", input: { question: "Which one?" } } as const;
  const peek = { tool: "peekSubagents", input: {} } as const;
  story.turn("lead", { calls: [toolCall("c1", question.tool, question.input), toolCall("c2", peek.tool, peek.input)] });
  story.ask("c1", question);
  // Asked again, it is the same question; another call has no room.
  story.ask("c1", question);
  story.ask("c2", peek);
  expect(story.state.approvals.map(({ kind, status }) => [kind, status])).toEqual([
    ["question", "open"],
    ["budget", "open"],
  ]);
  story.must({
    type: "approval.decide",
    approval: story.state.approvals[0]?.id ?? ("" as never),
    decision: "answered",
    comment: "That one.",
    by: "a person",
  });
  expect([story.state.budget.used.toolCalls, story.state.budget.limit.toolCalls]).toEqual([1, 1]);
});

test("a cancel lets the landing of the whole branch end first, and withdraws one that has not begun", () => {
  const runs = [true, false].map((isBegun) => {
    const story = runWith({ options: { approve: "final" } });
    const target = { branch: "main", ref: "refs/heads/main" };
    story.must({
      type: "line.propose",
      commit: oid(5),
      tree: oid(6),
      ref: "refs/coppice/r1/lead/1",
      files: [],
      target,
    });
    story.decide("lead", "approved");
    const changeset = story.state.changeSets[0]?.id ?? ("" as never);
    if (isBegun) story.must({ type: "landing.begin", changeset, old: oid(2), new: oid(300), tree: oid(301) });
    story.must({ type: "run.cancel", by: "a person" });
    return [story.state.changeSets[0]?.status, "rejection" in story.apply({ type: "run.stop" })];
  });
  expect(runs).toEqual([
    ["landing", true],
    ["withdrawn", false],
  ]);
});

test("the branch of a run that has not begun is put to no review, so that a cancel leaves no question behind", () => {
  const story = new Story();
  const target = { branch: "main", ref: "refs/heads/main" };
  const [commit, tree] = [oid(5), oid(6)];
  const asked = story.apply({ type: "line.propose", commit, tree, ref: "refs/coppice/r1/lead/1", files: [], target });
  story.must({ type: "run.cancel", by: "a person" });
  expect([asked, story.state.approvals]).toEqual([
    { rejection: expect.objectContaining({ code: "NOT_ALLOWED_NOW" }) as unknown },
    [],
  ]);
});

describe("another title", () => {
  function rename(story: Story, title: string): string | undefined {
    const outcome = story.apply({ type: "run.rename", title, by: "a person" });
    return "rejection" in outcome ? outcome.rejection.code : undefined;
  }

  test("is one line, may be given after the stop too, and moves nothing else", () => {
    const story = runWith();
    story.speak();
    story.must({ type: "run.stop" });
    const { status, stop } = story.state;
    rename(story, "  Pay\n once  ");
    rename(story, "Pay once");
    expect([story.state.title, story.ofType("run.renamed").length, story.state.status, story.state.stop]).toEqual([
      "Pay once",
      1,
      status,
      stop,
    ]);
  });

  test("is neither empty nor endless", () => {
    const story = runWith();
    expect([rename(story, " \n "), rename(story, "x".repeat(201))]).toEqual(["BAD_USAGE", "BAD_USAGE"]);
  });
});
