import { afterEach, describe, expect, test } from "vitest";

import { committed, decide, endsOf, gate, leavings, printOf } from "../support/storyProbes.ts";
import { calls, edit, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

const executor = (task: string, ...paths: readonly string[]) => spawn(task, { role: "executor", paths });

describe("landing", () => {
  test("of what the target holds already, as after a restored backup, is recorded where it stands, and nothing moves", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(executor("EXEC", "a.txt")), wait(["subagent-1"]), say("Yours.")] },
      {
        match: /^EXEC/,
        turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
      },
    ]);
    const { repository } = story;
    const run = await story.begin("Begin", { options: { approve: "each", landOn: { kind: "branch", name: "main" } } });
    await run.drive(true);
    // The landing that the backup does not know, and a commit after it.
    repository.write({ "a.txt": "one\nzwei\nthree\n" });
    repository.commitAll("What has landed since");
    repository.write({ "b.txt": "later\n" });
    const tip = repository.commitAll("And more");
    await decide(run, "approved");
    expect([(await run.drive(true)).kind, run.state().nodes[0]?.status]).toEqual(["stopped", "completed"]);
    await run.release();
    expect(repository.git("rev-parse", "main")).toBe(tip);
    expect(eventsOf(run, "changeset.landed").map(({ data }) => [data.commit, data.files])).toEqual([[tip, ["a.txt"]]]);
  });

  test("[A17] [B02] what does not fit is held with a plain reason and lands when asked again after the reason is gone", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(executor("EXEC", "a.txt")), wait(["subagent-1"]), say("Yours.")] },
      {
        match: /^EXEC/,
        turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
      },
    ]);
    const { repository } = story;
    const run = await story.begin("Begin", { options: { approve: "each", landOn: { kind: "branch", name: "main" } } });
    await run.drive(true);
    const base = repository.git("rev-parse", "main");
    const approve = async () => {
      await decide(run, "approved", { approval: `${run.run}-a1` as never });
      const end = await run.drive(true);
      return [end.kind, run.state().nodes[0]?.status, run.state().nodes[0]?.held?.code];
    };
    // What the person is writing there is in the way.
    repository.write({ "a.txt": "one\nmine\nthree\n" });
    const before = printOf(story);
    expect(await approve()).toEqual(["waiting", "awaiting_review", "LOCAL_CHANGES"]);
    expect([printOf(story), repository.git("rev-parse", "main")]).toEqual([before, base]);

    repository.write({ "a.txt": "one\ndeux\nthree\n" });
    repository.commitAll("Theirs");
    repository.git("checkout", "--quiet", "-b", "elsewhere");
    expect(await approve()).toEqual(["waiting", "awaiting_review", "CONFLICT"]);
    expect(eventsOf(run, "changeset.conflicted").map((event) => event.data.paths)).toEqual([["a.txt"]]);
    expect([repository.git("show", "main:a.txt"), repository.git("status", "--porcelain")]).toEqual([
      "one\ndeux\nthree",
      "",
    ]);

    repository.git("branch", "-f", "main", base);
    repository.git("config", "--unset", "user.name");
    repository.git("config", "--unset", "user.email");
    expect(await approve()).toEqual(["waiting", "awaiting_review", "IDENTITY_MISSING"]);
    expect(repository.git("rev-parse", "main")).toBe(base);

    repository.git("config", "user.name", "Ada");
    repository.git("config", "user.email", "ada@example.test");
    expect(await approve()).toEqual(["stopped", "completed", undefined]);
    await run.release();
    expect(repository.git("show", "main:a.txt")).toBe("one\nzwei\nthree");
    expect(repository.git("rev-parse", "main^")).toBe(base);
    expect(eventsOf(run, "changeset.held").map((event) => event.data.code)).toEqual([
      "LOCAL_CHANGES",
      "CONFLICT",
      "IDENTITY_MISSING",
    ]);
    expect(eventsOf(run, "changeset.held").every((event) => event.data.sentence.length > 20)).toBe(true);
    repository.git("checkout", "--quiet", "main");
    expect(await leavings(story, run)).toEqual(["refs/heads/elsewhere"]);
  });

  test("a tree that was never run as such is verified before it lands, and a failure asks", async () => {
    const both = gate();
    let proposals = 0;
    const propose = (path: string) => async () => {
      proposals += 1;
      if (proposals === 2) both.open();
      await both.passed;
      return edit({ kind: "create", path, content: "x\n" });
    };
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(executor("ONE", "one.txt"), executor("TWO", "two.txt")),
          wait(["subagent-1", "subagent-2"], { until: "completed" }),
          say("Both."),
        ],
      },
      { match: /^ONE/, turns: [propose("one.txt"), submit("one")] },
      { match: /^TWO/, turns: [propose("two.txt"), submit("two")] },
    ]);
    const run = await story.begin("Begin", { options: { verify: ["test ! -e one.txt || test ! -e two.txt"] } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(eventsOf(run, "verification.ran").map((event) => event.data.exitCode)).toEqual([0, 0, 1]);
    const landed = eventsOf(run, "changeset.landed");
    const [held] = eventsOf(run, "changeset.held");
    expect([landed.length, held?.data.code, landed[0]?.data.changeset !== held?.data.changeset]).toEqual([
      1,
      "VERIFICATION_FAILED",
      true,
    ]);
    expect(story.repository.git("rev-parse", "landed")).toBe(landed[0]?.data.commit);
    // A person may know better: asked again, it lands on top of the first.
    await decide(run, "approved", {
      approval: run.state().changeSets.find((set) => set.id === held?.data.changeset)?.approval ?? ("" as never),
    });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("rev-parse", "landed^")).toBe(landed[0]?.data.commit);
    expect(story.repository.git("ls-tree", "--name-only", "landed").split("\n")).toEqual([
      "a.txt",
      "one.txt",
      "two.txt",
    ]);
    expect(endsOf(run)).toEqual({ "subagent-1": "completed", "subagent-2": "completed" });
  });

  test("the run's own branch is named after task and run, below coppice/ or beside a branch of that name", async () => {
    const story = await openStory([
      { match: /charged/, turns: [calls(executor("EXEC", "a.txt")), wait(["subagent-1"]), say("Fixed.")] },
      {
        match: /^EXEC/,
        turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
      },
    ]);
    const first = await story.run("Payments are charged twice!", { options: { landOn: { kind: "run-branch" } } });
    expect(first.state().target).toEqual({
      branch: `coppice/payments-are-charged-twice-${first.run}`,
      ref: `refs/heads/coppice/payments-are-charged-twice-${first.run}`,
    });
    // It did not exist: it begins at the base.
    expect(story.repository.git("rev-parse", `${first.state().target.branch}^`)).toBe(first.state().base.commit);
    expect(await leavings(story, first)).toEqual([]);
    story.repository.git("branch", "-D", first.state().target.branch);
    story.repository.git("branch", "coppice");
    const second = await story.run("Payments are charged twice!", { options: { landOn: { kind: "run-branch" } } });
    expect(second.state().target.branch).toBe(`coppice-payments-are-charged-twice-${second.run}`);
    expect(story.repository.git("show", `${second.state().target.branch}:a.txt`)).toContain("zwei");
  });

  test("a landing is never cut: a cancel takes effect after it", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [calls(executor("EXEC", "a.txt")), wait(["subagent-1"], { until: "completed" }), say("never asked")],
      },
      {
        match: /^EXEC/,
        turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
      },
    ]);
    const run = await story.begin("Begin");
    const driving = run.drive(true);
    await committed(run, "changeset.landing");
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop?.reason).toBe("cancelled");
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(story.repository.git("show", "landed:a.txt")).toContain("zwei");
    expect(await leavings(story, run)).toEqual([]);
  });
});
