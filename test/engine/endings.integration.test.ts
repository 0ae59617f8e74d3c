import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import {
  answersTo,
  appears,
  committed,
  decide,
  endsOf,
  eventsAfter,
  hurriedClock,
  leavings,
  placeOf,
} from "../support/storyProbes.ts";
import {
  call,
  calls,
  edit,
  endStories,
  eventsOf,
  executor,
  openStory,
  say,
  spawn,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const edited = edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" });

describe("a run ends", () => {
  test("with children at work: the lead is told once, with their ids; then they are cancelled", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("HANGS"), spawn("ASKS")),
          wait(["subagent-2"]),
          say("That is all."),
          say("I said that is all."),
        ],
      },
      { match: /^HANGS/, turns: [{ text: "Hm", hangAfter: 1 }] },
      { match: /^ASKS/, turns: [submit("What?", { status: "needs_context" })] },
    ]);
    const run = await story.run("Begin");
    const reminders = eventsOf(run, "model.requested").filter((event) => event.data.promptKind === "reminder");
    expect(reminders.map((event) => event.data.prompt)).toEqual([expect.stringMatching(/subagent-1 \(running\)/)]);
    expect(endsOf(run)).toEqual({ "subagent-1": "cancelled ABANDONED", "subagent-2": "failed NEEDS_CONTEXT" });
    expect(run.state().stop).toEqual({
      reason: "final_answer",
      answer: "I said that is all.",
      partial: false,
      code: null,
      sentence: null,
    });
    expect(await leavings(story, run)).toEqual([]);
  });

  test("at the lead's last step, after a wrap-up turn without tools, as partial", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("HANGS")),
          call("peekSubagents", {}),
          { text: "Half of it.", calls: [{ name: "peekSubagents", args: {} }] },
        ],
      },
      { match: /^HANGS/, turns: [{ text: "Hm", hangAfter: 1 }] },
    ]);
    const run = await story.run("Begin", { limits: { leadSteps: 3 } });
    expect(run.state().stop).toMatchObject({ reason: "max_steps", answer: "Half of it.", partial: true });
    const last = story.server.requests.findLast((request) => request.firstUserMessage.startsWith("Begin"))?.body;
    expect([last?.["tools"] ?? [], last?.messages.at(-1)?.role]).toEqual([[], "user"]);
    expect(eventsOf(run, "tool.refused").map((event) => event.data.code)).toEqual(["NO_TOOLS"]);
    expect(endsOf(run)).toEqual({ "subagent-1": "cancelled ABANDONED" });
    expect(await leavings(story, run)).toEqual([]);
  });

  test("[F07] with its budget: a subagent's slice ends in a forced turn, the run's in a wrap-up, and nothing exceeds it", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(executor("SPENDS", "a.txt")),
          wait(["subagent-1"]),
          call("peekSubagents", {}),
          call("peekSubagents", {}),
          call("peekSubagents", {}),
          call("peekSubagents", {}),
          say("Spent."),
        ],
      },
      { match: /^SPENDS/, turns: [edited, call("listFiles", {}), call("listFiles", { depth: 2 })] },
    ]);
    const run = await story.run("Begin", { budget: { steps: 10 }, options: { verify: ["false"] } });
    expect(endsOf(run)).toEqual({ "subagent-1": "failed MAX_STEPS" });
    const forced = story.server.requests.findLast((request) => request.firstUserMessage.startsWith("SPENDS"))?.body[
      "tools"
    ] as readonly { function: { name: string } }[];
    expect(forced.map((tool) => tool.function.name)).toEqual(["submitResult"]);
    expect(story.repository.git("show", `refs/coppice/${run.run}/subagent-1/pin:a.txt`)).toContain("zwei");
    expect(run.state().stop).toMatchObject({ reason: "budget_exhausted", partial: true });
    expect(run.state().budget.used.steps).toBeLessThanOrEqual(10);
    expect(run.state().budget.reserved.steps).toBe(0);
    expect(eventsOf(run, "budget.warned").map((event) => event.data.balance)).toEqual(["steps"]);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("with its wall time: children stop, the lead wraps up", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("HANGS")), wait(["subagent-1"]), say("No time.")] },
      { match: /^HANGS/, turns: [{ text: "Hm", hangAfter: 1 }] },
    ]);
    const run = await story.begin("Begin", { wallMs: 3_600_000 });
    const driving = run.drive(true);
    await story.server.waitForRequests(3);
    await run.dispatch({ type: "run.expire" });
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop).toMatchObject({ reason: "budget_exhausted", answer: "No time.", partial: true });
    expect(answersTo(run, "lead", "waitForSubagents")).toMatchObject([
      { results: { "subagent-1": { status: "cancelled", code: "WALL_TIME" } } },
    ]);
    expect(await leavings(story, run)).toEqual([]);
  });

  test(
    "with a model that says no: at once for a wrong key, after retries that were journalled before their wait",
    { timeout: 60_000 },
    async () => {
      const wrongKey = {
        status: 401,
        body: JSON.stringify({ error: { message: "Incorrect API key", code: "invalid_api_key" } }),
      };
      const story = await openStory(
        [
          { match: /^Locked/, turns: [wrongKey] },
          { match: /^Busy/, turns: [{ status: 503 }] },
          { match: /^Begin/, turns: [calls(spawn("Locked out")), wait(["subagent-1"]), say("It failed.")] },
        ],
        undefined,
        hurriedClock,
      );
      const locked = await story.run("Locked");
      expect([
        locked.state().stop?.reason,
        locked.state().stop?.partial,
        eventsOf(locked, "model.retried").length,
        eventsOf(locked, "model.failed").length,
      ]).toEqual(["failed", true, 0, 1]);
      expect(locked.state().stop?.sentence).toContain("Incorrect API key");

      const busy = await story.run("Busy");
      const retries = eventsOf(busy, "model.retried");
      expect([
        busy.state().stop?.reason,
        retries.map((event) => event.data.attempt),
        eventsOf(busy, "model.failed").length,
      ]).toEqual(["failed", [1, 2, 3, 4], 5]);
      expect(retries.every((retry) => eventsAfter(busy, retry, 1)[0]?.type === "model.requested")).toBe(true);

      const dead = await story.run("Nobody there", { baseUrl: "http://127.0.0.1:1/v1" });
      expect([dead.state().stop?.reason, eventsOf(dead, "model.failed").at(-1)?.data.code]).toEqual([
        "failed",
        "ENDPOINT_UNREACHABLE",
      ]);

      // A subagent's model failing is a result for the lead, not the end of the run.
      const run = await story.run("Begin");
      expect([endsOf(run)["subagent-1"]?.split(" ")[0], run.state().stop?.reason]).toEqual(["failed", "final_answer"]);
      expect(eventsOf(run, "subagent.settled")[0]?.data.diagnostic).toContain("Incorrect API key");
      for (const each of [locked, busy, dead, run])
        expect(await leavings(story, each)).toEqual(expect.not.arrayContaining([expect.stringContaining(each.run)]));
    },
  );

  test("with a lead that answers nothing twice, and not with one that does so once", async () => {
    const story = await openStory([
      { match: /^Silent/, turns: [{}] },
      // An empty answer is no message, so the second request holds no more of them than the first.
      { match: /^Shy/, turns: [(body) => (body.messages.length === 2 ? {} : say("Here I am."))] },
    ]);
    const silent = await story.run("Silent");
    expect(silent.state().stop).toMatchObject({ reason: "failed", code: "MODEL_RETURNED_NOTHING", partial: true });
    const shy = await story.run("Shy");
    expect(shy.state().stop).toMatchObject({ reason: "final_answer", answer: "Here I am." });
  });
});

