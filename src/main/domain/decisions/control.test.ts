// The lead's control tools: waits, cancels, messages and glimpses, and what they say to the model.

import { describe, expect, test } from "vitest";

import { Story, toolCall } from "../../../../test/support/runStory.ts";
import type { WaitArguments } from "../commands.ts";
import { parseWait } from "./control.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

function wait(input: WaitArguments): { readonly tool: "waitForSubagents"; readonly input: WaitArguments } {
  return { tool: "waitForSubagents", input };
}

/** What a wait said, without the results themselves. */
function outcome(answer: unknown): unknown {
  if (answer === null) return null;
  const { results, ...rest } = answer as { results: Record<string, { status: string }> };
  return { ...rest, arrived: Object.entries(results).map(([id, { status }]) => `${id} ${status}`) };
}

test("a control call is decided as the tool that the model called, and as no other", () => {
  const story = runWith();
  story.turn("lead", { calls: [toolCall("call-1", "spawnSubagent", { task: "Look at pay.js." })] });
  const control = { tool: "peekSubagents", input: {} } as const;
  expect(story.apply({ type: "agent.control", agent: "lead", call: "call-1", control })).toMatchObject({
    rejection: { code: "OTHER_CALL", sentence: "Call call-1 is spawnSubagent, not peekSubagents." },
  });
});

describe("a wait", () => {
  test("for all has no answer until each has arrived, then gives results in the order asked", () => {
    const story = runWith();
    const [one, two] = [story.spawn(), story.spawn()];
    const asked = wait({ subagentIds: [two, one] });
    const open = story.control(asked);
    story.complete(one);
    const half = story.ask("call-3", asked);
    story.complete(two);
    expect([open, half, outcome(story.ask("call-3", asked))]).toEqual([
      null,
      null,
      { pending: [], arrived: ["subagent-2 completed", "subagent-1 completed"] },
    ]);
  });

  test("for any answers with the first and names the rest", () => {
    const story = runWith();
    const [one, two] = [story.spawn(), story.spawn()];
    story.complete(two);
    expect(outcome(story.control(wait({ subagentIds: [one, two], mode: "any" })))).toEqual({
      pending: ["subagent-1"],
      arrived: ["subagent-2 completed"],
    });
  });

  test("for an executor is over when its change set is proposed, unless told until completed", () => {
    const story = runWith();
    const executor = story.spawn({ role: "executor", paths: ["a.js"] });
    story.review(executor);
    const proposed = outcome(story.control(wait({ subagentIds: [executor] })));
    expect([proposed, story.control(wait({ subagentIds: [executor], until: "completed" }))]).toEqual([
      { pending: [], arrived: ["subagent-1 awaiting_review"] },
      null,
    ]);
  });

  test("whose time is over says so and names what is pending", () => {
    const story = runWith();
    const id = story.spawn();
    const asked = wait({ subagentIds: [id], timeoutMs: 5_000 });
    const early = story.control(asked);
    story.now += 5_000;
    expect([early, story.ask("call-2", asked)]).toEqual([
      null,
      { results: {}, pending: ["subagent-1"], timedOut: true },
    ]);
  });

  test("for an id that does not exist names it and those that do", () => {
    const story = runWith();
    story.spawn();
    expect(story.control(wait({ subagentIds: ["subagent-1", "subagent-8"] }))).toEqual({
      error: { code: "UNKNOWN_SUBAGENT", message: "There is no subagent-8; those that exist are subagent-1." },
    });
  });

  test("for one that was cancelled returns at once", () => {
    const story = runWith();
    const id = story.spawn();
    story.control({ tool: "cancelSubagent", input: { subagentId: id } });
    expect(outcome(story.control(wait({ subagentIds: [id] })))).toEqual({
      pending: [],
      arrived: ["subagent-1 cancelled"],
    });
  });

  test.each(["all", "any"] as const)("for nobody is over at once (%s)", (mode) => {
    expect(runWith().control(wait({ subagentIds: [], mode }))).toEqual({ results: {}, pending: [] });
  });

  test("may be made twice", () => {
    const story = runWith();
    const id = story.spawn();
    story.complete(id);
    const first = story.control(wait({ subagentIds: [id] }));
    expect(story.control(wait({ subagentIds: [id] }))).toEqual(first);
  });

  test("that a crash interrupted is entered again under its own call", () => {
    const story = runWith();
    const id = story.spawn();
    const asked = wait({ subagentIds: [id] });
    story.control(asked);
    story.must({ type: "run.interrupt", reason: "The process died." });
    story.must({ type: "run.recover", epoch: 2 });
    story.complete(id);
    expect(outcome(story.ask("call-2", asked))).toEqual({ pending: [], arrived: ["subagent-1 completed"] });
  });

  test("answers with the result and, beside it, what was observed", () => {
    const story = runWith();
    const id = story.spawn();
    story.complete(id);
    expect(story.control(wait({ subagentIds: [id] }))).toMatchObject({
      results: {
        "subagent-1": {
          said: "done",
          answer: "It is so.",
          observed: { toolsUsed: ["submitResult"], steps: 1, verification: "skipped", filesChanged: [] },
        },
      },
    });
  });
});

