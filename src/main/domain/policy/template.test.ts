// Runs whose graph a template fixes: what is known of it, and how the run goes through it.

import { describe, expect, test } from "vitest";

import { resultOf, roles, Story, toolCall, unlimited } from "../../../../test/support/runStory.ts";
import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { Template } from "../../../shared/contract/template.ts";
import type { Json } from "../../../shared/lib/json.ts";
import { nextLeadTurn } from "../turn.ts";
import { figuresOf, inFull, problemOf } from "./template.ts";
import { builtInTemplates } from "./templates.ts";

const named = (name: string): Template => {
  const template = builtInTemplates.find((one) => one.name === name);
  if (template === undefined) throw new Error(`There is no template ${name}`);
  return template;
};

/** A started run under a template. */
function runUnder(template: Template, more: ConstructorParameters<typeof Story>[0] = {}): Story {
  return new Story({
    ...more,
    options: { policy: { kind: "template", name: template.name }, ...more.options },
    template: { ...template, ...figuresOf(template, roles) },
  }).start();
}

const node = (id: string, ...dependsOn: readonly string[]) => ({ id, role: "explorer", task: id, dependsOn });

describe("the built-in templates", () => {
  test.each(builtInTemplates.map((template) => [template.name, template] as const))("%s can be run", (_, template) => {
    expect(problemOf(template, roles)).toBeNull();
    expect(template.nodes.every(({ task }) => task.includes("{task}"))).toBe(true);
  });

  test("have the figures that they announce", () => {
    const figures = builtInTemplates.map((template) => {
      const { width, count, budget } = figuresOf(template, roles);
      return [template.name, width, count, budget.steps];
    });
    expect(figures).toEqual([
      ["sequence", 2, 3, 90],
      ["fan-out", 3, 3, 75],
      ["plan-execute", 2, 3, 85],
      ["review-panel", 3, 4, 100],
      ["implement-review", 2, 9, 335],
    ]);
  });
});

describe("a template cannot be run", () => {
  test.each([
    ["without nodes", [], "It has no nodes."],
    ["with a name twice", [node("a"), node("a")], "Two nodes are named a."],
    [
      "with a node before what it depends on",
      [node("a", "b"), node("b")],
      "a depends on b, which does not stand before it.",
    ],
    ["with an unknown role", [{ ...node("a"), role: "wizard" }], "a has the role wizard"],
  ])("%s", (_, nodes, problem) => {
    expect(problemOf({ name: "mine", about: "Mine.", nodes }, roles)).toContain(problem);
  });
});

test("in full, a reviewer waits for the proposal of whoever makes changes, and for the end of all others", () => {
  const nodes = [
    node("a"),
    { id: "b", role: "executor", task: "b", dependsOn: ["a"] },
    { id: "c", role: "reviewer", task: "c", dependsOn: ["a", "b"] },
    { id: "d", role: "reviewer", task: "d", dependsOn: [{ id: "b", until: "completed" }] },
  ] as const;
  const template = inFull({ name: "mine", about: "Mine.", nodes }, roles);
  expect(template.nodes.slice(1).map(({ dependsOn }) => dependsOn)).toEqual([
    [{ id: "a", until: "completed" }],
    [
      { id: "a", until: "completed" },
      { id: "b", until: "proposed" },
    ],
    [{ id: "b", until: "completed" }],
  ]);
  // The author may be sent back while c looks, and c does not wait for d, so c counts as standing beside both.
  expect(figuresOf(template, roles).width).toBe(3);
});

