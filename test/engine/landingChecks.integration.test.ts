// What a landing must have passed, also where its process died in the middle of finding out.

import { afterEach, expect, test } from "vitest";

import { beginAndDie } from "../support/crashes.ts";
import { decide, gate } from "../support/storyProbes.ts";
import { calls, edit, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

test(
  "a check of the tree to land that failed right before a crash still asks, and a person may land it all the same",
  { timeout: 60_000 },
  async () => {
    const both = gate();
    let proposals = 0;
    const propose = (path: string) => async () => {
      proposals += 1;
      if (proposals === 2) both.open();
      await both.passed;
      return edit({ kind: "create", path, content: "x\n" });
    };
    const executor = (task: string, path: string) => spawn(task, { role: "executor", paths: [path] });
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
    // Each alone passes; together they do not. The second command must not be forgotten either.
    const verify = ["test ! -e one.txt || test ! -e two.txt", "true"];
    const id = await beginAndDie(story, "Begin", { type: "verification.ran", count: 5 }, { options: { verify } });
    const run = await story.takeOver(id);
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(eventsOf(run, "changeset.landed")).toHaveLength(1);
    expect(eventsOf(run, "changeset.held").map((event) => event.data.code)).toEqual(["VERIFICATION_FAILED"]);
    const held = run.state().changeSets.find((set) => set.status === "held");
    const tree = held?.verifications.at(-1)?.tree;
    expect(
      held?.verifications.filter((check) => check.tree === tree).map((check) => [check.command, check.exitCode]),
    ).toEqual([
      [verify[0], 1],
      [verify[1], 0],
    ]);
    await decide(run, "approved", { approval: held?.approval ?? ("" as never) });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(eventsOf(run, "changeset.landed")).toHaveLength(2);
    expect(story.repository.git("ls-tree", "--name-only", "landed").split("\n")).toEqual([
      "a.txt",
      "one.txt",
      "two.txt",
    ]);
  },
);

test(
  "[B19] a hunk that was amended lands as amended, and never before that very tree has passed its checks",
  { timeout: 60_000 },
  async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [calls(spawn("EDIT", { role: "executor", paths: ["."] })), wait(["subagent-1"]), say("Done.")],
      },
      { match: /^EDIT/, turns: [edit({ kind: "create", path: "n.txt", content: "one\ntwo\nthree\n" }), submit("n")] },
    ]);
    const verify = ["test ! -e n.txt || ! grep -q bad n.txt"];
    const run = await story.begin("Begin", { options: { verify, approve: "each" } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const text = { path: "n.txt", hunk: 1, text: "bad\n" };
    await decide(run, "approved", { amendments: [text] });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(eventsOf(run, "changeset.held").map(({ data }) => data.code)).toEqual(["VERIFICATION_FAILED"]);

    const [approval] = run.state().approvals;
    const leftOut = { path: "n.txt", hunk: 1, leftOut: [2] };
    await decide(run, "approved", { approval: approval?.id ?? ("" as never), hunks: "all", amendments: [leftOut] });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("show", "landed:n.txt")).toBe("one\nthree");
    const landed = run.state().changeSets[0];
    const tree = story.repository.git("rev-parse", "landed^{tree}");
    expect(landed?.verifications.at(-1)).toMatchObject({ tree, exitCode: 0 });
  },
);
