// What an agent does next, read from the state alone: prompts, last turns, reminders, circles.

import { describe, expect, test } from "vitest";

import { Story, toolCall } from "../../../test/support/runStory.ts";
import type { AgentId, SubagentId } from "../../shared/contract/ids.ts";
import { dutiesOf } from "./duties.ts";
import type { ToolOutcome } from "./records.ts";
import { balanceAtEnd, nextLeadTurn, nextSubagentTurn, stepsOf } from "./turn.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

function next(story: Story, id: AgentId) {
  return id === "lead" ? nextLeadTurn(story.state) : nextSubagentTurn(story.state, story.node(id));
}

/** Takes the turn that the state asks for, with its prompt, and says `text`. */
function obey(story: Story, id: AgentId, text = "So."): void {
  const turn = next(story, id);
  if (turn.kind !== "request") throw new Error(`${id} is not asked for a turn but to ${turn.kind}`);
  const request = story.request(id, {
    isForced: turn.isForced,
    ...(turn.prompt === null ? {} : { prompt: turn.prompt }),
  });
  story.must({
    type: "agent.complete",
    agent: id,
    request,
    text,
    reasoning: "",
    toolCalls: [],
    finish: "stop",
    usage: null,
    costMicros: null,
  });
}

/** One turn with one call of a working tool, carried out. */
function work(
  story: Story,
  id: AgentId,
  call: string,
  more: {
    readonly input?: unknown;
    readonly hash?: string;
    readonly outcome?: ToolOutcome;
    readonly changedState?: boolean;
    readonly tool?: string;
  } = {},
): void {
  story.turn(id, { calls: [toolCall(call, more.tool ?? "readFile", more.input ?? { path: "a.js" })] });
  story.must({ type: "agent.dispatch", agent: id, call, effect: "read", class: "pure", input: {} });
  story.must({
    type: "agent.settle",
    agent: id,
    call,
    outcome: more.outcome ?? "executed",
    durationMs: 1,
    output: "",
    resultHash: more.hash ?? "same",
    ...(more.changedState === undefined ? {} : { changedState: more.changedState }),
  });
}

describe("a lead that speaks its last word", () => {
  test("stops the run when nothing is open", () => {
    const story = runWith();
    story.speak("All is well.");
    story.must({ type: "run.stop" });
    expect(story.state.stop).toEqual({
      reason: "final_answer",
      answer: "All is well.",
      partial: false,
      code: null,
      sentence: null,
    });
  });

  test("is reminded once of children at work; when it ends again they are cancelled", () => {
    const story = runWith();
    const id = story.spawn();
    story.speak();
    const reminded = next(story, "lead");
    obey(story, "lead");
    const second = next(story, "lead");
    story.must({ type: "lead.abandonChildren" });
    expect([reminded, second, story.node(id).code]).toEqual([
      {
        kind: "request",
        isForced: false,
        prompt: { kind: "reminder", text: expect.stringContaining("subagent-1 (running)") },
      },
      { kind: "abandonChildren" },
      "ABANDONED",
    ]);
  });

  test("waits for a review without being reminded, also of what depends on it", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    story.spawn({ dependsOn: [executor] });
    story.review(executor);
    story.speak();
    expect([next(story, "lead"), story.state.status]).toEqual([{ kind: "idle" }, "waiting"]);
  });

  test("is not reminded of what a person sent back since, nor of what hangs on it", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    const dependent = story.spawn({ dependsOn: [executor] });
    story.review(executor);
    story.speak();
    story.decide(executor, "sent_back", "In French.");
    const working = [story.node(executor).status, next(story, "lead")];
    const set = story.review(executor);
    story.decide(executor, "approved");
    story.land(set);
    story.settle(executor);
    expect([working, story.node(dependent).status, next(story, "lead")]).toEqual([
      ["running", { kind: "idle" }],
      "running",
      { kind: "idle" },
    ]);
  });

  test("is reminded of a child that was at work when it spoke, whatever a person decides about another", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    story.review(executor);
    story.spawn();
    story.speak();
    story.decide(executor, "sent_back", "In French.");
    const turn = next(story, "lead");
    expect(turn).toMatchObject({
      kind: "request",
      prompt: { kind: "reminder", text: expect.stringMatching(/: subagent-2 \(running\)\./) },
    });
  });

  test("stops without another turn once everything has landed", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    const set = story.review(executor);
    story.speak();
    story.decide(executor, "approved");
    story.land(set);
    story.settle(executor);
    expect(dutiesOf(story.state)).toEqual([{ kind: "stop" }]);
  });

  test("has one more turn with the facts when its change set was rejected", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    story.review(executor);
    story.speak();
    story.decide(executor, "rejected", "Not like this.");
    story.settle(executor);
    const news = next(story, "lead");
    obey(story, "lead");
    expect([news, dutiesOf(story.state)]).toEqual([
      {
        kind: "request",
        isForced: false,
        prompt: { kind: "news", text: expect.stringContaining("subagent-1: failed (REJECTED), Not like this.") },
      },
      [{ kind: "stop" }],
    ]);
  });

  test("[E07] is asked again when it said nothing, once, and then fails the run", () => {
    const story = runWith();
    story.speak("");
    const first = next(story, "lead");
    obey(story, "lead", " ");
    expect([first, next(story, "lead")]).toEqual([
      { kind: "request", isForced: false, prompt: { kind: "empty", text: expect.any(String) } },
      { kind: "fail", code: "MODEL_RETURNED_NOTHING", sentence: expect.any(String) },
    ]);
  });

  test("has another turn when a person spoke meanwhile", () => {
    const story = runWith();
    const request = story.request("lead");
    story.must({ type: "run.input", text: "And refunds?", from: "a person", to: "lead" });
    story.must({
      type: "agent.complete",
      agent: "lead",
      request,
      text: "Done.",
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: null,
      costMicros: null,
    });
    expect(next(story, "lead")).toEqual({ kind: "request", isForced: false, prompt: null });
  });
});

