// Landing on the branch that the person has checked out: files and index move with it, or nothing moves.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import { connectModel } from "../../src/main/workbench.ts";
import { beginAndDie } from "../support/crashes.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { decide, leavings, printOf } from "../support/storyProbes.ts";
import {
  calls,
  edit,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  type Story,
  submit,
  wait,
} from "../support/workbenchStory.ts";
import { isThorough } from "../support/thorough.ts";

afterEach(endStories);

const files = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "b\n",
  "c.txt": "c\n",
  ".gitignore": "*.log\n",
};
const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [calls(spawn("EXEC", { role: "executor", paths: ["."] })), wait(["subagent-1"]), say("Yours.")],
  },
  {
    match: /^EXEC/,
    turns: [
      edit(
        { kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" },
        { kind: "create", path: "new/made.txt", content: "made\n" },
      ),
      submit("done"),
    ],
  },
];
const onCurrent = { options: { approve: "each", landOn: { kind: "current" } } } as const;

/** Begins a run that waits for the review of its one change set. */
async function underReview(story: Story, turns: typeof onCurrent = onCurrent): Promise<LiveRun> {
  const run = await story.begin("Begin", turns);
  expect(await run.drive(true)).toEqual({ kind: "waiting" });
  return run;
}

/** Approves (again), and says how that ended. */
async function approve(run: LiveRun): Promise<readonly unknown[]> {
  await decide(run, "approved", { approval: `${run.run}-a1` as never });
  const end = await run.drive(true);
  return [end.kind, run.state().nodes[0]?.status, run.state().nodes[0]?.held?.code];
}

const contentOf = (story: Story, path: string) => readFileSync(join(story.repository.folder, path), "utf8");

