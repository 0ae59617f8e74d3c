// A run whose repository was moved while nobody drove it: it says so, follows it, and never goes on in another.

import { renameSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { noModel } from "../../src/main/runs/noModel.ts";
import type { CommandId } from "../../src/shared/contract/ids.ts";
import { decide } from "../support/storyProbes.ts";
import { createTempRepository, runGit } from "../support/tempRepository.ts";
import { calls, edit, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

const replaced = (oldText: string, newText: string) => edit({ kind: "replace", path: "a.txt", oldText, newText });

test("a run goes on in its moved repository, worktrees and all, and in no other", { timeout: 120_000 }, async () => {
  const story = await openStory([
    {
      match: /^Begin/,
      turns: [
        calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })),
        wait(["subagent-1"]),
        say("Over to you."),
        say("It has landed."),
      ],
    },
    { match: /^EXEC/, turns: [replaced("two", "zwei"), submit("first"), replaced("zwei", "deux"), submit("second")] },
  ]);
  const run = await story.begin("Begin", { options: { approve: "each" } });
  expect(await run.drive(true)).toEqual({ kind: "waiting" });
  await run.release();
  const { folder, outside } = story.repository;
  const moved = join(outside, "moved");
  runGit(outside, ["clone", "--quiet", folder, "clone"]);
  renameSync(folder, moved);
  const stranger = createTempRepository({ "a.txt": "something else\n" });
  const { workbench } = story;
  const resume = { commandId: "go-on-there" as CommandId, command: { type: "resume", run: run.run } } as const;

  const asked = [
    await workbench.takeRun(run.run, noModel),
    await workbench.source.execute(resume),
    await workbench.rebindRun(run.run, stranger.folder),
    await workbench.rebindRun(run.run, join(outside, "clone")),
  ];
  expect(asked.map((one) => (one.ok ? "done" : one.error.code))).toEqual([
    "REPOSITORY_MOVED",
    "REPOSITORY_MOVED",
    "REPOSITORY_DIFFERS",
    "REPOSITORY_DIFFERS",
  ]);
  stranger.cleanup();

  expect(await workbench.rebindRun(run.run, moved)).toEqual({ ok: true, value: null });
  const { n } = await workbench.state(run.run);
  const again = { type: "rebind", run: run.run, folder: moved } as const;
  const receipt = await workbench.source.execute({ commandId: "bind-again" as CommandId, command: again });
  expect(receipt).toMatchObject({ ok: true, value: { run: run.run, at: n } });
  const next = await story.takeOver(run.run);
  expect(eventsOf(next, "repository.moved").map(({ data }) => data.repository.topLevel)).toEqual([moved]);
  await decide(next, "sent_back", { comment: "Say it in French." });
  expect(await next.drive(true)).toEqual({ kind: "waiting" });
  await decide(next, "approved");
  expect(await next.drive(true)).toEqual({ kind: "stopped" });
  await next.release();
  const git = (...args: readonly string[]) => runGit(moved, args).toString("utf8").trimEnd();
  expect(git("show", `${next.state().target.branch}:a.txt`)).toBe("one\ndeux\nthree");
  expect(git("worktree", "list", "--porcelain").split("\n")[0]).toBe(`worktree ${moved}`);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  expect((await workbench.listRuns())[0]?.repo).toBe(moved);
});
