// A run whose graph a template fixes, with real git and a scripted model.

import { afterEach, describe, expect, test } from "vitest";

import type { CareBodies } from "../../src/shared/contract/care.ts";
import { call, edit, endStories, eventsOf, openStory, say, submit, toolAnswers } from "../support/workbenchStory.ts";

afterEach(endStories);

const under = (name: string) => ({ options: { policy: { kind: "template", name } } }) as const;
const mine = {
  about: "Two look, one sums up.",
  nodes: [
    { id: "left", role: "explorer", task: "LEFT of {task}" },
    { id: "right", role: "explorer", task: "RIGHT of {task}" },
    { id: "sum", role: "planner", task: "SUM of {task}", dependsOn: ["left", "right"] },
  ],
};

describe("a template", () => {
  test("of the repository runs as it stands in the commit, and the lead answers from what was found", async () => {
    const story = await openStory(
      [
        { match: /^LEFT of Begin/, turns: [submit("left found")] },
        { match: /^RIGHT of Begin/, turns: [submit("right found")] },
        { match: /^SUM of Begin/, turns: [submit("both say so")] },
        { match: /^Begin/, turns: [say("It is so.")] },
      ],
      { "a.txt": "one\n", ".coppice/templates/two.json": JSON.stringify(mine) },
    );
    const run = await story.run("Begin", under("two"));
    expect(run.state()).toMatchObject({ status: "stopped", template: { width: 2, count: 3 } });
    expect(eventsOf(run, "handoff.recorded").map(({ data }) => data.policy)).toEqual(Array(3).fill("template:two"));
    // One request of the lead's, with the results in it and no way to spawn.
    const asked = story.server.requests.filter(({ body }) => body.messages[1]?.content === "Begin");
    expect(asked).toHaveLength(1);
    expect(String(asked[0]?.body.messages.at(-1)?.content)).toContain("both say so");
    expect(JSON.stringify(asked[0]?.body["tools"])).not.toContain("spawnSubagent");
  });

  test("whose reviewer does not pass a change has a fresh agent go on with it, and lands all of it", async () => {
    const rounds = {
      about: "One reviewer decides, and a fresh agent comes at once.",
      nodes: [
        { id: "make", role: "executor", task: "MAKE {task}", paths: ["."] },
        {
          id: "look",
          role: "reviewer",
          task: "LOOK at {task}",
          dependsOn: [{ id: "make", until: "proposed" }],
          criteria: ["spec: It holds both lines."],
          gate: { rounds: 1, freshFrom: 1 },
        },
        {
          id: "whole",
          role: "reviewer",
          task: "WHOLE of {task}",
          dependsOn: [{ id: "make", until: "completed" }, "look"],
        },
      ],
    };
    const judge = (verdict: string) =>
      submit("Looked.", { verdicts: [{ criterion: "spec", verdict, evidence: "a.txt:1" }] });
    const story = await openStory(
      [
        {
          match: /^MAKE Begin\n\nContext:\nYour worktree holds the change that subagent-1 proposed/,
          turns: [
            edit({ kind: "replace", path: "a.txt", oldText: "one\nfirst\n", newText: "one\nfirst\nsecond\n" }),
            submit("Both lines now."),
          ],
        },
        {
          match: /^MAKE Begin/,
          turns: [
            edit({ kind: "replace", path: "a.txt", oldText: "one\n", newText: "one\nfirst\n" }),
            submit("One line."),
          ],
        },
        { match: /^LOOK at Begin.*result of subagent-1/s, turns: [judge("failed")] },
        { match: /^LOOK at Begin/, turns: [judge("passed")] },
        { match: /^WHOLE of Begin/, turns: [call("readChangeSet", {}), submit("All of it holds.")] },
        { match: /^Begin/, turns: [say("Done.")] },
      ],
      { "a.txt": "one\n", ".coppice/templates/rounds.json": JSON.stringify(rounds) },
    );
    const run = await story.run("Begin", under("rounds"));
    expect(run.state()).toMatchObject({ status: "stopped", stop: { reason: "final_answer" } });
    expect(run.state().nodes.map(({ part, status, code }) => [part, status, code])).toEqual([
      ["make", "failed", "REPLACED"],
      ["look", "completed", null],
      ["make", "completed", null],
      ["look", "completed", null],
      ["whole", "completed", null],
    ]);
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\nfirst\nsecond");
    // The fresh agent's change is one to what the run began at, so all of it was reviewed at once.
    const [first, second] = eventsOf(run, "changeset.proposed").map(({ data }) => data);
    expect(second).toMatchObject({ base: first?.base, files: [{ path: "a.txt", added: 2 }] });
    const shown = story.server.requests.filter(({ firstUserMessage }) => firstUserMessage.startsWith("WHOLE"));
    expect(toolAnswers(shown[1]?.body ?? { messages: [] })).toContain("+second");
  });

  test("is offered with what it comes to, or with what is wrong with it", async () => {
    const { repository, workbench } = await openStory([], {
      ".coppice/templates/two.json": JSON.stringify(mine),
      ".coppice/templates/bad.json": "{",
    });
    const page = await workbench.source.readPage({ kind: "repository", folder: repository.folder });
    if (!page.ok) throw new Error(page.error.message);
    const { templates } = page.value as CareBodies["repository"];
    expect(templates.map(({ name, figures }) => [name, figures?.count, figures?.width])).toEqual([
      ["sequence", 3, 2],
      ["fan-out", 3, 3],
      ["plan-execute", 3, 2],
      ["review-panel", 4, 3],
      ["implement-review", 9, 2],
      ["bad", undefined, undefined],
      ["two", 3, 2],
    ]);
    expect(templates.find(({ name }) => name === "bad")?.problem).toContain("bad.json is not JSON");
  });

  test.each([
    ["does not exist", "none", {}, "TEMPLATE_UNKNOWN", /sequence, fan-out/],
    ["is not JSON", "bad", { ".coppice/templates/bad.json": "{" }, "TEMPLATE_INVALID", /bad\.json is not JSON/],
    [
      "lacks a field",
      "bad",
      { ".coppice/templates/bad.json": JSON.stringify({ about: "x", nodes: [{ id: "a", role: "explorer" }] }) },
      "TEMPLATE_INVALID",
      /nodes\.0\.task/,
    ],
  ])("that %s starts nothing, and says what is wrong where", async (_, name, files, code, words) => {
    const story = await openStory([], { "a.txt": "one\n", ...files });
    await expect(story.run("Begin", under(name))).rejects.toThrow(words);
    await expect(story.run("Begin", under(name))).rejects.toThrow(code);
  });
});
