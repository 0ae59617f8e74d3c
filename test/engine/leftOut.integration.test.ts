// What an executor made and git cannot hold as files: whoever decides is told.

import { afterEach, describe, expect, test } from "vitest";

import { plainStyle } from "../../src/main/shells/terminal/human/style.ts";
import { renderTree } from "../../src/main/shells/terminal/human/tree.ts";
import type { ScriptedEntry, ScriptedTurn } from "../support/scriptedModel.ts";
import { answersTo, decide, endsOf } from "../support/storyProbes.ts";
import { call, calls, edit, endStories, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

/** A repository made inside, and a name that git refuses. */
const unholdable = call("runCommand", {
  command: 'env -i PATH="$PATH" git init --quiet inner && echo x > inner/f && mkdir "git~1" && echo y > "git~1/g"',
});
function entriesFor(...work: readonly ScriptedTurn[]): readonly ScriptedEntry[] {
  return [
    {
      match: /^Begin/,
      turns: [calls(spawn("EXEC", { role: "executor", paths: ["."] })), wait(["subagent-1"]), say("Done.")],
    },
    { match: /^EXEC/, turns: [...work, submit("done")] },
  ];
}

describe("what git cannot hold as files", { timeout: 60_000 }, () => {
  test("stands in change set, approval, result and diff; under auto it asks, and the rest lands alone", async () => {
    const story = await openStory(
      entriesFor(unholdable, edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" })),
    );
    const run = await story.begin("Begin");
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const leftOut = ["git~1/g", "inner/"];
    const [set] = run.state().changeSets;
    expect([set?.leftOut.toSorted(), set?.files.map((file) => file.path), set?.status]).toEqual([
      leftOut,
      ["a.txt"],
      "open",
    ]);
    const why = run.state().approvals[0]?.why ?? "";
    expect(leftOut.every((path) => why.includes(path))).toBe(true);
    const results = answersTo(run, "lead", "waitForSubagents");
    expect(results).toMatchObject([{ results: { "subagent-1": { observed: { leftOut: set?.leftOut } } } }]);

    const [row] = await story.workbench.listRuns();
    if (!row) throw new Error("There is no run");
    const [patch, shown] = [await story.workbench.patch(row, "subagent-1"), await story.workbench.snapshot(row)];
    expect(patch).toMatchObject({ ok: true, value: { leftOut: set?.leftOut } });
    if (!shown.ok) throw new Error(shown.error.message);
    const tree = renderTree(shown.value, { columns: 400, style: plainStyle });
    expect(tree.some((line) => line.includes(why))).toBe(true);
    const page = await story.workbench.source.readPage({
      kind: "changes",
      run: run.run,
      changeset: set?.id ?? ("" as never),
      after: 0,
      limit: 10,
    });
    expect(page).toMatchObject({ ok: true, value: { leftOut: set?.leftOut } });

    await decide(run, "approved");
    await run.drive(true);
    await run.release();
    expect(story.repository.git("ls-tree", "-r", "--name-only", "landed")).toBe(
      story.repository.git("ls-tree", "-r", "--name-only", "main"),
    );
  });

  test("is named where nothing else was changed", async () => {
    const story = await openStory(entriesFor(unholdable));
    const run = await story.run("Begin");
    expect(endsOf(run)).toEqual({ "subagent-1": "completed NO_CHANGES" });
    expect(run.state().nodes[0]?.sentence).toBe(
      "It changed nothing. Left out, since git cannot hold it as files: inner/, git~1/g.",
    );
  });
});