describe("a lead at its limit", () => {
  test("has one forced turn, refuses calls in it, and stops partial", () => {
    const story = runWith({ limits: { leadSteps: 1 } });
    const last = next(story, "lead");
    story.turn("lead", {
      text: "This far.",
      calls: [toolCall("c", "spawnSubagent", { task: "More." })],
      isForced: true,
    });
    story.must({ type: "run.stop" });
    expect([last, story.ofType("tool.refused").map((event) => event.data.code), story.state.stop]).toEqual([
      { kind: "request", isForced: true, prompt: { kind: "forced", text: expect.any(String) } },
      ["NO_TOOLS"],
      { reason: "max_steps", answer: "This far.", partial: true, code: null, sentence: null },
    ]);
  });

  test("of its budget pays that turn from its kept share", () => {
    const story = runWith({ budget: { steps: 4 }, options: { approve: "auto" } });
    story.turn("lead", { calls: [toolCall("c", "peekSubagents")] });
    story.ask("c", { tool: "peekSubagents", input: {} });
    story.must({
      type: "agent.request",
      agent: "lead",
      model: "m",
      estimate: { steps: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, costMicros: 0 },
      isCostKnown: true,
      isForced: false,
    });
    const exhausted = [story.state.lead.request, next(story, "lead")];
    obey(story, "lead", "This far.");
    story.must({ type: "run.stop" });
    expect([exhausted, story.state.stop?.reason, story.state.stop?.partial]).toEqual([
      [null, expect.objectContaining({ kind: "request", isForced: true })],
      "budget_exhausted",
      true,
    ]);
  });

  test("of time loses its children and has its last turn", () => {
    const story = runWith({ wallMs: 60_000 });
    const id = story.spawn();
    story.must({ type: "run.expire" });
    expect([story.node(id).code, next(story, "lead")]).toEqual([
      "WALL_TIME",
      expect.objectContaining({ kind: "request", isForced: true }),
    ]);
  });

  test("is at it no more once a person continues the run", () => {
    const story = runWith({ wallMs: 60_000 });
    story.must({ type: "run.expire" });
    story.turn("lead", { text: "This far.", isForced: true });
    story.must({ type: "run.stop" });
    story.must({ type: "run.input", text: "Go on.", from: "a person", to: "lead" });
    expect([story.state.status, next(story, "lead")]).toEqual([
      "running",
      { kind: "request", isForced: false, prompt: null },
    ]);
  });
});

