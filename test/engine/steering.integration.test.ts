import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { answersTo, appears, committed, endsOf, gate, leavings, placeOf } from "../support/storyProbes.ts";
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

const tell = (subagentId: string, text: string) => ({ name: "messageSubagent", args: { subagentId, text } });

describe("steering subagents", () => {
  test("[F04] cancelling a running node ends its model request and its command with all its processes", async () => {
    const bothAtWork = gate();
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("THINKS"), spawn("RUNS", { role: "executor", paths: ["."] })),
          {
            ...calls(
              { name: "cancelSubagent", args: { subagentId: "subagent-1" } },
              { name: "cancelSubagent", args: { subagentId: "subagent-2" } },
            ),
            gate: bothAtWork.passed,
          },
          calls(
            { name: "cancelSubagent", args: { subagentId: "subagent-1" } },
            { name: "cancelSubagent", args: { subagentId: "subagent-9" } },
          ),
          say("Stopped both."),
        ],
      },
      { match: /^THINKS/, turns: [{ text: "Well", hangAfter: 1 }] },
      {
        match: /^RUNS/,
        turns: [
          call("runCommand", { command: "(sleep 600 & sleep 600 & wait) & touch started; sleep 600" }),
          say("never asked"),
        ],
      },
    ]);
    const run = await story.begin("Begin");
    const driving = run.drive(true);
    await committed(run, "tool.dispatched");
    await appears(join(placeOf(run, "subagent-2"), "started"));
    bothAtWork.open();
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    const thinking = story.server.requests.find((request) => request.firstUserMessage.startsWith("THINKS"));
    await thinking?.closed;
    expect(thinking?.isAborted).toBe(true);
    expect(endsOf(run)).toEqual({ "subagent-1": "cancelled CANCELLED", "subagent-2": "cancelled CANCELLED" });
    expect(eventsOf(run, "tool.settled").map((event) => [event.agent, event.data.outcome])).toEqual([
      ["subagent-2", "cancelled"],
    ]);
    expect(answersTo(run, "lead", "cancelSubagent")).toEqual([
      { subagentId: "subagent-1", cancelled: true },
      { subagentId: "subagent-2", cancelled: true },
      { error: { code: "ALREADY_FINISHED", message: "subagent-1 has cancelled already." } },
      { error: { code: "UNKNOWN_SUBAGENT", message: "There is no subagent-9." } },
    ]);
    expect(eventsOf(run, "worktree.pinned").map((event) => event.data.ref)).toEqual([
      `refs/coppice/${run.run}/subagent-2/pin`,
    ]);
    expect(story.repository.git("show", `refs/coppice/${run.run}/subagent-2/pin:started`)).toBe("");
    expect(await leavings(story, run)).toEqual([]);
  });

  test("a message joins the packet of a pending node, and reaches a running one behind the answers of its calls", async () => {
    const reading = gate();
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("FIRST"), spawn("SECOND", { dependsOn: ["subagent-1"] })),
          async () => {
            await story.server.waitForRequests(3);
            return calls(
              tell("subagent-2", "Mind the tests."),
              { name: "peekSubagents", args: {} },
              tell("subagent-9", "Hello?"),
            );
          },
          () => {
            reading.open();
            return wait(["subagent-2"]);
          },
          calls(tell("subagent-1", "Too late.")),
          say("Told."),
        ],
      },
      { match: /^FIRST/, turns: [{ ...submit("one"), gate: reading.passed }] },
      { match: /^SECOND/, turns: [submit("two")] },
    ]);
    const run = await story.run("Begin");
    const packet =
      story.server.requests.find((request) => request.firstUserMessage.startsWith("SECOND"))?.body.messages ?? [];
    expect(String(packet[1]?.content)).toContain("Added since:\n- Mind the tests.");
    expect(packet).toHaveLength(2);
    expect(answersTo(run, "lead", "messageSubagent")).toEqual([
      { subagentId: "subagent-2", delivered: "with its packet" },
      { error: { code: "UNKNOWN_SUBAGENT", message: "There is no subagent-9." } },
      { error: { code: "ALREADY_FINISHED", message: "subagent-1 has completed already." } },
    ]);
    expect(answersTo(run, "lead", "peekSubagents")).toMatchObject([
      {
        subagents: [
          { subagentId: "subagent-1", role: "explorer", title: "FIRST", status: "running", activity: "Thinking" },
          {
            subagentId: "subagent-2",
            status: "pending",
            waitingFor: { code: "DEPENDENCY", sentence: "Waits for subagent-1." },
          },
        ],
      },
    ]);
  });

  test("what is said while calls are carried out stands behind their answers, as the protocol wants it", async () => {
    const atWork = gate();
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("RUNS", { role: "executor", paths: ["."] })),
          { ...calls(tell("subagent-1", "Hurry up.")), gate: atWork.passed },
          wait(["subagent-1"]),
          say("Told."),
        ],
      },
      {
        match: /^RUNS/,
        turns: [
          calls(
            { name: "runCommand", args: { command: "touch started; until test -e go; do :; done" } },
            { name: "listFiles" },
          ),
          submit("hurried"),
        ],
      },
    ]);
    const run = await story.begin("Begin");
    const driving = run.drive(true);
    await committed(run, "tool.dispatched");
    const place = placeOf(run, "subagent-1");
    await appears(join(place, "started"));
    atWork.open();
    await committed(run, "subagent.messaged");
    await run.dispatch({ type: "run.input", text: "And you too.", from: "Ada", to: "lead" });
    story.repository.write({ go: "" }, place);
    await driving;
    await run.release();
    const said =
      story.server.requests.find((request) => request.firstUserMessage.startsWith("RUNS") && request.answered === 1)
        ?.body.messages ?? [];
    expect(said.map((message) => message.role)).toEqual(["system", "user", "assistant", "tool", "tool", "user"]);
    expect(said.at(-1)?.content).toBe("Hurry up.");
    const heard =
      story.server.requests.findLast((request) => request.firstUserMessage.startsWith("Begin"))?.body.messages ?? [];
    expect(heard.map((message) => message.role).join(" ")).not.toContain("user tool");
    expect(heard.filter((message) => message.content === "And you too.")).toHaveLength(1);
  });

  test("a node that needs context waits without a slot, the wait returns its question, and the answer continues it", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("ASKS"), spawn("NEXT")),
          wait(["subagent-1"]),
          calls(tell("subagent-1", "It is in a.txt.")),
          wait(["subagent-1", "subagent-2"]),
          say("Answered."),
        ],
      },
      { match: /^ASKS/, turns: [submit("Which file?", { status: "needs_context" }), submit("a.txt it is")] },
      { match: /^NEXT/, turns: [submit("next")] },
    ]);
    const run = await story.run("Begin", { limits: { maxConcurrent: 1 } });
    const [asked, told] = answersTo(run, "lead", "waitForSubagents") as readonly {
      results: Record<string, { status: string; question?: string; answer?: string }>;
    }[];
    expect(asked?.results["subagent-1"]).toMatchObject({ status: "waiting", question: "Which file?" });
    expect(told?.results["subagent-1"]).toMatchObject({ status: "completed", answer: "a.txt it is" });
    // One slot: the second could only run because the first held none while it waited.
    const order = run
      .journal()
      .flatMap((event) =>
        event.type === "subagent.waiting" || event.type === "subagent.started" ? [`${event.agent} ${event.type}`] : [],
      );
    expect(order).toEqual([
      "subagent-1 subagent.started",
      "subagent-1 subagent.waiting",
      "subagent-2 subagent.started",
    ]);
    const again = story.server.requests
      .findLast((request) => request.firstUserMessage.startsWith("ASKS"))
      ?.body.messages.at(-1);
    expect(again).toMatchObject({ role: "user", content: "It is in a.txt." });
  });

  test("a node under review takes no message", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })),
          wait(["subagent-1"]),
          calls(tell("subagent-1", "One more thing.")),
          say("Over to you."),
        ],
      },
      {
        match: /^EXEC/,
        turns: [edit({ kind: "replace", path: "a.txt", oldText: "one", newText: "eins" }), submit("done")],
      },
    ]);
    const run = await story.run("Begin", { options: { approve: "each" } });
    expect(answersTo(run, "lead", "messageSubagent")).toMatchObject([{ error: { code: "AWAITING_REVIEW" } }]);
    expect(eventsOf(run, "subagent.messaged")).toEqual([]);
    expect(run.state()).toMatchObject({
      status: "waiting",
      waitingFor: "1 decision of yours",
      approvals: [{ status: "open" }],
    });
  });
});
