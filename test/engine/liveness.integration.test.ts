// Whether an agent gets on, judged on the real clock.

import { afterEach, describe, expect, test } from "vitest";

import { answersTo, committed, endsOf, gate, leavings } from "../support/storyProbes.ts";
import { call, calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

const verdicts = (run: Parameters<typeof eventsOf>[0]) =>
  new Set(eventsOf(run, "subagent.checked").map((event) => event.data.verdict));

describe("an agent that is watched", { timeout: 60_000 }, () => {
  test("and whose model says nothing more is blocked, by name, until its ceiling ends it", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("HANGS")), wait(["subagent-1"]), say("It hung.")] },
      { match: /^HANGS/, turns: [{ text: "Hm", hangAfter: 1, pingEveryMs: 50 }] },
    ]);
    const run = await story.run("Begin", { limits: { checkIntervalMs: 200, maxSubagentMs: 5_000 } });
    expect(endsOf(run)).toEqual({ "subagent-1": "failed CEILING" });
    expect(eventsOf(run, "subagent.checked").at(-1)?.data.verdict).toBe("ceiling");
    // Comments keep a connection open; they are no sign of life.
    const blocked = eventsOf(run, "subagent.checked").filter((event) => event.data.verdict === "blocked");
    expect(blocked.at(-1)?.data.reason).toMatch(/^model scripted in flight/);
    expect(answersTo(run, "lead", "waitForSubagents")).toMatchObject([
      { results: { "subagent-1": { status: "failed", code: "CEILING" } } },
    ]);
    const hung = story.server.requests.find((request) => request.firstUserMessage.startsWith("HANGS"));
    await hung?.closed;
    expect(hung?.isAborted).toBe(true);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("and that comes on between two checks is progressing", async () => {
    const [thinking, reading] = [gate(), gate()];
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("READS")), wait(["subagent-1"]), say("Done.")] },
      {
        match: /^READS/,
        turns: [
          { ...call("searchText", { query: "two" }), gate: thinking.passed },
          { ...submit("read"), gate: reading.passed },
        ],
      },
    ]);
    const run = await story.begin("Begin", { limits: { checkIntervalMs: 500 } });
    const driving = run.drive(true);
    const blocked = await committed(run, "subagent.checked", (event) => event.data.verdict === "blocked");
    thinking.open();
    await committed(run, "subagent.checked", (event) => event.data.verdict === "progressing" && event.n > blocked.n);
    reading.open();
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(verdicts(run).has("stalled")).toBe(false);
  });

  test("and whose server named a wait is not stalled while it keeps to it", async () => {
    let asked = 0;
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("WAITS")), wait(["subagent-1"]), say("Done.")] },
      {
        match: /^WAITS/,
        turns: [
          () => {
            asked += 1;
            return asked === 1 ? { status: 429, headers: { "retry-after": "2" } } : submit("asked again");
          },
        ],
      },
    ]);
    const run = await story.run("Begin", { limits: { checkIntervalMs: 400 } });
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(
      eventsOf(run, "subagent.checked").some((event) => event.data.reason.includes("wait before the next try")),
    ).toBe(true);
    expect(verdicts(run).has("stalled")).toBe(false);
  });

  test("and that makes the same call with the same result three times is stopped as LOOPING", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("LOOPS")), wait(["subagent-1"]), say("It looped.")] },
      { match: /^LOOPS/, turns: [call("readFile", { path: "a.txt" })] },
    ]);
    const run = await story.run("Begin");
    expect(endsOf(run)).toEqual({ "subagent-1": "failed LOOPING" });
    expect(eventsOf(run, "tool.settled")).toHaveLength(3);
    expect(run.state().stop?.reason).toBe("final_answer");
  });
});
