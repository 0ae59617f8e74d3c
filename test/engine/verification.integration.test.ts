import { afterEach, describe, expect, test } from "vitest";

import { decide, endsOf, leavings } from "../support/storyProbes.ts";
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
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const create = (path: string) => edit({ kind: "create", path, content: "x\n" });
const executor = (task: string, ...paths: readonly string[]) => spawn(task, { role: "executor", paths });

describe("verification", () => {
  test("what fails goes back to the executor twice; what fails still is not landed by auto, and its rejection cascades", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(
            executor("NEVER", "bad.txt"),
            executor("MENDS", "worse.txt"),
            spawn("AFTER", { dependsOn: ["subagent-1"] }),
          ),
          wait(["subagent-1", "subagent-2"]),
          say("Have a look."),
          say("It was rejected."),
        ],
      },
      {
        match: /^NEVER/,
        turns: [
          create("bad.txt"),
          call("runCommand", { command: "echo npm test" }),
          submit("tested"),
          submit("tested again"),
          submit("tested once more"),
        ],
      },
      {
        match: /^MENDS/,
        turns: [
          create("worse.txt"),
          submit("first"),
          edit({ kind: "replace", path: "worse.txt", oldText: "x", newText: "good" }),
          submit("mended"),
        ],
      },
    ]);
    const run = await story.begin("Begin", { options: { verify: ["cat *.txt; ! grep -q x *.txt"] } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const checks = (agent: string) =>
      eventsOf(run, "verification.ran")
        .filter((event) => event.agent === agent)
        .map((event) => [event.data.by, event.data.exitCode]);
    // What the agent ran itself counts for nothing, whatever it printed.
    expect(checks("subagent-1")).toEqual([
      ["system", 1],
      ["system", 1],
      ["system", 1],
    ]);
    expect(checks("subagent-2")).toEqual([
      ["system", 1],
      ["system", 0],
    ]);
    const back = story.server.requests
      .find((request) => request.firstUserMessage.startsWith("NEVER") && request.answered === 3)
      ?.body.messages.at(-1);
    expect(back).toMatchObject({
      role: "user",
      content: expect.stringMatching(/ended with exit code 1\. Mend it[\s\S]*three\nx/) as string,
    });
    expect(run.state()).toMatchObject({
      nodes: [
        { status: "awaiting_review", verification: "failed" },
        { status: "completed", verification: "passed" },
        { status: "pending" },
      ],
    });
    expect(run.state().approvals.filter((one) => one.status === "open")).toMatchObject([
      { agent: "subagent-1", kind: "changeset", why: "Its verification failed." },
    ]);
    expect(eventsOf(run, "changeset.landed").map((event) => event.data.changeset)).toEqual(["subagent-2.2"]);

    await decide(run, "rejected", { comment: "Not like this." });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(endsOf(run)).toEqual({
      "subagent-1": "failed REJECTED",
      "subagent-2": "completed",
      "subagent-3": "cancelled DEPENDENCY_NOT_COMPLETED",
    });
    expect(story.repository.git("show", `refs/coppice/${run.run}/subagent-1/pin:bad.txt`)).toBe("x");
    // The lead had answered already; what became of it is told in one more turn.
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "It was rejected.", partial: false });
    expect(story.server.requests.at(-1)?.body.messages.at(-1)?.content).toContain(
      "subagent-1: failed (REJECTED), Not like this.",
    );
    expect(await leavings(story, run)).toEqual([]);
  });

  test("auto asks where nothing was verified, where a path is protected, and where a command left the claim", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(executor("PROTECTED", "ci"), executor("OUTSIDE", "src"), executor("EMPTY", "lib")),
          wait(["subagent-1", "subagent-2", "subagent-3"]),
          say("Yours."),
        ],
      },
      { match: /^PROTECTED/, turns: [call("runCommand", { command: "mkdir ci && echo x > ci/.env" }), submit("done")] },
      {
        match: /^OUTSIDE/,
        turns: [
          call("runCommand", { command: "mkdir src && echo x > src/in.txt && echo x > out.txt" }),
          submit("done"),
        ],
      },
      {
        match: /^EMPTY/,
        turns: [call("runCommand", { command: "echo x > a.tmp; rm a.tmp" }), submit("nothing to change")],
      },
    ]);
    const run = await story.run("Begin");
    expect(Object.fromEntries(run.state().approvals.map((one) => [one.agent, one.why]))).toEqual({
      "subagent-1": "ci/.env is a protected path.",
      "subagent-2": "out.txt lies outside its claim.",
    });
    expect(eventsOf(run, "verification.ran").map((event) => event.data.exitCode)).toEqual([0, 0]);
    expect(endsOf(run)).toEqual({
      "subagent-1": "awaiting_review",
      "subagent-2": "awaiting_review",
      "subagent-3": "completed NO_CHANGES",
    });
    expect(eventsOf(run, "changeset.empty").map((event) => event.agent)).toEqual(["subagent-3"]);
    expect(eventsOf(run, "changeset.landing")).toEqual([]);
    expect(story.repository.git("branch", "--list", "landed")).toBe("");
  });

  test("[B19] without a verification command nothing lands unasked, and approved hunks land alone", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const story = await openStory(
      [
        { match: /^Begin/, turns: [calls(executor("EXEC", ".")), wait(["subagent-1"]), say("Yours.")] },
        {
          match: /^EXEC/,
          turns: [
            edit(
              { kind: "replace", path: "long.txt", oldText: "line 3\n", newText: "LINE 3\n" },
              { kind: "replace", path: "long.txt", oldText: "line 20\n", newText: "LINE 20\n" },
              { kind: "replace", path: "long.txt", oldText: "line 38\n", newText: "LINE 38\n" },
              { kind: "create", path: "other.txt", content: "x\n" },
            ),
            submit("done"),
          ],
        },
      ],
      { "long.txt": `${lines.join("\n")}\n` },
    );
    const run = await story.begin("Begin", { options: { verify: [] } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(run.state()).toMatchObject({
      nodes: [{ verification: "not-run" }],
      approvals: [{ status: "open", why: "No verification command is configured, so nothing was verified." }],
    });
    const wrong = await run.dispatch({
      type: "approval.decide",
      approval: `${run.run}-a1` as never,
      decision: "approved",
      by: "Ada",
      hunks: { "long.txt": [4] },
    });
    expect(wrong).toMatchObject({ ok: false, error: { code: "UNKNOWN_HUNK" } });
    await decide(run, "approved", { hunks: { "long.txt": [1, 3] }, message: "Raise two lines" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    const wanted = lines.map((line) => (/ (3|38)$/.test(line) ? line.toUpperCase() : line));
    expect(story.repository.git("show", "landed:long.txt").split("\n")).toEqual(wanted);
    expect(story.repository.git("show", "--no-patch", "--format=%an <%ae>%n%s%n%P", "landed").split("\n")).toEqual([
      "Ada <ada@example.test>",
      "Raise two lines",
      run.state().base.commit,
    ]);
    expect(story.repository.git("ls-tree", "--name-only", "landed")).toBe("long.txt");
    expect(eventsOf(run, "changeset.landed").map((event) => event.data.files)).toEqual([["long.txt"]]);
    expect(run.state().stop?.reason).toBe("final_answer");
  });
});