describe("a run under a template", () => {
  test("hands off all its nodes at the start, without a turn of the lead, each with the task in it", () => {
    const story = runUnder(named("review-panel"));
    expect(story.statuses()).toEqual(["running", "running", "running", "pending"]);
    expect(story.ofType("model.requested")).toEqual([]);
    expect(story.node("subagent-1").packet.objective).toContain("Find out why payments are charged twice.");
    expect(story.node("subagent-4").dependsOn.map(({ id }) => id)).toEqual(["subagent-1", "subagent-2", "subagent-3"]);
    expect(story.ofType("handoff.recorded").map(({ data }) => data.policy)).toEqual(
      Array(4).fill("template:review-panel"),
    );
    expect(nextLeadTurn(story.state)).toEqual({ kind: "idle" });
  });

  test("hands on the person's words as they stand, whatever signs are in them", () => {
    const story = runUnder(named("fan-out"), { task: "It costs $$5, $& and $` too." });
    expect(story.node("subagent-1").packet.objective).toContain("It costs $$5, $& and $` too.");
  });

  test("gives the lead its first turn once all have arrived, with their results as data", () => {
    const story = runUnder(named("fan-out"));
    const ids: readonly SubagentId[] = ["subagent-1", "subagent-2", "subagent-3"];
    for (const id of ids) {
      expect(nextLeadTurn(story.state).kind).toBe("idle");
      story.complete(id);
    }
    const turn = nextLeadTurn(story.state);
    expect(turn).toMatchObject({ kind: "request", isForced: false, prompt: { kind: "template" } });
    expect(turn.kind === "request" ? turn.prompt?.text : "").toContain('"step": "tests"');
    story.speak("All three agree.");
    expect(nextLeadTurn(story.state).kind).toBe("idle");
    story.must({ type: "run.stop" });
    expect(story.state.status).toBe("stopped");
  });

  test("has chains as long as the template's, whatever the limit for a lead is", () => {
    const chain = ["a", "b", "c", "d", "e"].map((id, index, all) =>
      node(id, ...all.slice(Math.max(0, index - 1), index)),
    );
    const story = runUnder({ name: "chain", about: "A chain.", nodes: chain }, { limits: { maxChain: 2 } });
    expect(story.statuses()).toEqual(["running", "pending", "pending", "pending", "pending"]);
  });

  test("refuses the lead a spawn of its own", () => {
    const story = runUnder(named("fan-out"));
    for (const id of ["subagent-1", "subagent-2", "subagent-3"] as const) story.complete(id);
    expect(story.refusedSpawn({}).code).toBe("TEMPLATE_FIXED");
  });

  test("lets the lead answer one that asks for context, before the others have arrived", () => {
    const story = runUnder(named("fan-out"));
    story.submit("subagent-1", "needs_context", "Which branch?");
    const turn = nextLeadTurn(story.state);
    expect(turn.kind === "request" ? turn.prompt?.text : "").toContain("subagent-1 cannot go on without context");
    story.control({ tool: "messageSubagent", input: { subagentId: "subagent-1", text: "main" } });
    expect(story.node("subagent-1").status).toBe("running");
  });

  test("that cannot pay for a node ends, saying which balance is short", () => {
    const story = runUnder(named("review-panel"), { budget: { ...unlimited, steps: 5 } });
    expect(story.state.ending).toMatchObject({ reason: "failed", code: "BUDGET_EXHAUSTED" });
  });
});

describe("a panel", () => {
  /** A reviewer hands in what it found, or could confirm, as data. */
  const hand = (story: Story, id: SubagentId, data: Json) => {
    const call = `hand-${id}`;
    story.turn(id, { calls: [toolCall(call, "submitResult")] });
    const result = { ...resultOf("done"), data };
    story.must({ type: "agent.submit", agent: id, call, result, schema: "ok", marks: [] });
    story.settle(id);
  };
  const finding = (id: string) => ({ id, severity: "major", source: "pay.js:1", failure: `${id} fails.` });
  const reported = (story: Story) => {
    const turn = nextLeadTurn(story.state);
    const text = turn.kind === "request" ? (turn.prompt?.text ?? "") : "";
    const data = /<data source="template results">\n(.*)\n<\/data>/s.exec(text)?.[1] ?? "[]";
    return (JSON.parse(data) as { step: string; data?: { findings?: { id: string }[] }; unconfirmed?: number }[]).map(
      (one) => [one.step, one.data?.findings?.map(({ id }) => id), one.unconfirmed],
    );
  };

  test("tells the lead what was confirmed, and drops the rest", () => {
    const story = runUnder(named("review-panel"));
    hand(story, "subagent-1", { findings: [finding("F1"), finding("F2")] });
    hand(story, "subagent-2", { findings: [finding("F1")] });
    hand(story, "subagent-3", { findings: [] });
    hand(story, "subagent-4", {
      confirmed: [{ from: "subagent-1", id: "F2", evidence: "pay.js:1" }],
      dropped: [
        { from: "subagent-1", id: "F1", why: "It cannot happen." },
        { from: "subagent-2", id: "F1", why: "Nobody calls it." },
      ],
    });
    expect(reported(story)).toEqual([
      ["correctness", ["F2"], 1],
      ["security", [], 1],
      ["upkeep", [], 0],
      ["confirm", undefined, undefined],
    ]);
  });

  test("whose confirmation failed has confirmed nothing", () => {
    const story = runUnder(named("review-panel"));
    hand(story, "subagent-1", { findings: [finding("F1")] });
    for (const id of ["subagent-2", "subagent-3"] as const) hand(story, id, { findings: [] });
    story.fail("subagent-4");
    story.settle("subagent-4");
    expect(reported(story)[0]).toEqual(["correctness", [], 1]);
  });
});