describe("a subagent", () => {
  test("that writes prose is told twice to submit, then its text is kept as its result", () => {
    const story = runWith();
    const id = story.spawn();
    const kinds = ["One.", "Two.", "Three."].map((text) => {
      obey(story, id, text);
      const turn = next(story, id);
      return turn.kind === "request" ? turn.prompt?.kind : turn;
    });
    expect(kinds).toEqual(["submit", "submit", { kind: "keepProse", text: "Three." }]);
  });

  test("whose prose was kept has an unstructured result", () => {
    const story = runWith();
    const id = story.spawn();
    for (const text of ["One.", "Two.", "Three."]) obey(story, id, text);
    story.must({
      type: "agent.submit",
      agent: id,
      call: null,
      result: { status: "done", answer: "Three.", evidence: [], uncertainty: "high", followups: [] },
      schema: "unstructured",
      marks: [],
    });
    expect([story.node(id).status, story.node(id).schema]).toEqual(["completed", "unstructured"]);
  });

  test("has its last step forced, and fails with MAX_STEPS when it does not submit in it", () => {
    const story = runWith();
    const id = story.spawn({ maxSteps: 2 });
    work(story, id, "c1");
    const last = next(story, id);
    obey(story, id);
    expect([last, next(story, id)]).toEqual([
      { kind: "request", isForced: true, prompt: { kind: "forced", text: expect.stringContaining("submitResult") } },
      { kind: "fail", code: "MAX_STEPS", sentence: "It used its 2 steps without a result." },
    ]);
  });

  test("may still submit in its forced turn with its tool calls used up", () => {
    const story = runWith();
    const id = story.spawn({ budget: { toolCalls: 0 } });
    story.complete(id);
    expect([story.node(id).status, story.node(id).used.toolCalls]).toEqual(["completed", 0]);
  });

  test("takes no more steps than its slice holds", () => {
    const story = runWith({ budget: { steps: 24 } });
    const node = story.node(story.spawn());
    expect([node.packet.maxSteps, stepsOf(node)]).toEqual([25, 5]);
  });

  test("whose slice is overdrawn by a request fails instead of asking", () => {
    const story = runWith();
    const id = story.spawn({ budget: { inputTokens: 15 } });
    story.turn(id, { text: "Hm." });
    story.must({
      type: "agent.request",
      agent: id,
      model: "m",
      estimate: { steps: 1, toolCalls: 0, inputTokens: 10, outputTokens: 1, costMicros: 0 },
      isCostKnown: true,
      isForced: false,
    });
    expect([story.node(id).status, story.node(id).code]).toEqual(["failed", "BUDGET_EXHAUSTED"]);
  });

  test("[C11] [E29] whose answers hit the output limit is told to do less, and stopped after three in a row", () => {
    const story = runWith();
    const id = story.spawn();
    const turns = [1, 2, 3].map(() => {
      const request = story.request(id);
      story.must({
        type: "agent.failRequest",
        agent: id,
        request,
        code: "OUTPUT_LIMIT",
        message: "Cut.",
        text: "…",
        isFinal: false,
        wasCharged: true,
      });
      const turn = next(story, id);
      return turn.kind === "request" ? turn.prompt?.kind : turn.kind === "fail" ? turn.code : turn.kind;
    });
    expect(turns).toEqual(["cut", "cut", "OUTPUT_LIMIT"]);
  });

  test("that makes eleven calls in a turn has the eleventh refused and the others open", () => {
    const story = runWith();
    const id = story.spawn();
    story.turn(id, { calls: Array.from({ length: 11 }, (_, index) => toolCall(`c${index}`, "readFile")) });
    const statuses = story.node(id).calls.map((call) => call.status);
    expect([
      statuses.filter((status) => status === "open").length,
      statuses.at(-1),
      story.ofType("tool.refused")[0]?.data.code,
    ]).toEqual([10, "answered", "TOO_MANY_CALLS"]);
  });

  test("whose forced request was lost in a crash is asked once more", () => {
    const story = runWith();
    const id = story.spawn({ maxSteps: 3 });
    story.request(id, { isForced: true });
    story.must({ type: "run.interrupt", reason: "The process died." });
    story.must({ type: "run.recover", epoch: 2 });
    expect(next(story, id).kind).toBe("request");
  });
});

