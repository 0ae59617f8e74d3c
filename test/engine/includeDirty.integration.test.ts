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
import { isThorough } from "../support/thorough.ts";

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
/** Two executors, the second after the first has landed. */
const inTurn: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })),
      wait(["subagent-1"], { until: "completed" }),
      calls(spawn("NEXT", { role: "executor", paths: ["c.txt"] })),
      wait(["subagent-2"], { until: "completed" }),
      say("Done."),
    ],
  },
  ...entries.slice(1),
  {
    match: /^NEXT/,
    turns: [
      call("runCommand", { command: "cat a.txt b.txt notes.txt; git status --porcelain" }),
      edit({ kind: "create", path: "c.txt", content: "c\n" }),
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

  const targets = [
    ["the branch that is checked out", { kind: "current" }, "main"],
    ["one that is there", { kind: "branch", name: "there" }, "there"],
    ["one that is not there yet", { kind: "branch", name: "new" }, "new"],
  ] as const;
  test.each(isThorough ? targets : targets.slice(0, 1))(
    "shows it to each of its agents in turn, also after one has landed on %s, and none of it lands",
    async (_name, landOn, branch) => {
      const story = await openStory(inTurn, files);
      const { repository } = story;
      if (branch === "there") repository.git("branch", "there");
      repository.write(uncommitted);
      const head = repository.git("rev-parse", "HEAD");
      const run = await story.run("Begin", { includesDirty: true, options: { landOn } });
      expect(run.state().stop?.reason).toBe("final_answer");
      const seen = (task: string) =>
        toolAnswers(
          story.server.requests.find((request) => request.firstUserMessage.startsWith(task) && request.answered === 1)
            ?.body ?? { messages: [] },
        );
      expect([seen("EXEC"), seen("NEXT")]).toEqual([
        expect.stringContaining("mine\nnotes\n"),
        expect.stringContaining("one\nzwei\nthree\nmine\nnotes\n"),
      ]);
      expect(seen("NEXT")).not.toMatch(/^ M|^\?\?/m);
      // Two commits over what the person had committed, with what was accepted and nothing else.
      expect(repository.git("rev-parse", `${branch}~2`)).toBe(head);
      expect(repository.git("diff", "--name-status", head, branch)).toBe("M\ta.txt\nA\tc.txt");
      expect(repository.git("show", `${branch}:b.txt`)).toBe("b");
      expect(repository.git("status", "--porcelain").trim()).toBe("M b.txt\n?? notes.txt");
      // The whole of the run is what was accepted, and it can be taken back with the same care.
      const [row] = await story.workbench.listRuns();
      const patch = row ? await story.workbench.patch(row) : null;
      expect(
        patch?.ok === true && [...patch.value.text.matchAll(/^diff --git a\/(\S+)/gm)].map(([, file]) => file),
      ).toEqual(["a.txt", "c.txt"]);
      const after = await story.takeOver(run.run);
      const [first] = after.state().landings;
      expect(first && (await after.undo(first.id))).toMatchObject({ ok: true });
      await after.release();
      expect(repository.git("diff", "--name-status", head, branch)).toBe("A\tc.txt");
      const { line } = after.state();
      expect([repository.git("show", `${line}:a.txt`), repository.git("show", `${line}:b.txt`)]).toEqual([
        "one\ntwo\nthree",
        "mine",
      ]);
      expect(await leavings(story, run)).toEqual([]);
    },
  );

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
