// `spawnSubagent`: what is refused and why, and what a spawn that is accepted leaves in the run.

import { describe, expect, test } from "vitest";

import { Story } from "../../../../test/support/runStory.ts";
import { decide } from "../decide.ts";
import { priceFor } from "../prices.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

describe("a spawn is refused", () => {
  test("beyond the number of subagents that a run may create, ended ones included", () => {
    const story = runWith({ limits: { maxSubagents: 1 } });
    story.complete(story.spawn());
    expect(story.refusedSpawn({})).toEqual({
      code: "TOO_MANY_SUBAGENTS",
      message: "This run may create 1 subagents and has; finish with what there is.",
    });
  });

  test("when it depends on an id that does not exist, naming those that do", () => {
    const story = runWith();
    story.spawn();
    expect([
      story.refusedSpawn({ dependsOn: ["subagent-7"] }),
      story.refusedSpawn({ dependsOn: ["the explorer"] }),
    ]).toEqual([
      { code: "UNKNOWN_DEPENDENCY", message: "There is no subagent-7; those that exist are subagent-1." },
      { code: "UNKNOWN_DEPENDENCY", message: "There is no the explorer; those that exist are subagent-1." },
    ]);
  });

  test("when nothing exists yet to depend on", () => {
    expect(runWith().refusedSpawn({ dependsOn: ["subagent-2"] }).message).toBe(
      "There is no subagent-2; no subagent exists yet.",
    );
  });

  test("on a model whose price is not known, where money is limited, naming those whose price is", () => {
    const story = runWith({ budget: { costMicros: 1_000_000 }, price: { input: 1, output: 2 } });
    story.prices = { small: { input: 3, output: 4 } };
    story.spawn({ model: "small" });
    expect(story.refusedSpawn({ model: "odd" })).toEqual({
      code: "NO_PRICE",
      message:
        "The money of this run is limited and the price of odd is not known; leave model out, or name one of m, small.",
    });
  });

  test("when it depends on itself", () => {
    expect(runWith().refusedSpawn({ dependsOn: ["subagent-1"] })).toEqual({
      code: "GRAPH_CYCLE",
      message: "This node would be subagent-1 itself; a node cannot depend on itself.",
    });
  });

  test("when its chain is longer than the limit, and accepted at the limit", () => {
    const story = runWith({ limits: { maxChain: 2 } });
    const first = story.spawn();
    const second = story.spawn({ dependsOn: [first] });
    expect(story.refusedSpawn({ dependsOn: [second] })).toEqual({
      code: "CHAIN_TOO_LONG",
      message:
        "Its dependency chain would hold 3 nodes, the limit is 2; wait for results and pass them on in context instead.",
    });
  });

  test.each(["failed", "cancelled"] as const)("when a dependency has %s already", (end) => {
    const story = runWith();
    const first = story.spawn();
    if (end === "failed") story.fail(first);
    else story.control({ tool: "cancelSubagent", input: { subagentId: first } });
    expect(story.refusedSpawn({ dependsOn: [first] })).toEqual({
      code: "DEPENDENCY_NOT_COMPLETED",
      message: `subagent-1 has ${end}, so this could never run; spawn it without that dependency.`,
    });
  });

  test("for a role that does not exist, naming those that do", () => {
    expect(runWith().refusedSpawn({ role: "wizard" })).toEqual({
      code: "ROLE_UNKNOWN",
      message: 'There is no role "wizard"; the roles are explorer, reviewer, planner, verifier, executor.',
    });
  });

  test("when it replaces a subagent that does not exist", () => {
    expect(runWith().refusedSpawn({ replaces: "subagent-3" })).toEqual({
      code: "UNKNOWN_SUBAGENT",
      message: "replaces names subagent-3, which does not exist; no subagent exists yet.",
    });
  });

  test("when its hints leave no tool of the role", () => {
    expect(runWith().refusedSpawn({ toolHints: ["applyEdit"] })).toEqual({
      code: "NO_TOOLS_LEFT",
      message: "The hints name no tool of the role explorer, which has listFiles, readFile, searchText.",
    });
  });

  test("when its slice cannot be reserved, naming who holds what would be freed", () => {
    const story = runWith({ budget: { steps: 12 } });
    story.spawn({ budget: { steps: 7 } });
    expect(story.refusedSpawn({ budget: { steps: 5 } })).toEqual({
      code: "BUDGET_EXHAUSTED",
      message: "Not enough steps (0 left); settling subagent-1 would free some.",
    });
  });

  test("when a subagent asks for one", () => {
    const story = runWith();
    const child = story.spawn();
    expect(story.control({ tool: "spawnSubagent", input: { task: "Deeper." } }, child)).toEqual({
      error: {
        code: "DEPTH_EXHAUSTED",
        message: "subagent-1 may not delegate further; do the work, or name what is left in followups.",
      },
    });
  });

  test("without a trace in graph, ids or slices", () => {
    const story = runWith();
    story.spawn();
    const { nodes, budget } = story.state;
    story.refusedSpawn({ role: "wizard" });
    expect([story.state.nodes, story.state.budget.reserved, story.spawn()]).toEqual([
      nodes,
      budget.reserved,
      "subagent-2",
    ]);
  });
});

