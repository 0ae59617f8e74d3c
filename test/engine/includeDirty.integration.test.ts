// Runs that begin from what the person has not committed yet.

import { afterEach, describe, expect, test } from "vitest";

import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { decide, leavings, printOf } from "../support/storyProbes.ts";
import {
  call,
  calls,
  edit,
  endStories,
  openStory,
  say,
  spawn,
  submit,
  toolAnswers,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", ".gitignore": "*.log\n" };
const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })),
      wait(["subagent-1"], { until: "completed" }),
      say("Done."),
    ],
  },
  {
    match: /^EXEC/,
    turns: [
      call("runCommand", { command: "cat b.txt notes.txt; ls; git status --porcelain" }),
      edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }),
      submit("done"),
    ],
  },
];
const uncommitted = { "b.txt": "mine\n", "notes.txt": "notes\n", "x.log": "log\n" };

describe("a run that includes what is not committed", { timeout: 60_000 }, () => {
  test("bases its agents on it, leaves the checkout as it is, and lands the agent's change alone on the branch checked out", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    repository.write(uncommitted);
    repository.git("add", "notes.txt");
    const [head, before] = [repository.git("rev-parse", "HEAD"), printOf(story)];
    const run = await story.begin("Begin", {
      includesDirty: true,
      options: { approve: "each", landOn: { kind: "current" } },
    });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(printOf(story)).toBe(before);
    const base = run.state().base.commit;
    expect(repository.git("rev-parse", `${base}^`)).toBe(head);
    expect(repository.git("diff", "--name-only", head, base).split("\n")).toEqual(["b.txt", "notes.txt"]);
    expect(repository.git("rev-parse", `refs/coppice/${run.run}/base`)).toBe(base);
    const seen = toolAnswers(
      story.server.requests.find((request) => request.firstUserMessage.startsWith("EXEC") && request.answered === 1)
        ?.body ?? { messages: [] },
    );
    expect(seen).toContain("mine\nnotes\n");
    expect(seen).not.toMatch(/x\.log|^ M|^\?\?/m);
    expect(run.state().changeSets[0]?.files.map((file) => file.path)).toEqual(["a.txt"]);

    const theirs = repository.git("status", "--porcelain");
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(repository.git("rev-parse", "main^")).toBe(head);
    expect(repository.git("diff", "--name-only", head, "main")).toBe("a.txt");
    // What they had changed and staged still is.
    expect(repository.git("status", "--porcelain")).toBe(theirs);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("lands nothing of it either when its branch is brought over at the end", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    repository.write(uncommitted);
    const head = repository.git("rev-parse", "HEAD");
    const run = await story.run("Begin", { includesDirty: true, options: { landOn: { kind: "run-branch" } } });
    expect(run.state().stop?.reason).toBe("final_answer");
    expect(await story.workbench.proposeLine(run.run)).toMatchObject({ ok: true });
    const after = await story.takeOver(run.run);
    await decide(after, "approved");
    await after.carryOutDecisions();
    await after.release();
    expect(repository.git("diff", "--name-only", head, "main")).toBe("a.txt");
    expect(repository.git("status", "--porcelain")).toBe(" M b.txt\n?? notes.txt");
  });
});