describe("a landing on the branch that is checked out", { timeout: 60_000 }, () => {
  test("[B17] moves a clean checkout with files and index, and with it nothing else", async () => {
    const story = await openStory(entries, files);
    const run = await underReview(story);
    expect(run.state().target).toEqual({ branch: "main", ref: "refs/heads/main" });
    expect(await approve(run)).toEqual(["stopped", "completed", undefined]);
    await run.release();
    expect([contentOf(story, "a.txt"), contentOf(story, "new/made.txt")]).toEqual(["one\nzwei\nthree\n", "made\n"]);
    const { repository } = story;
    expect([
      repository.git("status", "--porcelain"),
      repository.git("symbolic-ref", "HEAD"),
      repository.git("stash", "list"),
    ]).toEqual(["", "refs/heads/main", ""]);
    expect(repository.git("rev-parse", "main^")).toBe(run.state().base.commit);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("[B01] leaves dirty, staged, untracked and ignored files byte for byte as they are", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    const run = await underReview(story);
    repository.write({ "b.txt": "staged\n" });
    repository.git("add", "b.txt");
    repository.write({ "b.txt": "staged\nand more\n", "c.txt": "dirty", "notes.md": "mine\r\n", "x.log": "\u0000log" });
    const theirs = () => ["b.txt", "c.txt", "notes.md", "x.log"].map((path) => contentOf(story, path));
    const [before, staged] = [theirs(), repository.git("diff", "--cached", "--raw", "--", "b.txt", "c.txt")];
    expect(await approve(run)).toEqual(["stopped", "completed", undefined]);
    await run.release();
    expect(theirs()).toEqual(before);
    expect(repository.git("diff", "--cached", "--raw")).toBe(staged);
    expect(contentOf(story, "a.txt")).toContain("zwei");
    expect(repository.git("show", "--name-only", "--format=", "main").split("\n")).toEqual(["a.txt", "new/made.txt"]);
  });

  test("[B04] is held while something is in its way, moves nothing, and lands when asked again after it is gone", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    const run = await underReview(story);
    const obstacles: readonly (readonly [string, () => void, () => void])[] = [
      [
        "LOCAL_CHANGES",
        () => repository.write({ "a.txt": "one\ntwo\nmine\n" }),
        () => repository.git("checkout", "--quiet", "--", "a.txt"),
      ],
      [
        "PATH_OCCUPIED",
        // Ignored, so that git itself would overwrite it.
        () => {
          repository.write({ "new/made.txt": "secret\n" });
          repository.write({ ".git/info/exclude": "new/\n" });
        },
        () => rmSync(join(repository.folder, "new"), { recursive: true }),
      ],
      [
        "WORKTREE_BUSY",
        () => repository.write({ ".git/MERGE_HEAD": `${repository.git("rev-parse", "main")}\n` }),
        () => rmSync(join(repository.folder, ".git/MERGE_HEAD")),
      ],
    ];
    for (const [code, putUp, clear] of obstacles) {
      putUp();
      const before = printOf(story);
      expect(await approve(run)).toEqual(["waiting", "awaiting_review", code]);
      expect(printOf(story)).toBe(before);
      clear();
    }
    expect(await approve(run)).toEqual(["stopped", "completed", undefined]);
    await run.release();
    expect(eventsOf(run, "changeset.held").map((event) => event.data.code)).toEqual(obstacles.map(([code]) => code));
    expect(eventsOf(run, "changeset.held").every((event) => event.data.sentence.length > 20)).toBe(true);
    expect([contentOf(story, "a.txt"), contentOf(story, "new/made.txt")]).toEqual(["one\nzwei\nthree\n", "made\n"]);
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(await leavings(story, run)).toEqual([]);
  });

  test.runIf(isThorough)(
    "that died after its record, files moved and the branch not, is finished and not refused",
    async () => {
      const story = await openStory(entries, files);
      const { repository } = story;
      const id = await beginAndDie(
        story,
        "Begin",
        { type: "changeset.landing", count: 1 },
        { options: { landOn: { kind: "current" } } },
      );
      const { landings } = await story.workbench.state(id);
      const next = landings[0]?.new ?? "";
      // What a death between the files and the branch leaves.
      repository.git("read-tree", "-m", "-u", "main", next);
      expect(repository.git("status", "--porcelain")).not.toBe("");
      const run = await story.takeOver(id);
      expect(await run.drive(true)).toEqual({ kind: "stopped" });
      await run.release();
      expect(repository.git("rev-parse", "main")).toBe(next);
      expect(repository.git("status", "--porcelain")).toBe("");
      expect([eventsOf(run, "changeset.landed").length, eventsOf(run, "changeset.held").length]).toEqual([1, 0]);
      expect(await leavings(story, run)).toEqual([]);
    },
  );

  test("[A14] says which of the person's hooks had no say, and runs none", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    repository.write({ ".husky/_/pre-commit": "#!/bin/sh\ntouch ran\nexit 1\n", ".git/info/exclude": ".husky\n" });
    chmodSync(join(repository.folder, ".husky/_/pre-commit"), 0o755);
    repository.git("config", "core.hooksPath", ".husky/_");
    const run = await story.run("Begin", { options: { landOn: { kind: "current" } } });
    expect(eventsOf(run, "changeset.landed").map((event) => event.data.hooks)).toEqual([["pre-commit"]]);
    expect(existsSync(join(repository.folder, "ran"))).toBe(false);
    const [set] = run.state().changeSets;
    const page = await story.workbench.source.readPage({
      kind: "changes",
      run: run.run,
      changeset: set?.id ?? ("" as never),
      after: 0,
      limit: 10,
    });
    expect(page).toMatchObject({ ok: true, value: { landing: { hooks: ["pre-commit"] } } });
  });

  test("counts as landed also where nobody can look at the hooks", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    symlinkSync("loop", join(repository.folder, ".git/loop"));
    repository.git("config", "core.hooksPath", ".git/loop");
    const run = await story.run("Begin", { options: { landOn: { kind: "current" } } });
    expect([eventsOf(run, "changeset.landed").length, eventsOf(run, "changeset.held").length]).toEqual([1, 0]);
  });

  test("reaches a worktree of the person's own, and leaves their main checkout alone", async () => {
    const story = await openStory(entries, files);
    const { repository } = story;
    const linked = join(repository.outside, "linked");
    repository.git("worktree", "add", "--quiet", "-b", "side", linked);
    const before = printOf(story);
    const run = await story.begin("Begin", { options: { landOn: { kind: "branch", name: "side" } } });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(printOf(story)).toBe(before);
    expect(readFileSync(join(linked, "a.txt"), "utf8")).toBe("one\nzwei\nthree\n");
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: linked, encoding: "utf8" })).toBe("");
    expect(repository.git("rev-parse", "side^")).toBe(run.state().base.commit);
  });

  test("is refused at assignment where no branch is checked out", async () => {
    const story = await openStory(entries, files);
    story.repository.git("checkout", "--quiet", "--detach");
    const assignment = story.assign("Begin", onCurrent);
    const model = connectModel({ baseUrl: story.server.baseUrl, apiKey: null });
    expect(await story.workbench.startRun(assignment, model)).toMatchObject({
      ok: false,
      error: { code: "BAD_USAGE", message: expect.stringContaining("detached") },
    });
    expect(await story.workbench.listRuns()).toEqual([]);
  });
});