describe("a tool that fails", () => {
  function failTurns(count: number): { readonly story: Story; readonly id: SubagentId } {
    const story = runWith();
    const id = story.spawn();
    for (let turn = 0; turn < count; turn++)
      work(story, id, `c${turn}`, { outcome: "failed", input: { turn }, hash: `h${turn}` });
    return { story, id };
  }

  test("in three turns in a row is named to its agent, in five stops it", () => {
    const [three, five] = [failTurns(3), failTurns(5)];
    expect([next(three.story, three.id), next(five.story, five.id)]).toEqual([
      {
        kind: "request",
        isForced: false,
        prompt: { kind: "failing", text: expect.stringContaining("readFile has failed in 3 turns in a row") },
      },
      { kind: "fail", code: "TOOL_FAILING", sentence: "readFile failed in 5 turns in a row." },
    ]);
  });

  test.each(["not_applied", "cancelled", "unknown"] as const)("is not what was cut: %s", (outcome) => {
    const story = runWith();
    const id = story.spawn();
    for (const call of ["c1", "c2", "c3", "c4", "c5", "c6"])
      work(story, id, call, { outcome, input: { call }, hash: call });
    expect(next(story, id)).toEqual({ kind: "request", isForced: false, prompt: null });
  });

  test.each([
    ["a success of it", { outcome: "executed" as const }],
    ["a change of the work place", { tool: "applyEdit", changedState: true }],
  ])("is forgiven after %s", (_, between) => {
    const { story, id } = failTurns(2);
    work(story, id, "between", { input: { between: true }, hash: "between", ...between });
    work(story, id, "after", { outcome: "failed", input: { after: true }, hash: "after" });
    expect(next(story, id)).toEqual({ kind: "request", isForced: false, prompt: null });
  });
});

describe("a circle", () => {
  test("[F16] of three identical calls with identical results stops the agent", () => {
    const story = runWith();
    const id = story.spawn();
    for (const call of ["c1", "c2", "c3"]) work(story, id, call);
    expect(next(story, id)).toEqual({
      kind: "fail",
      code: "LOOPING",
      sentence: "readFile was called 3 times with the same arguments and the same result.",
    });
  });

  test("[F16] is none when the results differ: polling is legitimate", () => {
    const story = runWith();
    const id = story.spawn();
    for (const call of ["c1", "c2", "c3", "c4"]) work(story, id, call, { hash: call });
    expect(next(story, id).kind).toBe("request");
  });

  test("is none when an edit lies between", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["a.js"] });
    for (const call of ["c1", "c2"]) work(story, id, call);
    work(story, id, "edit", { tool: "applyEdit", changedState: true });
    work(story, id, "c3");
    expect(next(story, id).kind).toBe("request");
  });
});

test("nobody has a turn while the run is paused", () => {
  const story = runWith();
  const id = story.spawn();
  story.must({ type: "run.pause" });
  expect([next(story, "lead"), next(story, id), dutiesOf(story.state)]).toEqual([
    { kind: "idle" },
    { kind: "idle" },
    [],
  ]);
});

test("a request is the last affordable one when two of its size do not fit", () => {
  const limit = { steps: 10, toolCalls: null, inputTokens: 100, outputTokens: null, costMicros: null };
  const used = { steps: 1, toolCalls: 0, inputTokens: 60, outputTokens: 0, costMicros: 0 };
  const estimate = (inputTokens: number) => ({ steps: 1, toolCalls: 0, inputTokens, outputTokens: 5, costMicros: 0 });
  expect([balanceAtEnd(limit, used, estimate(20)), balanceAtEnd(limit, used, estimate(21))]).toEqual([
    undefined,
    "inputTokens",
  ]);
});