describe("parseWait", () => {
  test("reads a wait as a model writes it, also encoded twice", () => {
    const text = JSON.stringify({ subagentIds: ["subagent-1"], mode: "any" });
    const parsed = { subagentIds: ["subagent-1"], mode: "any", until: "proposed" };
    expect([parseWait(text), parseWait(JSON.stringify(text))]).toEqual([parsed, parsed]);
  });

  test.each(["", "{", "null", "[]", '{"subagentIds":"subagent-1"}', '{"subagentIds":[1]}'])(
    "finds no wait in %j",
    (text) => {
      expect(parseWait(text)).toBeNull();
    },
  );
});

describe("cancelSubagent", () => {
  test("confirms, and the node keeps its slot until it is settled", () => {
    const story = runWith({ limits: { maxConcurrent: 1 } });
    const [id, other] = [story.spawn(), story.spawn()];
    const answer = story.control({ tool: "cancelSubagent", input: { subagentId: id } });
    const ended = story.node(other).status;
    story.settle(id);
    expect([answer, ended, story.node(other).status]).toEqual([
      { subagentId: "subagent-1", cancelled: true },
      "ready",
      "running",
    ]);
  });

  test("says when there is no such subagent, or it has ended", () => {
    const story = runWith();
    const id = story.spawn();
    story.complete(id);
    const ask = (subagentId: string) => story.control({ tool: "cancelSubagent", input: { subagentId } });
    expect([ask("subagent-9"), ask(id)]).toEqual([
      { error: { code: "UNKNOWN_SUBAGENT", message: "There is no subagent-9." } },
      { error: { code: "ALREADY_FINISHED", message: "subagent-1 has completed already." } },
    ]);
  });

  test("leaves a landing alone", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["a.js"] });
    const changeset = story.review(id);
    story.decide(id, "approved");
    story.must({ type: "landing.begin", changeset, old: null, new: "n" as never, tree: "t" as never });
    expect([story.control({ tool: "cancelSubagent", input: { subagentId: id } }), story.node(id).status]).toEqual([
      { error: { code: "LANDING", message: "subagent-1 is landing, which is never cut." } },
      "landing",
    ]);
  });

  test("takes an open review with it: its approval is withdrawn and it never lands", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["a.js"] });
    story.review(id);
    story.control({ tool: "cancelSubagent", input: { subagentId: id } });
    const { changeSets, approvals } = story.state;
    expect([changeSets[0]?.status, approvals[0]?.status]).toEqual(["withdrawn", "withdrawn"]);
  });
});