describe("what a run has made", () => {
  test("[A28] stays where it is when it cannot be pinned, and the reason is told", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(executor("EXEC", "a.txt")), wait(["subagent-1"]), say("Too bad.")] },
      { match: /^EXEC/, turns: [edited, submit("no way on", { status: "blocked" })] },
    ]);
    const run = await story.begin("Begin");
    // A ref below the name of the pin: git cannot make both.
    story.repository.git("update-ref", `refs/coppice/${run.run}/subagent-1/pin/taken`, "HEAD");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(readFileSync(join(placeOf(run, "subagent-1"), "a.txt"), "utf8")).toBe("one\nzwei\nthree\n");
    expect(eventsOf(run, "worktree.removed")).toEqual([]);
    expect(eventsOf(run, "subagent.settled")[0]?.data.diagnostic).toMatch(/SNAPSHOT_FAILED|PIN_FAILED/);
    expect(run.state().stop?.reason).toBe("final_answer");
  });
});

describe("a cancel", () => {
  test("[F04] ends a streaming model and a running command, and leaves nothing but the pinned work", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [calls(executor("RUNS", "a.txt"), executor("CHECKED", "b.txt")), { text: "Hm", hangAfter: 1 }],
      },
      { match: /^RUNS/, turns: [edited, call("runCommand", { command: "touch started; sleep 600" })] },
      { match: /^CHECKED/, turns: [edit({ kind: "create", path: "b.txt", content: "x\n" }), submit("done")] },
    ]);
    const run = await story.begin("Begin", { options: { verify: ["touch verifying; sleep 600"] } });
    const driving = run.drive(true);
    await committed(run, "changeset.proposed");
    await committed(run, "tool.dispatched", (event) => event.data.tool === "runCommand");
    await appears(join(placeOf(run, "subagent-1"), "started"));
    const checking = join(story.home, "places", `${run.run}-e1-verify-subagent-2.1`);
    await appears(checking);
    await appears(join(checking, "verifying"));
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop).toMatchObject({ reason: "cancelled", partial: true });
    expect(endsOf(run)).toEqual({ "subagent-1": "cancelled CANCELLED", "subagent-2": "cancelled CANCELLED" });
    expect(eventsOf(run, "verification.ran")).toEqual([]);
    expect(
      eventsOf(run, "tool.settled")
        .map((event) => event.data.outcome)
        .toSorted(),
    ).toEqual(["cancelled", "executed", "executed"]);
    expect(
      eventsOf(run, "worktree.pinned")
        .map((event) => event.agent)
        .toSorted(),
    ).toEqual(["subagent-1", "subagent-2"]);
    expect(story.repository.git("branch", "--list", "landed")).toBe("");
    expect(await leavings(story, run)).toEqual([]);
  });

  test("takes a change set that waits for its review with it, and withdraws what was asked", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(executor("EXEC", "a.txt")), wait(["subagent-1"]), say("Yours.")] },
      { match: /^EXEC/, turns: [edited, submit("done")] },
    ]);
    const run = await story.begin("Begin", { options: { approve: "each" } });
    await run.drive(true);
    await run.dispatch({ type: "run.cancel", by: "Ada", commandId: "c1" });
    const again = await run.dispatch({ type: "run.cancel", by: "Ada", commandId: "c1" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(again).toMatchObject({ ok: true, value: { events: [] } });
    expect(eventsOf(run, "approval.withdrawn")).toHaveLength(1);
    await expect(decide(run, "approved", { approval: `${run.run}-a1` as never })).rejects.toThrow("ALREADY_DECIDED");
    expect(story.repository.git("show", `refs/coppice/${run.run}/subagent-1/1:a.txt`)).toContain("zwei");
    expect(await leavings(story, run)).toEqual([]);
  });
});