describe("a target that moved while the review was open", { timeout: 60_000 }, () => {
  const long = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
  const raise: readonly ScriptedEntry[] = [
    ...entries.slice(0, 1),
    {
      match: /^EXEC/,
      turns: [edit({ kind: "replace", path: "long.txt", oldText: "line 10\n", newText: "LINE 10\n" }), submit("done")],
    },
  ];

  test("[B07][B08] elsewhere is landed on as it now is, and the person's commit stays", async () => {
    const story = await openStory(raise, { "long.txt": `${long}\n` });
    const { repository } = story;
    const run = await underReview(story);
    repository.write({ "long.txt": `${long.replace("line 28", "mine 28")}\n`, "other.txt": "other\n" });
    const theirs = repository.commitAll("Theirs");
    expect(await approve(run)).toEqual(["stopped", "completed", undefined]);
    await run.release();
    expect(repository.git("rev-parse", "main^")).toBe(theirs);
    expect(contentOf(story, "long.txt")).toBe(`${long.replace("line 28", "mine 28").replace("line 10", "LINE 10")}\n`);
    expect(repository.git("show", "--stat", "--format=", "main")).not.toContain("other.txt");
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  test("[B07] around an approved hunk is held as MERGE_DIFFERS; approving again approves that very merge, and none that comes later", async () => {
    const story = await openStory(raise, { "long.txt": `${long}\n` });
    const { repository } = story;
    const run = await underReview(story);
    repository.write({ "long.txt": `${long.replace("line 8\n", "mine 8\n")}\n` });
    const theirs = repository.commitAll("Theirs");
    await decide(run, "approved", { message: "Raise line ten" });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(run.state().nodes[0]?.held?.code).toBe("MERGE_DIFFERS");
    expect(repository.git("rev-parse", "main")).toBe(theirs);
    // Between the look and the second approval it moves once more.
    repository.write({ "long.txt": `${long.replace("line 8\n", "mine 8\n").replace("line 12\n", "mine 12\n")}\n` });
    const later = repository.commitAll("Theirs again");
    expect(await approve(run)).toEqual(["waiting", "awaiting_review", "MERGE_DIFFERS"]);
    expect(repository.git("rev-parse", "main")).toBe(later);
    // Elsewhere it may move: what lands around the hunk is what was looked at.
    repository.write({
      "long.txt": `${long.replace("line 8\n", "mine 8\n").replace("line 12\n", "mine 12\n").replace("line 28", "mine 28")}\n`,
    });
    repository.commitAll("Theirs, elsewhere");
    expect(await approve(run)).toEqual(["stopped", "completed", undefined]);
    await run.release();
    expect(eventsOf(run, "changeset.held")).toHaveLength(2);
    expect(contentOf(story, "long.txt")).toBe(
      `${long.replace("line 8\n", "mine 8\n").replace("line 10", "LINE 10").replace("line 12\n", "mine 12\n").replace("line 28", "mine 28")}\n`,
    );
    expect(repository.git("show", "--no-patch", "--format=%s", "main")).toBe("Raise line ten");
  });
});
