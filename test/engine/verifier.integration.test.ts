// The verifier: it runs checks in a throw-away worktree of what was proposed, and changes nothing.

import { existsSync } from "node:fs";

import { afterEach, describe, expect, test } from "vitest";

import { answersTo, committed, decide, endsOf, gate, leavings } from "../support/storyProbes.ts";
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
  toolAnswers,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

describe("a verifier", { timeout: 60_000 }, () => {
  test("works on the proposed tree without a writer's place; what it changes there is nobody's change set and goes with its worktree", async () => {
    const writing = gate();
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(
            spawn("EXEC", { role: "executor", paths: ["a.txt"] }),
            spawn("VERIFY", { role: "verifier", dependsOn: [{ id: "subagent-1", until: "proposed" }] }),
            spawn("OTHER", { role: "executor", paths: ["b.txt"] }),
          ),
          wait(["subagent-2"]),
          () => {
            writing.open();
            return wait(["subagent-1", "subagent-3"], { until: "completed" });
          },
          say("Verified."),
        ],
      },
      {
        match: /^EXEC/,
        turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
      },
      {
        match: /^VERIFY/,
        turns: [
          call("runCommand", {
            command: "cat a.txt; echo scratch > scratch.txt; echo broken > a.txt; git rev-parse HEAD",
          }),
          submit("it holds", { verdicts: [{ criterion: "zwei", verdict: "passed", evidence: "cat a.txt" }] }),
        ],
      },
      {
        match: /^OTHER/,
        turns: [{ ...edit({ kind: "create", path: "b.txt", content: "b\n" }), gate: writing.passed }, submit("made")],
      },
    ]);
    // One place for executors: the other executor has it while the verifier works.
    const run = await story.begin("Begin", { options: { approve: "each" }, limits: { maxExecutors: 1 } });
    const driving = run.drive(true);
    await committed(run, "subagent.settled", (event) => event.data.subagent === "subagent-2");
    const [set] = run.state().changeSets;
    const started = eventsOf(run, "subagent.started").find((event) => event.agent === "subagent-2");
    expect(started?.data).toMatchObject({ root: set?.commit, reads: "subagent-1.1" });
    const seen = toolAnswers(
      story.server.requests.findLast((request) => request.firstUserMessage.startsWith("VERIFY"))?.body ?? {
        messages: [],
      },
    );
    expect(seen).toContain(`one\nzwei\nthree\n${set?.commit}`);
    expect(run.state().nodes[2]?.status).toBe("running");
    expect(existsSync(started?.data.worktree ?? "")).toBe(false);
    expect(answersTo(run, "lead", "waitForSubagents")).toMatchObject([
      { results: { "subagent-2": { status: "completed", answer: "it holds" } } },
    ]);

    await committed(run, "approval.requested", (event) => event.agent === "subagent-3");
    for (const approval of run.state().approvals) await decide(run, "approved", { approval: approval.id });
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(eventsOf(run, "changeset.proposed").map((event) => event.agent)).toEqual(["subagent-1", "subagent-3"]);
    expect(eventsOf(run, "worktree.pinned")).toEqual([]);
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
    expect(story.repository.git("ls-tree", "--name-only", "landed").split("\n")).toEqual(["a.txt", "b.txt"]);
    expect(Object.values(endsOf(run))).toEqual(["completed", "completed", "completed"]);
    expect(await leavings(story, run)).toEqual([]);
  });
});