describe("a spawn that is accepted", () => {
  test("answers with its id and that it runs", () => {
    expect(runWith().control({ tool: "spawnSubagent", input: { task: "Look." } })).toEqual({
      subagentId: "subagent-1",
      status: "running",
    });
  });

  test("answers with what it waits for", () => {
    const story = runWith();
    const first = story.spawn();
    expect(story.control({ tool: "spawnSubagent", input: { task: "Then look.", dependsOn: [first] } })).toEqual({
      subagentId: "subagent-2",
      status: "pending",
      waitingFor: { code: "DEPENDENCY", sentence: "Waits for subagent-1." },
    });
  });

  test("warns of what the packet lacks", () => {
    const answer = runWith().control({
      tool: "spawnSubagent",
      input: { task: "Fix it as discussed.", role: "executor" },
    });
    expect(answer).toMatchObject({
      warnings: [
        expect.stringContaining('The task says "as discussed"'),
        expect.stringContaining("No paths are claimed"),
      ],
    });
  });

  test("is an explorer unless said otherwise", () => {
    const story = runWith();
    expect(story.node(story.spawn()).role).toBe("explorer");
  });

  test("has the role's tools, which hints only narrow, and its result to hand in", () => {
    const story = runWith();
    const node = story.node(story.spawn({ toolHints: ["readFile", "applyEdit"] }));
    expect(node.packet.allowedTools).toEqual(["readFile", "submitResult"]);
  });

  test("waits for a proposal when a reviewer looks at an executor, and for completion otherwise", () => {
    const story = runWith();
    const [executor, explorer] = [story.spawn({ role: "executor", paths: ["a.js"] }), story.spawn()];
    const reviewer = story.spawn({ role: "reviewer", dependsOn: [executor, explorer] });
    const strict = story.spawn({ role: "reviewer", dependsOn: [{ id: executor, until: "completed" }] });
    expect([story.node(reviewer).dependsOn, story.node(strict).dependsOn]).toEqual([
      [
        { id: executor, until: "proposed" },
        { id: explorer, until: "completed" },
      ],
      [{ id: executor, until: "completed" }],
    ]);
  });

  test("may depend on one spawned by an earlier call of the same turn", () => {
    const story = runWith();
    const calls = [
      { id: "a", name: "spawnSubagent", arguments: "{}" },
      { id: "b", name: "spawnSubagent", arguments: "{}" },
    ];
    story.turn("lead", { calls });
    story.ask("a", { tool: "spawnSubagent", input: { task: "First." } });
    story.ask("b", { tool: "spawnSubagent", input: { task: "Second.", dependsOn: ["subagent-1"] } });
    expect(story.statuses()).toEqual(["running", "pending"]);
  });

  test("is named by the first line of its task, bounded", () => {
    const story = runWith();
    const title = story.node(story.spawn({ task: `${"x".repeat(90)}\nmore` })).title;
    expect(title).toBe(`${"x".repeat(79)}…`);
  });
});

test("a subagent has the model that the lead names, else its role's, else the run's; the role's go with their server", () => {
  const story = new Story({ options: { roleModels: { explorer: "small" } } }).start();
  const models = () => [{}, { role: "planner" }, { model: "large" }].map((more) => story.node(story.spawn(more)).model);
  expect(models()).toEqual(["small", "m", "large"]);
  story.isDriving = false;
  story.must({
    type: "run.override",
    overrides: { options: { baseUrl: "http://127.0.0.1:2/v1" }, limits: {}, by: "Ada" },
  });
  story.isDriving = true;
  expect([story.state.options.roleModels, models()[0]]).toEqual([undefined, "m"]);
});

test("the price of a model that the lead names is on record with the first handoff to it, known or not, and one that is on record is not asked for", () => {
  const large = { input: 5, output: 20 };
  const story = runWith({ price: { input: 1, output: 2 } });
  story.prices = { large };
  for (const model of ["m", "large", "large", "odd"]) story.spawn({ model });
  expect(story.ofType("handoff.recorded").map(({ data }) => data.price)).toEqual([undefined, large, undefined, null]);
  expect(["m", "large", "odd"].map((model) => priceFor(story.state, model))).toEqual([
    { input: 1, output: 2 },
    large,
    null,
  ]);
});

describe("a handoff that is asked for again under the key that it has", () => {
  /** The lead's last call stands open again, as if its answer had never come. */
  const askAgain = (task: string) => {
    const story = runWith();
    story.spawn();
    const { lead } = story.state;
    const calls = lead.calls.map((call) => ({ ...call, status: "open" as const }));
    const state = { ...story.state, lead: { ...lead, calls } };
    const control = { tool: "spawnSubagent", input: { task } } as const;
    const decision = decide(
      state,
      { type: "agent.control", agent: "lead", call: calls[0]?.id ?? "", control },
      story.facts(),
    );
    return "events" in decision ? decision.events : [];
  };

  test("is the one on record, and its budget is not taken twice", () => {
    expect(askAgain("Look at pay.js.").map(({ type, data }) => [type, "output" in data && data.output])).toEqual([
      ["tool.answered", JSON.stringify({ subagentId: "subagent-1", status: "running" })],
    ]);
  });

  test("with another contract it is a conflict of keys, which stops the run", () => {
    const events = askAgain("Look at all of it.");
    expect(events.map(({ type, data }) => [type, "code" in data && data.code])).toEqual([
      ["handoff.refused", "KEY_CONFLICT"],
      ["tool.answered", false],
      ["run.ending", "KEY_CONFLICT"],
      ["subagent.stopped", "KEY_CONFLICT"],
    ]);
  });
});
