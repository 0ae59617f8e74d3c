import { afterEach, describe, expect, test } from "vitest";

import { answersTo, endsOf } from "../support/storyProbes.ts";
import type { RequestBody } from "../support/scriptedModel.ts";
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
  toolAnswers,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const offered = (body: RequestBody | undefined) =>
  ((body?.["tools"] ?? []) as readonly { readonly function: { readonly name: string } }[]).map(
    (tool) => tool.function.name,
  );
const change = { kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" };

describe("roles", () => {
  test("each agent is offered what its role allows, and no subagent may delegate", async () => {
    const roles = ["explorer", "reviewer", "planner", "verifier", "executor"];
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(...roles.map((role) => spawn(`AS ${role}`, { role, paths: [`${role}.txt`] }))),
          wait(roles.map((_role, index) => `subagent-${index + 1}`)),
          say("Done."),
        ],
      },
      {
        match: /^AS/,
        turns: [calls(spawn("DEEPER"), { name: "waitForSubagents", args: { subagentIds: [] } }), submit("alone")],
      },
    ]);
    const run = await story.run("Begin");
    const readers = ["listFiles", "readFile", "searchText", "browseSymbols", "exploreCode"];
    const toolsOf = (start: string) =>
      offered(story.server.requests.find((request) => request.firstUserMessage.startsWith(start))?.body);
    expect(Object.fromEntries(roles.map((role) => [role, toolsOf(`AS ${role}`)]))).toEqual({
      explorer: [...readers, "note", "submitResult"],
      reviewer: [...readers, "readChangeSet", "note", "submitResult"],
      planner: [...readers, "note", "submitResult"],
      verifier: [...readers, "runCommand", "note", "submitResult"],
      executor: [...readers, "applyEdit", "runCommand", "note", "submitResult"],
    });
    expect(toolsOf("Begin")).toEqual(
      expect.arrayContaining(["spawnSubagent", "waitForSubagents", ...readers, "readChangeSet"]),
    );
    expect(toolsOf("Begin").filter((tool) => ["applyEdit", "runCommand", "submitResult"].includes(tool))).toEqual([]);
    expect(eventsOf(run, "tool.refused").map((event) => [event.data.tool, event.data.code])).toEqual(
      roles.map(() => ["waitForSubagents", "POLICY_DENIED"]),
    );
    // That one is a spawn like any other that may not be: the journal says why.
    expect(eventsOf(run, "handoff.refused").map((event) => event.data.code)).toEqual(
      roles.map(() => "DEPTH_EXHAUSTED"),
    );
    expect(eventsOf(run, "handoff.recorded")).toHaveLength(roles.length);
    expect(Object.values(endsOf(run))).toEqual([
      "completed",
      "completed",
      "completed",
      "completed",
      "completed NO_CHANGES",
    ]);
  });

  test("[E35] a call of a tool outside the list is refused before any dispatch, in the journal and to the model", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls({ name: "applyEdit", args: { changes: [change] } }),
          calls(spawn("READ", { toolHints: ["readFile"] })),
          wait(["subagent-1"]),
          say("Done."),
        ],
      },
      {
        match: /^READ/,
        turns: [
          calls(
            { name: "applyEdit", args: { changes: [change] } },
            { name: "runCommand", args: { command: "echo x > a.txt" } },
            { name: "searchText", args: { query: "one" } },
            { name: "browse", args: {} },
          ),
          submit("could not"),
        ],
      },
    ]);
    const run = await story.run("Begin");
    expect(eventsOf(run, "tool.refused").map((event) => [event.agent, event.data.tool, event.data.code])).toEqual([
      ["lead", "applyEdit", "POLICY_DENIED"],
      ["subagent-1", "applyEdit", "POLICY_DENIED"],
      ["subagent-1", "runCommand", "POLICY_DENIED"],
      // The hints left it out.
      ["subagent-1", "searchText", "POLICY_DENIED"],
      ["subagent-1", "browse", "UNKNOWN_TOOL"],
    ]);
    expect(eventsOf(run, "tool.dispatched")).toEqual([]);
    const told = toolAnswers(
      story.server.requests.find((request) => request.firstUserMessage.startsWith("READ") && request.answered === 1)
        ?.body ?? { messages: [] },
    );
    expect(
      told.split("\n").map((line) => (JSON.parse(line) as { error: { code: string; message: string } }).error),
    ).toEqual([
      { code: "POLICY_DENIED", message: "applyEdit is not among your tools; they are readFile, note, submitResult." },
      { code: "POLICY_DENIED", message: "runCommand is not among your tools; they are readFile, note, submitResult." },
      { code: "POLICY_DENIED", message: "searchText is not among your tools; they are readFile, note, submitResult." },
      { code: "UNKNOWN_TOOL", message: "There is no tool browse; yours are readFile, note, submitResult." },
    ]);
    expect(story.repository.git("status", "--porcelain")).toBe("");
  });
});

