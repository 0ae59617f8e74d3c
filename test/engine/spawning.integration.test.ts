import { afterEach, describe, expect, test } from "vitest";

import { answersTo, endsOf, eventsAfter, leavings } from "../support/storyProbes.ts";
import { calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

interface SpawnAnswer {
  readonly subagentId?: string;
  readonly status?: string;
  readonly waitingFor?: { readonly code: string };
  readonly error?: { readonly code: string; readonly message: string };
}

describe("spawning", () => {
  test("a refused spawn leaves graph, ids and budget as they were, and says why to the lead and to the journal", async () => {
    const story = await openStory([
      {
        match: /^Sort it out/,
        turns: [
          calls(
            spawn("X1", { dependsOn: ["subagent-7"] }),
            spawn("X2", { dependsOn: ["subagent-1"] }),
            spawn("X3", { role: "wizard" }),
            spawn("X4", { toolHints: ["applyEdit"] }),
            spawn("X5", { budget: { steps: 25 } }),
            spawn("ALPHA"),
            spawn("BETA", { dependsOn: ["subagent-1"] }),
            spawn("X6", { dependsOn: ["subagent-2"] }),
          ),
          wait(["subagent-1", "subagent-2"]),
          calls(spawn("X7", { dependsOn: ["subagent-1"] }), spawn("GAMMA", { toolHints: [] }), spawn("X8")),
          wait(["subagent-3"]),
          say("Done."),
        ],
      },
      { match: /^ALPHA/, turns: [submit("no way in", { status: "blocked" })] },
      { match: /^GAMMA/, turns: [submit("found")] },
    ]);
    const run = await story.run("Sort it out", { limits: { maxChain: 2, maxSubagents: 3 }, budget: { steps: 20 } });
    const answers = answersTo(run, "lead", "spawnSubagent") as readonly SpawnAnswer[];
    const refusals = eventsOf(run, "handoff.refused").map(({ data }) => [data.task, data.code, data.sentence]);
    expect(
      answers.map((answer) => answer.error?.code ?? [answer.subagentId, answer.status, answer.waitingFor?.code]),
    ).toEqual([
      "UNKNOWN_DEPENDENCY",
      "GRAPH_CYCLE",
      "ROLE_UNKNOWN",
      "NO_TOOLS_LEFT",
      "BUDGET_EXHAUSTED",
      ["subagent-1", "running", undefined],
      ["subagent-2", "pending", "DEPENDENCY"],
      "CHAIN_TOO_LONG",
      "DEPENDENCY_NOT_COMPLETED",
      ["subagent-3", "running", undefined],
      "TOO_MANY_SUBAGENTS",
    ]);
    expect(refusals.map(([task]) => task)).toEqual(["X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8"]);
    // What the journal says is what the lead was told.
    expect(answers.flatMap((answer) => (answer.error ? [[answer.error.code, answer.error.message]] : []))).toEqual(
      refusals.map(([, code, sentence]) => [code, sentence]),
    );
    expect(endsOf(run)).toEqual({
      "subagent-1": "failed BLOCKED",
      "subagent-2": "cancelled DEPENDENCY_NOT_COMPLETED",
      "subagent-3": "completed",
    });
    expect(eventsOf(run, "handoff.recorded").map(({ data }) => [data.subagent, data.slice.steps])).toEqual([
      ["subagent-1", 4],
      ["subagent-2", 3],
      ["subagent-3", 4],
    ]);
    expect(run.state().budget.reserved.steps).toBe(0);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("nothing stands between a refusal and its answer", async () => {
    const story = await openStory([{ match: /^Go/, turns: [calls(spawn("X", { role: "wizard" })), say("So be it.")] }]);
    const run = await story.run("Go");
    const [refusal] = eventsOf(run, "handoff.refused");
    expect(eventsAfter(run, refusal, 1).map((event) => [event.type, event.agent])).toEqual([["tool.answered", "lead"]]);
    expect(run.state().nodes).toEqual([]);
    expect(run.state().stop?.reason).toBe("final_answer");
  });
});