describe("a subagent that needs context", () => {
  function asking(): { readonly story: Story; readonly id: ReturnType<Story["spawn"]> } {
    const story = runWith();
    const id = story.spawn();
    story.submit(id, "needs_context", "Which currency?");
    return { story, id };
  }

  test("waits, holds no slot, and its question reaches whoever waits for it", () => {
    const { story, id } = asking();
    expect([story.node(id).status, story.control(wait({ subagentIds: [id] }))]).toEqual([
      "waiting",
      expect.objectContaining({ results: { "subagent-1": expect.objectContaining({ question: "Which currency?" }) } }),
    ]);
  });

  test("its question ends the wait for those that hang on it, however far", () => {
    const { story, id } = asking();
    const next = story.spawn({ dependsOn: [id] });
    const last = story.spawn({ dependsOn: [next] });
    expect(story.control(wait({ subagentIds: [last] }))).toEqual({
      results: { [id]: expect.objectContaining({ question: "Which currency?" }) },
      pending: [last],
    });
  });

  test("goes on once the lead answers", () => {
    const { story, id } = asking();
    const answer = story.control({ tool: "messageSubagent", input: { subagentId: id, text: "Euro." } });
    const resumed = story.ofType("subagent.resumed").map((event) => event.data.after);
    expect([answer, story.node(id).status, resumed]).toEqual([
      { subagentId: id, delivered: "with its packet" },
      "running",
      ["context"],
    ]);
  });

  test("goes on once a person answers", () => {
    const { story, id } = asking();
    story.must({ type: "run.input", text: "Euro.", from: "a person", to: id });
    expect([story.node(id).status, story.node(id).question]).toEqual(["running", null]);
  });

  test("fails with NEEDS_CONTEXT when the lead ends twice without answering", () => {
    const { story, id } = asking();
    story.speak();
    const request = story.request("lead", { prompt: { kind: "reminder", text: "…" } });
    story.must({
      type: "agent.complete",
      agent: "lead",
      request,
      text: "That is all.",
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: null,
      costMicros: null,
    });
    story.must({ type: "lead.abandonChildren" });
    expect([story.node(id).status, story.node(id).code]).toEqual(["failed", "NEEDS_CONTEXT"]);
  });
});

describe("messageSubagent", () => {
  test("[F05] is refused for one that is reviewed or has ended", () => {
    const story = runWith();
    const [reviewed, ended] = [story.spawn({ role: "executor" }), story.spawn()];
    story.review(reviewed);
    story.complete(ended);
    const ask = (subagentId: string) => story.control({ tool: "messageSubagent", input: { subagentId, text: "…" } });
    expect([ask(reviewed), ask(ended)]).toEqual([
      { error: { code: "AWAITING_REVIEW", message: "subagent-1 has submitted; what it made is being reviewed." } },
      { error: { code: "ALREADY_FINISHED", message: "subagent-2 has completed already." } },
    ]);
  });
});

test("peekSubagents shows each with what it waits for and does", () => {
  const story = runWith();
  const id = story.spawn();
  story.spawn({ task: "Then look.", dependsOn: [id] });
  expect(story.control({ tool: "peekSubagents", input: {} })).toEqual({
    subagents: [
      {
        subagentId: "subagent-1",
        role: "explorer",
        title: "Look at pay.js.",
        status: "running",
        steps: 0,
        activity: "",
      },
      {
        subagentId: "subagent-2",
        role: "explorer",
        title: "Then look.",
        status: "pending",
        waitingFor: { code: "DEPENDENCY", sentence: "Waits for subagent-1." },
        steps: 0,
        activity: "",
      },
    ],
  });
});

test("where nobody can be asked, a control call beyond the tool calls of the budget is refused, and the lead has its last turn", () => {
  const story = runWith({ budget: { toolCalls: 1 }, options: { approve: "auto" } });
  story.control({ tool: "peekSubagents", input: {} });
  story.control({ tool: "peekSubagents", input: {} });
  expect([
    story.state.budget.used.toolCalls,
    story.ofType("tool.refused").map((event) => event.data.code),
    story.state.lead.limitReached,
  ]).toEqual([1, ["BUDGET_EXHAUSTED"], "budget_exhausted"]);
});
