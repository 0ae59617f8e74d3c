// A run whose graph a template fixes, with real git and a scripted model.

import { afterEach, describe, expect, test } from "vitest";

import type { CareBodies } from "../../src/shared/contract/care.ts";
import { endStories, eventsOf, openStory, say, submit } from "../support/workbenchStory.ts";

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
