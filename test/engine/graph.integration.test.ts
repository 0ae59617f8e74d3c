import { afterEach, describe, expect, test } from "vitest";

import { answersTo, endsOf, gate } from "../support/storyProbes.ts";
import {
  call,
  calls,
  edit,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

interface WaitAnswer {
  readonly results?: Readonly<
    Record<string, { readonly status: string; readonly code?: string; readonly answer?: string }>
  >;
  readonly pending?: readonly string[];
  readonly timedOut?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

const statuses = (answer: WaitAnswer) =>
  Object.fromEntries(Object.entries(answer.results ?? {}).map(([id, result]) => [id, result.status]));

describe("the graph", () => {
  test("a failure cancels what has not started, down the chain, and leaves alone what runs", async () => {
    const reading = gate();
    const story = await openStory([
      {
        match: /^Change it/,
        turns: [
          calls(
            spawn("EXEC", { role: "executor", paths: ["a.txt"] }),
            spawn("READS the proposal", { role: "reviewer", dependsOn: ["subagent-1"] }),
            spawn("LATER", { dependsOn: [{ id: "subagent-1", until: "completed" }] }),
            spawn("LAST", { dependsOn: ["subagent-3"] }),
          ),
          wait(["subagent-1"]),
          // Only once the reviewer is at work.
          async () => {
            await story.server.waitForRequests(5);
            return call("cancelSubagent", { subagentId: "subagent-1" });
          },
          wait(["subagent-1", "subagent-3", "subagent-4"]),
          () => {
            reading.open();
            return wait(["subagent-2"]);
          },
          say("Over."),
        ],
      },
      {
        match: /^EXEC/,
        turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
      },
      { match: /^READS/, turns: [{ ...submit("looks fine"), gate: reading.passed }] },
    ]);
    const run = await story.run("Change it", { options: { approve: "none", verify: [] } });
    expect(endsOf(run)).toEqual({
      "subagent-1": "cancelled CANCELLED",
      "subagent-2": "completed",
      "subagent-3": "cancelled DEPENDENCY_NOT_COMPLETED",
      "subagent-4": "cancelled DEPENDENCY_NOT_COMPLETED",
    });
    expect(
      run
        .state()
        .nodes.slice(2)
        .map((node) => node.sentence),
    ).toEqual([
      "Dependency subagent-1 did not complete successfully",
      "Dependency subagent-3 did not complete successfully",
    ]);
    // A wait on what is over returns at once: nothing was committed between its turn and its answer.
    const [, second] = answersTo(run, "lead", "waitForSubagents") as readonly WaitAnswer[];
    expect(statuses(second ?? {})).toEqual({
      "subagent-1": "cancelled",
      "subagent-3": "cancelled",
      "subagent-4": "cancelled",
    });
    expect(run.state().stop?.reason).toBe("final_answer");
  });

  test("a diamond gives its last node both results as data, and each node settles once", async () => {
    const story = await openStory([
      {
        match: /^Look/,
        turns: [
          calls(
            spawn("ROOT"),
            spawn("LEFT", { dependsOn: ["subagent-1"] }),
            spawn("RIGHT", { dependsOn: ["subagent-1"] }),
            spawn("JOIN", { dependsOn: ["subagent-2", "subagent-3"] }),
          ),
          wait(["subagent-4"]),
          say("Joined."),
        ],
      },
      { match: /^ROOT/, turns: [submit("root says A")] },
      { match: /^LEFT/, turns: [submit("left says B")] },
      { match: /^RIGHT/, turns: [submit("right says C")] },
      { match: /^JOIN/, turns: [submit("all of it")] },
    ]);
    const run = await story.run("Look");
    const packet =
      story.server.requests.find((request) => request.firstUserMessage.startsWith("JOIN"))?.firstUserMessage ?? "";
    const sources = [...packet.matchAll(/<data source="result of (subagent-\d)">\n([\s\S]*?)\n<\/data>/g)].map(
      (match) => [match[1], (JSON.parse(match[2] ?? "") as { answer: string }).answer],
    );
    expect(sources).toEqual([
      ["subagent-2", "left says B"],
      ["subagent-3", "right says C"],
    ]);
    expect(
      eventsOf(run, "subagent.settled")
        .map((event) => event.data.subagent)
        .toSorted(),
    ).toEqual(["subagent-1", "subagent-2", "subagent-3", "subagent-4"]);
    expect(run.state().budget.reserved).toMatchObject({ steps: 0, toolCalls: 0 });
    expect(run.state().budget.used.steps).toBe(7);
  });

  test("[F02] a wait returns any, at its limit, on completion, or with the unknown id; and the same wait twice is fine", async () => {
    const slow = gate();
    const story = await openStory([
      {
        match: /^Wait/,
        turns: [
          calls(spawn("FAST"), spawn("SLOW"), spawn("EXEC", { role: "executor", paths: ["a.txt"] })),
          wait(["subagent-2", "subagent-1"], { mode: "any" }),
          wait(["subagent-2"], { timeoutMs: 1 }),
          wait(["subagent-9"]),
          wait(["subagent-3"], { until: "completed" }),
          () => {
            slow.open();
            return wait(["subagent-2", "subagent-1"]);
          },
          wait(["subagent-2", "subagent-1"]),
          wait([]),
          say("Waited."),
        ],
      },
      { match: /^FAST/, turns: [submit("fast")] },
      { match: /^SLOW/, turns: [{ ...submit("slow"), gate: slow.passed }] },
      {
        match: /^EXEC/,
        turns: [
          edit({ kind: "create", path: "new.txt", content: "x\n" }),
          edit({ kind: "replace", path: "a.txt", oldText: "one", newText: "eins" }),
          submit("edited"),
        ],
      },
    ]);
    const run = await story.run("Wait");
    const answers = answersTo(run, "lead", "waitForSubagents") as readonly WaitAnswer[];
    expect(
      answers.map((answer) => answer.error?.code ?? [statuses(answer), answer.pending, answer.timedOut ?? false]),
    ).toEqual([
      [{ "subagent-1": "completed" }, ["subagent-2"], false],
      [{}, ["subagent-2"], true],
      "UNKNOWN_SUBAGENT",
      [{ "subagent-3": "completed" }, [], false],
      [{ "subagent-2": "completed", "subagent-1": "completed" }, [], false],
      [{ "subagent-2": "completed", "subagent-1": "completed" }, [], false],
      [{}, [], false],
    ]);
    expect(answers[2]?.error?.message).toContain("subagent-9");
    // In the order asked, not of creation.
    expect(Object.keys(answers[4]?.results ?? {})).toEqual(["subagent-2", "subagent-1"]);
    expect(answers[5]).toEqual(answers[4]);
    // The edit outside its claim was refused as such.
    expect(eventsOf(run, "tool.settled").map((event) => event.data.code ?? event.data.outcome)).toEqual([
      "OUTSIDE_PATHS",
      "executed",
    ]);
  });
});