describe("calls of a turn", () => {
  test("the eleventh alone is refused, and every call gets its own answer", async () => {
    const peeks = Array.from({ length: 11 }, (_, index) => ({ id: `c${index + 1}`, name: "peekSubagents", args: {} }));
    const story = await openStory([{ match: /^Begin/, turns: [calls(...peeks), say("Seen.")] }]);
    const run = await story.run("Begin");
    expect(answersTo(run, "lead", "peekSubagents")).toHaveLength(10);
    expect(eventsOf(run, "tool.refused").map((event) => [event.data.call, event.data.code])).toEqual([
      ["c11", "TOO_MANY_CALLS"],
    ]);
    const answered = story.server.requests[1]?.body.messages
      .filter((message) => message.role === "tool")
      .map((message) => message.tool_call_id);
    expect(answered?.toSorted()).toEqual(peeks.map((peek) => peek.id).toSorted());
  });

  test("[E16] arguments that do not fit are answered by field with the schema, and not carried out", async () => {
    const bad = [
      { name: "spawnSubagent", rawArgs: '{"task": "half' },
      { name: "spawnSubagent", args: { task: "  " } },
      { name: "spawnSubagent", args: { task: "x", colour: "red" } },
      { name: "spawnSubagent", args: { task: "x", maxSteps: "many" } },
      { name: "waitForSubagents", rawArgs: "[]" },
      { name: "readFile", args: { path: 7 } },
    ];
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(...bad),
          calls(
            { name: "peekSubagents", rawArgs: "" },
            { name: "readFile", rawArgs: JSON.stringify(JSON.stringify({ path: "a.txt" })) },
          ),
          say("Done."),
        ],
      },
    ]);
    const run = await story.run("Begin");
    const refusals = eventsOf(run, "tool.refused").map((event) => [
      event.data.tool,
      event.data.code,
      event.data.message.split(". Its parameters: ")[0],
    ]);
    expect(refusals).toEqual([
      [
        "spawnSubagent",
        "BAD_ARGUMENTS",
        'spawnSubagent was not called: its arguments are not valid JSON: {"task": "half',
      ],
      ["spawnSubagent", "BAD_ARGUMENTS", "spawnSubagent was not called: task: must not be blank"],
      ["spawnSubagent", "BAD_ARGUMENTS", "spawnSubagent was not called: unknown colour"],
      ["spawnSubagent", "BAD_ARGUMENTS", expect.stringContaining("maxSteps: ")],
      ["waitForSubagents", "BAD_ARGUMENTS", "waitForSubagents was not called: its arguments are not a JSON object: []"],
      ["readFile", "BAD_ARGUMENTS", expect.stringContaining("path: ")],
    ]);
    expect(run.state().nodes).toEqual([]);
    // Nothing at all is an empty object, and one layer of encoding too many is taken off.
    expect(eventsOf(run, "tool.dispatched").map((event) => event.data.input)).toEqual([{ path: "a.txt" }]);
    expect(answersTo(run, "lead", "peekSubagents")).toEqual([{ subagents: [] }]);
  });

  test("a call that is only printed is text, and never carried out", async () => {
    const printed = 'I will do it: <tool_call>{"name": "spawnSubagent", "arguments": {"task": "X"}}</tool_call>';
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [calls(spawn("PRINTS", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say(printed)],
      },
      {
        match: /^PRINTS/,
        turns: [say(`applyEdit(${JSON.stringify({ changes: [change] })})`), edit(change), submit("edited")],
      },
    ]);
    const run = await story.run("Begin");
    expect(run.state().stop?.answer).toBe(printed);
    expect(run.state().nodes).toHaveLength(1);
    expect(eventsOf(run, "tool.dispatched").map((event) => event.data.tool)).toEqual(["applyEdit"]);
    expect(eventsOf(run, "model.requested").flatMap((event) => event.data.promptKind ?? [])).toEqual(["submit"]);
  });

  test("call ids that a server repeats are kept apart", async () => {
    const peek = { id: "call_1", name: "peekSubagents", args: {} };
    const story = await openStory([
      { match: /^Begin/, turns: [calls(peek, peek), calls(peek), call("listFiles", {}), say("Done.")] },
    ]);
    const run = await story.run("Begin");
    expect(new Set(eventsOf(run, "tool.answered").map((event) => event.data.call)).size).toBe(3);
    expect(run.state().stop?.reason).toBe("final_answer");
  });
});
