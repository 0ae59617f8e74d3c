// What a turn charges and leaves behind.

import { describe, expect, test } from "vitest";

import { Story, toolCall } from "../../../../test/support/runStory.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

describe("a turn is charged", () => {
  test("at what the model reported", () => {
    const story = runWith();
    story.turn("lead", { text: "…", usage: { inputTokens: 7, outputTokens: 3, cachedTokens: 2 } });
    expect(story.state.budget.used).toEqual({ steps: 1, toolCalls: 0, inputTokens: 7, outputTokens: 3, costMicros: 5 });
  });

  test("at its estimate when the model reported nothing", () => {
    const story = runWith();
    story.turn("lead", { text: "…" });
    expect(story.state.budget.used).toEqual({
      steps: 1,
      toolCalls: 0,
      inputTokens: 10,
      outputTokens: 10,
      costMicros: 5,
    });
  });

  test("not at all when it failed before it cost anything", () => {
    const story = runWith();
    const request = story.request("lead");
    story.must({
      type: "agent.failRequest",
      agent: "lead",
      request,
      code: "MODEL_UNAVAILABLE",
      message: "…",
      text: "",
      isFinal: false,
      wasCharged: false,
    });
    expect(story.state.budget.used.steps).toBe(0);
  });

  test("to its child until that is settled, then to the run", () => {
    const story = runWith();
    const id = story.spawn();
    const before = story.state.budget.used.steps;
    story.submit(id);
    const unsettled = story.state.budget.used.steps;
    story.settle(id);
    expect([unsettled - before, story.state.budget.used.steps - before]).toEqual([0, 1]);
  });

  test("to its child at its estimate when the child ends before the answer", () => {
    const story = runWith();
    const id = story.spawn();
    story.request(id);
    story.fail(id);
    story.settle(id);
    expect(story.ofType("subagent.settled")[0]?.data.used).toEqual({
      steps: 1,
      toolCalls: 0,
      inputTokens: 10,
      outputTokens: 10,
      costMicros: 5,
    });
  });
});

test("an answer to a request that is no longer open adds nothing", () => {
  const story = runWith();
  const request = story.request("lead");
  story.must({ type: "agent.loseRequest", agent: "lead" });
  expect(
    story.must({
      type: "agent.complete",
      agent: "lead",
      request,
      text: "Late.",
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: null,
      costMicros: null,
    }),
  ).toEqual([]);
});

test("a call is dispatched once and settled once", () => {
  const story = runWith();
  story.turn("lead", { calls: [toolCall("c", "readFile")] });
  const dispatch = {
    type: "agent.dispatch",
    agent: "lead",
    call: "c",
    effect: "read",
    class: "pure",
    input: {},
  } as const;
  const settle = {
    type: "agent.settle",
    agent: "lead",
    call: "c",
    outcome: "executed",
    durationMs: 1,
    output: "",
    resultHash: "h",
  } as const;
  story.must(dispatch);
  const again = story.apply(dispatch);
  story.must(settle);
  expect([again, story.must(settle)]).toEqual([
    { rejection: { code: "NOT_ALLOWED_NOW", sentence: "The call c is dispatched." } },
    [],
  ]);
});

test("a result that does not fit goes back with its errors, and the next one counts as repaired", () => {
  const story = runWith();
  const id = story.spawn();
  story.turn(id, { calls: [toolCall("s", "submitResult")] });
  story.must({ type: "agent.repair", agent: id, call: "s", errors: ["answer is missing"] });
  const answer = story.ofType("tool.answered").at(-1)?.data.output;
  story.submit(id);
  expect([answer, story.node(id).schema]).toEqual([
    expect.stringContaining("The result does not fit: answer is missing"),
    "repaired",
  ]);
});

test("evidence carries what the system found of it", () => {
  const story = runWith();
  const id = story.spawn();
  story.turn(id, { calls: [toolCall("s", "submitResult")] });
  const evidence = [{ source: "a.js:1" }, { source: "a talk" }];
  story.must({
    type: "agent.submit",
    agent: id,
    call: "s",
    result: { status: "done", answer: "", evidence, uncertainty: "low", followups: [] },
    schema: "ok",
    marks: ["found"],
  });
  expect(story.node(id).evidence.map(({ mark }) => mark)).toEqual(["found", "not checkable"]);
});

describe("an activity", () => {
  test.each([
    ["runCommand", { command: "npm test\n# and more" }, "runCommand npm test"],
    ["applyEdit", { changes: [{ kind: "create", path: "b.js" }] }, "applyEdit b.js"],
    ["searchText", { query: "charge" }, "searchText charge"],
    ["listFiles", {}, "listFiles"],
  ])("of %s names its subject", (tool, input, activity) => {
    const story = runWith();
    story.turn("lead", { calls: [toolCall("c", tool, input)] });
    story.must({ type: "agent.dispatch", agent: "lead", call: "c", effect: "read", class: "pure", input });
    expect(story.state.lead.activity).toBe(activity);
  });

  test("is thinking while a request is open", () => {
    const story = runWith();
    story.request("lead");
    expect(story.state.lead.activity).toBe("Thinking");
  });
});

describe("the ceiling clock", () => {
  test("[F10] runs while its node does and stands while a person is waited for", () => {
    const story = runWith();
    const id = story.spawn();
    const started = story.node(id).startedAt ?? 0;
    story.now = started + 9_000;
    story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
    const ran = story.node(id).ranMs;
    story.now += 600_000;
    story.decide(id, "approved");
    story.fail(id);
    expect([ran, story.node(id).ranMs]).toEqual([10_000, 11_000]);
  });
});
